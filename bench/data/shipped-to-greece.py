def work(ctx):
    found = [
        order
        for order in ctx["orders"]
        if order["status"] == "shipped" and (order["shipping"] or {}).get("country") == "GR"
    ]
    found.sort(key=lambda order: (order["placed_at"], order["id"]), reverse=True)
    return [
        {
            "id": order["id"],
            "placed_at": order["placed_at"],
            "city": order["shipping"]["city"],
            "lines": len(order["lines"]),
        }
        for order in found
    ]
