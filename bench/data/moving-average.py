from collections import defaultdict


def work(ctx):
    groups = defaultdict(list)
    for reading in ctx["readings"]:
        groups[reading["sensor"]].append(reading)
    result = {}
    for sensor, readings in sorted(groups.items()):
        readings.sort(key=lambda reading: reading["at"])
        values = [reading["value"] for reading in readings if reading["value"] is not None]
        averages = [sum(values[i : i + 5]) / 5 for i in range(len(values) - 4)]
        result[sensor] = {"windows": len(averages), "max": max(averages), "min": min(averages)}
    return result
