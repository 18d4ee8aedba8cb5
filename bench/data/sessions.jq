[ .events | group_by(.user)[] | sort_by(.at)
  | reduce .[] as $event ([];
      if length > 0 and $event.at - .[-1][-1].at <= 1800
      then .[-1] += [$event]
      else . + [[$event]] end)
  | .[] ] as $sessions
| {
    sessions: ($sessions | length),
    events_per_session: ((.events | length) / ($sessions | length)),
    longest: ($sessions | map(.[-1].at - .[0].at) | max),
    single: ($sessions | map(select(length == 1)) | length),
    with_purchase: ($sessions | map(select(any(.[]; .kind == "buy"))) | length)
  }
