def first_at($kind): [.[] | select(.kind == $kind) | .at] | min // 9999999999;

9999999999 as $none
| [ .events | group_by([.user, .device.os])[]
    | .[0].device.os as $os
    | first_at("view") as $view | first_at("cart") as $cart | first_at("buy") as $buy
    | {os: $os,
       viewed: ($view != $none),
       carted: ($view < $cart and $cart != $none),
       bought: ($view < $cart and $cart < $buy and $buy != $none)} ]
| group_by(.os)
| map({
    os: .[0].os,
    users: length,
    viewed: (map(select(.viewed)) | length),
    carted: (map(select(.carted)) | length),
    bought: (map(select(.bought)) | length)
  })
