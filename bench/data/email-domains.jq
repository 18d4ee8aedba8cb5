[ .customers[]
  | select(.email)
  | {country, domain: (.email | trim | ascii_downcase | split("@") | .[1])}
  | select(.domain) ]
| group_by(.domain)
| map({domain: .[0].domain, customers: length, countries: (map(.country) | unique | join(" "))})
| sort_by(-.customers)
