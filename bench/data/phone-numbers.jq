def normalise:
  gsub("[^\\d+]"; "")
  | if startswith("+") then .[1:] elif startswith("00") then .[2:] else "49" + . end;

[.customers[] | .id as $id | .phones[] | {customer: $id, kind, number: (.number | normalise)}] as $phones
| {
    phones: ($phones | length),
    kinds: (reduce $phones[].kind as $kind ({}; .[$kind] += 1)),
    "by-prefix": (reduce $phones[].number as $number ({}; .[$number[:3]] += 1)),
    shared: ($phones | group_by(.number)
             | map(select(map(.customer) | unique | length > 1)
                   | {number: .[0].number, customers: (map(.customer) | sort)}))
  }
