(.products | map({key: .sku, value: .}) | from_entries) as $products
| reduce (.orders[].lines[]) as $line ({};
    $products[$line.sku] as $product
    | if $product.cost then
        .[$product.category.name] = (.[$product.category.name] // {}
          | .revenue += $line.quantity * $line.price
          | .cost += $line.quantity * $product.cost
          | .units += $line.quantity)
      else . end)
| to_entries
| map({category: .key, units: .value.units, margin: ((.value.revenue - .value.cost) / .value.revenue)})
| sort_by(-.margin)
