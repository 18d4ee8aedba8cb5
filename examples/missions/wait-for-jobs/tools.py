"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

# The poll at which a job ends, and its result.
JOBS = {
    "j1": (3, "done", 420), "j2": (1, "done", 77), "j3": (5, "failed", None), "j4": (99, "done", 1),
    "j5": (8, "done", 58),
}


def job(id, poll):
    ends, state, rows = JOBS[id]
    if poll < ends:
        return {"state": "running", "rows": None}
    return {"state": state, "rows": rows}


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
