from collections import defaultdict
from itertools import groupby


def encode(states):
    return " ".join(f"{state}×{len(list(run))}" for state, run in groupby(states))


def work(ctx):
    by_sensor = defaultdict(list)
    for reading in ctx["readings"]:
        by_sensor[reading["sensor"]].append(reading)
    return {
        sensor: encode(reading["state"] for reading in readings[:500])
        for sensor, readings in by_sensor.items()
    }
