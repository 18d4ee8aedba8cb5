from collections import defaultdict
from datetime import datetime
from itertools import pairwise


def minutes_between(start, end):
    return int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() // 60)


def work(ctx):
    groups = defaultdict(list)
    for reading in ctx["readings"]:
        groups[reading["sensor"]].append(reading["at"])
    gaps = []
    for sensor, times in groups.items():
        for a, b in pairwise(sorted(times)):
            minutes = minutes_between(a, b)
            if minutes > 45:
                gaps.append({"sensor": sensor, "from": a, "to": b, "minutes": minutes})
    gaps.sort(key=lambda gap: (-gap["minutes"], gap["sensor"], gap["from"]))
    return gaps[:100]
