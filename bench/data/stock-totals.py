from collections import Counter


def work(ctx):
    by_place, by_category = Counter(), Counter()
    for product in ctx["products"]:
        by_place.update(product["stock"])
        by_category[product["category"]["path"][0]] += sum(product["stock"].values())
    low = sorted(
        product["sku"]
        for product in ctx["products"]
        if product["stock"] and all(n < 40 for n in product["stock"].values())
    )
    return {
        "by-place": dict(by_place),
        "by-category": dict(by_category),
        "empty": sum(1 for product in ctx["products"] if not product["stock"]),
        "low": low[:20],
    }
