from collections import defaultdict


def work(ctx):
    by_id = {customer["id"]: customer for customer in ctx["customers"]}
    groups = defaultdict(list)
    for order in ctx["orders"]:
        customer = by_id.get(order["customer_id"])
        if customer and order["status"] != "cancelled":
            key = (customer["country"], customer.get("segment", "none"))
            for line in order["lines"]:
                groups[key].append(line["quantity"] * line["price"])
    return [
        {"country": country, "segment": segment, "lines": len(amounts), "revenue": sum(amounts)}
        for (country, segment), amounts in sorted(groups.items())
    ]
