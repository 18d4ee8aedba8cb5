from collections import defaultdict


def percentile(ordered, p):
    return ordered[min(len(ordered) - 1, int(p * len(ordered)))]


def work(ctx):
    groups = defaultdict(list)
    for reading in ctx["readings"]:
        if reading["value"] is not None:
            groups[reading["sensor"]].append(reading["value"])
    rows = []
    for sensor, values in sorted(groups.items()):
        values.sort()
        rows.append(
            {
                "sensor": sensor,
                "count": len(values),
                "median": percentile(values, 0.5),
                "p95": percentile(values, 0.95),
                "max": values[-1],
            }
        )
    return rows
