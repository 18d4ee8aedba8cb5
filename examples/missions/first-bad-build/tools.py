"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

FIRST_BAD = {"main": 137, "beta": 12, "lts": 498}


def passes(branch, build):
    return build < FIRST_BAD[branch]


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
