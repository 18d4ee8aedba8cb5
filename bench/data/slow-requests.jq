[ .logs[].line
  | capture("(?<method>GET|POST) (?<path>\\S+) took (?<ms>\\d+) ms status=(?<status>\\d+)")
  | .ms |= tonumber | .status |= tonumber
  | select(.ms > 500)
  | .path |= sub("/\\d+$"; "/:id") ]
| group_by([.method, .path, .status])
| map(map(.ms) as $times
      | {method: .[0].method, path: .[0].path, status: .[0].status,
         count: length, mean: (($times | add) / length), max: ($times | max)})
