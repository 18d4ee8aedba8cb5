from collections import Counter


def work(ctx):
    amounts = [line["quantity"] * line["price"] for order in ctx["orders"] for line in order["lines"]]
    buckets = Counter(50 * int(amount / 50) for amount in amounts)
    most = max(buckets.values())
    return [
        {"from": start, "count": n, "bar": "█" * (40 * n // most)}
        for start, n in sorted(buckets.items())
    ]
