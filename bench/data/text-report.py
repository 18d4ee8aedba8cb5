def work(ctx):
    orders = [order for order in ctx["orders"] if order["placed_at"].startswith("2024-0")]
    orders.sort(key=lambda order: (order["placed_at"], order["id"]))
    lines = []
    for order in orders:
        total = sum(line["quantity"] * line["price"] for line in order["lines"])
        lines.append(
            f"{order['placed_at'][:10]}  {order['customer_id']:<10} {order['status']:<9} "
            f"{total:10.2f} {','.join(sorted(order['tags']))}".strip()
        )
    return {"lines": len(orders), "text": "\n".join(lines)}
