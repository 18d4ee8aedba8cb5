[ .logs[] | .host as $host | .line
  | capture("^(?<at>\\S+ \\S+) (?<level>\\w+)\\s+\\[(?<service>[^\\]]+)\\] (?<message>.*)$")
  | {host: $host, level, service, ms: ((.message | capture("took (?<ms>\\d+) ms") | .ms | tonumber) // null)} ]
| group_by(.service)
| map({
    service: .[0].service,
    lines: length,
    levels: (reduce .[].level as $level ({}; .[$level] += 1)),
    slowest: (map(.ms | select(. != null)) | max // 0)
  })
