def work(ctx):
    old = {product["sku"]: product["price"] for product in ctx["products"]}
    new = {price["sku"]: price["price"] for price in ctx["prices"]}
    both = [sku for sku in old if sku in new]
    changed = []
    for sku in both:
        change = (new[sku] - old[sku]) / old[sku]
        if abs(change) > 0.5:
            changed.append({"sku": sku, "old": old[sku], "new": new[sku], "change": change})
    changed.sort(key=lambda row: (-row["change"], row["sku"]))
    return {
        "added": sorted(new.keys() - old.keys()),
        "removed": sorted(old.keys() - new.keys()),
        "same": sum(1 for sku in both if old[sku] == new[sku]),
        "changed": changed[:50],
    }
