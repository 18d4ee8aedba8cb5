def work(ctx):
    products = {product["sku"]: product for product in ctx["products"]}
    totals = {}
    for order in ctx["orders"]:
        for line in order["lines"]:
            product = products[line["sku"]]
            if "cost" not in product:
                continue
            total = totals.setdefault(
                product["category"]["name"], {"revenue": 0, "cost": 0, "units": 0}
            )
            total["revenue"] += line["quantity"] * line["price"]
            total["cost"] += line["quantity"] * product["cost"]
            total["units"] += line["quantity"]
    rows = [
        {
            "category": category,
            "units": total["units"],
            "margin": (total["revenue"] - total["cost"]) / total["revenue"],
        }
        for category, total in totals.items()
    ]
    return sorted(rows, key=lambda row: row["margin"], reverse=True)
