[.orders[].lines[] | (.quantity * .price / 50 | floor) * 50]
| group_by(.)
| map({from: .[0], count: length})
| (map(.count) | max) as $most
| map(.bar = ("█" * (40 * .count / $most | floor) // ""))
