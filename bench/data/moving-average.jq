.readings
| group_by(.sensor)
| map({
    key: .[0].sensor,
    value: (
      (sort_by(.at) | map(.value | select(. != null))) as $values
      | [range(0; ($values | length) - 4) as $i | ($values[$i:$i + 5] | add) / 5]
      | {windows: length, max: max, min: min})
  })
| from_entries
