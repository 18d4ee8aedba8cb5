from collections import defaultdict


def work(ctx):
    by_time = defaultdict(list)
    for reading in ctx["readings"]:
        by_time[reading["at"]].append(reading)
    return [
        {
            "at": at,
            **{
                reading["sensor"]: reading["value"]
                for reading in readings
                if reading["value"] is not None
            },
        }
        for at, readings in sorted(by_time.items())[:1000]
    ]
