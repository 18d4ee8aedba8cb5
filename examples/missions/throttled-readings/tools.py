"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

READINGS = {"k1": 21.5, "k2": 19.0, "m1": 40.25, "m2": 38.0, "z7": -3.5, "z9": 12.75}
SLOW = {"k2": ["t-81"], "m1": ["t-15", "q-9"], "z7": ["q-2", "t-40", "t-77"]}


def reading(sensor, token=None):
    if sensor not in READINGS:
        sys.exit("no such sensor")
    needed = SLOW.get(sensor, [])
    known = needed.index(token) + 1 if token in needed else 0
    if known < len(needed):
        sys.exit(f"too many requests, retry with token {needed[known]}")
    return READINGS[sensor]


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
