def line_total: .quantity * .price * (1 - (.discount // 0));

[.orders[] | select(.status != "cancelled" and .status != "returned")]
| group_by(.customer_id)
| map({
    customer: .[0].customer_id,
    orders: length,
    total: (map(.lines | map(line_total) | add) | add)
  })
| sort_by([-.total, .customer])
| .[:20]
