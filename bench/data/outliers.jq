def stats:
  length as $n | (add / $n) as $mean
  | {n: $n, mean: $mean, sd: ((map((. - $mean) * (. - $mean)) | add) / $n | sqrt)};

[.readings[] | select(.value != null)] as $valid
| ($valid | group_by(.sensor) | map({key: .[0].sensor, value: (map(.value) | stats)}) | from_entries) as $sensors
| {
    sensors: $sensors,
    outliers: ([$valid[]
      | $sensors[.sensor] as $sensor
      | {sensor, at, value, z: ((.value - $sensor.mean) / $sensor.sd)}
      | select((.z | fabs) > 3)] | sort_by([-.z, .sensor, .at]) | .[:40])
  }
