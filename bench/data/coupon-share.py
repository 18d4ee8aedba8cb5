from collections import Counter, defaultdict


def share(part, whole):
    return int(1000 * len(part) / len(whole) + 0.5) / 10 if whole else 0.0


def big(order):
    return any(line["quantity"] * line["price"] > 800 for line in order["lines"])


def cheap(order):
    return all(line["price"] < 100 for line in order["lines"])


def work(ctx):
    groups = defaultdict(list)
    for order in ctx["orders"]:
        groups[order["currency"]].append(order)
    rows = []
    for currency, orders in sorted(groups.items()):
        with_coupon = [order for order in orders if order.get("coupon")]
        rows.append(
            {
                "currency": currency,
                "orders": len(orders),
                "coupon_share": share(with_coupon, orders),
                "coupons": dict(Counter(order["coupon"] for order in with_coupon)),
                "tags": sorted({tag for order in with_coupon for tag in order["tags"]}),
                "big": sum(1 for order in orders if big(order)),
                "gifts": sum(1 for order in with_coupon if "gift" in order["tags"]),
                "cheap_share": share([order for order in orders if cheap(order)], orders),
            }
        )
    return rows
