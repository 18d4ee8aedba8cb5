[.orders[] | select(.status == "shipped" and .shipping.country == "GR")]
| sort_by([.placed_at, .id])
| reverse
| map({id, placed_at, city: .shipping.city, lines: (.lines | length)})
