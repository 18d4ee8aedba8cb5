import re
from collections import defaultdict


def work(ctx):
    groups = defaultdict(list)
    for customer in ctx["customers"]:
        groups[re.split(r"\s+", customer["name"])[-1][0].upper()].append(customer["name"])
    rows = []
    for letter, names in sorted(groups.items()):
        ordered = sorted(dict.fromkeys(names), key=lambda name: name.split(" ")[::-1])
        rows.append(
            {
                "letter": letter,
                "count": len(names),
                "names": "; ".join(ordered[:3]),
                "longest": max(len(name) for name in names),
            }
        )
    return rows
