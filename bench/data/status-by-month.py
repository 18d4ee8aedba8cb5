from collections import Counter, defaultdict


def work(ctx):
    counts = defaultdict(Counter)
    for order in ctx["orders"]:
        counts[order["placed_at"][:7]][order["status"]] += 1
    statuses = sorted({order["status"] for order in ctx["orders"]})
    return [
        {"month": month, **{status: row[status] for status in statuses}}
        for month, row in sorted(counts.items())
    ]
