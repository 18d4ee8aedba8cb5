from collections import defaultdict
from itertools import accumulate


def cents(order):
    return sum(line["quantity"] * round(100 * line["price"]) for line in order["lines"])


def work(ctx):
    months = defaultdict(list)
    for order in ctx["orders"]:
        months[order["placed_at"][:7]].append(order)
    rows = []
    for month, orders in sorted(months.items()):
        orders.sort(key=lambda order: order["placed_at"])
        running = list(accumulate(cents(order) for order in orders))
        total = running[-1]
        half = [order for order, amount in zip(orders, running) if 2 * amount >= total][0]
        weeks = [running[min(i + 50, len(running)) - 1] for i in range(0, len(running), 50)]
        rows.append(
            {"month": month, "total": total, "half": half["placed_at"][:10], "weeks": weeks}
        )
    return rows
