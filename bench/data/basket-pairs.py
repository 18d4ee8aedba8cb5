from collections import Counter
from itertools import combinations


def work(ctx):
    counts = Counter()
    for order in ctx["orders"]:
        skus = sorted({line["sku"] for line in order["lines"]})
        counts.update(combinations(skus, 2))
    names = {product["sku"]: product["name"] for product in ctx["products"]}
    top = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:15]
    return [{"skus": [a, b], "names": [names[a], names[b]], "count": n} for (a, b), n in top]
