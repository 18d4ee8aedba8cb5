(.products | map({key: .sku, value: .price}) | from_entries) as $old
| (.prices | map({key: .sku, value: .price}) | from_entries) as $new
| [$old | keys_unsorted[] | select($new[.])] as $both
| {
    added: [$new | keys[] | select($old[.] | not)],
    removed: [$old | keys[] | select($new[.] | not)],
    same: ([$both[] | select($old[.] == $new[.])] | length),
    changed: ([$both[] as $sku
               | {sku: $sku, old: $old[$sku], new: $new[$sku],
                  change: (($new[$sku] - $old[$sku]) / $old[$sku])}
               | select((.change | fabs) > 0.5)]
              | sort_by([-.change, .sku]) | .[:50])
  }
