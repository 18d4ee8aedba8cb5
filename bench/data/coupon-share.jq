def share($part; $whole):
  if $whole == 0 then 0 else ((1000 * $part / $whole + 0.5) | floor) / 10 end;

.orders
| group_by(.currency)
| map(
    map(select(.coupon)) as $with_coupon
    | length as $n
    | {
        currency: .[0].currency,
        orders: $n,
        coupon_share: share($with_coupon | length; $n),
        coupons: (reduce $with_coupon[].coupon as $coupon ({}; .[$coupon] += 1)),
        tags: ([$with_coupon[].tags[]] | unique),
        big: (map(select(any(.lines[]; .quantity * .price > 800))) | length),
        gifts: ($with_coupon | map(select(any(.tags[]; . == "gift"))) | length),
        cheap_share: share(map(select(all(.lines[]; .price < 100))) | length; $n)
      })
