(.customers | map({key: .id, value: .}) | from_entries) as $by_id
| [ .orders[]
    | select(.status != "cancelled")
    | $by_id[.customer_id] as $customer
    | select($customer)
    | .lines[]
    | {country: $customer.country, segment: ($customer.segment // "none"), amount: (.quantity * .price)} ]
| group_by([.country, .segment])
| map({country: .[0].country, segment: .[0].segment, lines: length, revenue: (map(.amount) | add)})
