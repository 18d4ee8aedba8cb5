(reduce (.messages | sort_by(.id)[]) as $message ({};
   .[$message.reply_to // 0 | tostring] as $parent
   | .[$message.id | tostring] =
       if $parent then {root: $parent.root, depth: ($parent.depth + 1)}
       else {root: $message.id, depth: 0} end)) as $placed
| ([$placed[].root] | group_by(.) | map([.[0], length])) as $sizes
| {
    threads: ($sizes | length),
    deepest: ([$placed[].depth] | max),
    depths: (reduce $placed[].depth as $depth ({}; .[$depth | tostring] += 1)),
    largest: ($sizes | sort_by([-.[1], .[0]]) | .[:10])
  }
