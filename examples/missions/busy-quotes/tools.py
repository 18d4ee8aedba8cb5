"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

# The price, and the number of attempts that are turned away.
OFFERS = {
    "A4": (1210, 0), "B7": (990, 2), "C1": (870, 9), "D3": (1045, 1), "E5": (980, 4), "F9": (1500, 0),
    "G2": (940, 5), "H8": (945, 3),
}


def quote(sku, attempt):
    price, busy = OFFERS[sku]
    if attempt > 5:
        sys.exit("at most 5 attempts are allowed")
    if attempt <= busy:
        sys.exit(f"busy: call again with attempt {attempt + 1}")
    return price


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
