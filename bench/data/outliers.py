from collections import defaultdict
from math import sqrt


def stats(values):
    n = len(values)
    mean = sum(values) / n
    variance = sum((value - mean) * (value - mean) for value in values) / n
    return {"n": n, "mean": mean, "sd": sqrt(variance)}


def work(ctx):
    valid = [reading for reading in ctx["readings"] if reading["value"] is not None]
    groups = defaultdict(list)
    for reading in valid:
        groups[reading["sensor"]].append(reading["value"])
    sensors = {sensor: stats(values) for sensor, values in groups.items()}
    outliers = []
    for reading in valid:
        sensor = sensors[reading["sensor"]]
        z = (reading["value"] - sensor["mean"]) / sensor["sd"]
        if abs(z) > 3:
            outliers.append({key: reading[key] for key in ("sensor", "at", "value")} | {"z": z})
    outliers.sort(key=lambda row: (-row["z"], row["sensor"], row["at"]))
    return {"sensors": sensors, "outliers": outliers[:40]}
