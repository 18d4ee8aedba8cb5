from collections import defaultdict
from datetime import datetime

DAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]


def work(ctx):
    days, hours = defaultdict(float), defaultdict(float)
    for order in ctx["orders"]:
        at = datetime.fromisoformat(order["placed_at"])
        amount = sum(line["quantity"] * line["price"] for line in order["lines"])
        days[DAYS[at.weekday()]] += amount
        hours[at.hour] += amount
    return {"days": sorted(days.items()), "hours": sorted(hours.items())}
