from collections import defaultdict
from itertools import combinations


def work(ctx):
    index = defaultdict(set)
    for person in ctx["employees"]:
        for skill in person["skills"]:
            if skill["level"] >= 4:
                index[skill["name"]].add(person["id"])
    pairs = []
    for a, b in combinations(sorted(index), 2):
        both = len(index[a] & index[b])
        if both > 60:
            pairs.append([a, b, both])
    return {"people": {skill: len(ids) for skill, ids in sorted(index.items())}, "pairs": pairs}
