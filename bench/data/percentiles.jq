def percentile($p): .[[length - 1, ($p * length | floor)] | min];

[.readings[] | select(.value != null)]
| group_by(.sensor)
| map(
    (map(.value) | sort) as $values
    | {
        sensor: .[0].sensor,
        count: ($values | length),
        median: ($values | percentile(0.5)),
        p95: ($values | percentile(0.95)),
        max: $values[-1]
      })
