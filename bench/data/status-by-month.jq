(.orders | map(.status) | unique) as $statuses
| reduce .orders[] as $order ({};
    $order.placed_at[:7] as $month | .[$month] = (.[$month] // {} | .[$order.status] += 1))
| to_entries
| sort_by(.key)
| map(.key as $month
      | .value as $row
      | reduce $statuses[] as $status ({month: $month}; .[$status] = ($row[$status] // 0)))
