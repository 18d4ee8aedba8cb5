def seconds: . + "Z" | fromdateiso8601;

[ .readings | group_by(.sensor)[]
  | .[0].sensor as $sensor
  | (map(.at) | sort) as $times
  | range(1; $times | length) as $i
  | (($times[$i] | seconds) - ($times[$i - 1] | seconds)) as $gap
  | ($gap / 60 | floor) as $minutes
  | select($minutes > 45)
  | {sensor: $sensor, from: $times[$i - 1], to: $times[$i], minutes: $minutes} ]
| sort_by([-.minutes, .sensor, .from])
| .[:100]
