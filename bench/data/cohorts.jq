def month_number: 12 * (.[:4] | tonumber) + (.[5:7] | tonumber);
def quarter: "\(.[:4])-Q\(((.[5:7] | tonumber) - 1) / 3 | floor + 1)";

(.customers | map({key: .id, value: .joined}) | from_entries) as $joined
| [ .orders[]
    | {joined: $joined[.customer_id], day: .placed_at[:10]}
    | select(.day >= .joined) ]
| group_by(.joined | quarter)
| map({
    key: (.[0].joined | quarter),
    value: (map(((.day | month_number) - (.joined | month_number)) / 6 | floor)
            | group_by(.) | map(length))
  })
| from_entries
