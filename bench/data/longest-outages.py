from collections import defaultdict
from itertools import groupby


def work(ctx):
    groups = defaultdict(list)
    for reading in ctx["readings"]:
        groups[reading["sensor"]].append(reading)
    runs = []
    for sensor, readings in groups.items():
        readings.sort(key=lambda reading: reading["at"])
        for ok, run in groupby(readings, key=lambda reading: reading["state"] == "ok"):
            if not ok:
                run = list(run)
                runs.append(
                    {
                        "sensor": sensor,
                        "from": run[0]["at"],
                        "to": run[-1]["at"],
                        "length": len(run),
                        "states": list(dict.fromkeys(reading["state"] for reading in run)),
                    }
                )
    runs.sort(key=lambda run: (-run["length"], run["sensor"], run["from"]))
    return runs[:20]
