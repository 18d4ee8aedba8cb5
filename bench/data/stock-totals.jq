{
  "by-place": (reduce (.products[].stock | to_entries[]) as $item ({}; .[$item.key] += $item.value)),
  "by-category": (reduce .products[] as $product ({};
      .[$product.category.path[0]] += ($product.stock | add // 0))),
  empty: ([.products[] | select(.stock | length == 0)] | length),
  low: ([.products[] | select((.stock | length > 0) and all(.stock[]; . < 40)) | .sku] | sort | .[:20])
}
