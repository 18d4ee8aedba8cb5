"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

ORDERS = {
    "north": [
        ("N100", "open", 970), ("N101", "open", 1575), ("N102", "cancelled", 685),
        ("N103", "open", 1860), ("N104", "cancelled", 1040), ("N105", "open", 1650),
        ("N106", "cancelled", 1920), ("N107", "open", 430), ("N108", "paid", 100),
        ("N109", "cancelled", 1545), ("N110", "cancelled", 1035), ("N111", "open", 960),
        ("N112", "open", 370), ("N113", "open", 685), ("N114", "paid", 1100),
        ("N115", "paid", 1390), ("N116", "open", 885),
    ],
    "south": [
        ("S100", "paid", 985), ("S101", "open", 1825), ("S102", "open", 375),
        ("S103", "open", 1050), ("S104", "cancelled", 1270), ("S105", "cancelled", 1290),
        ("S106", "cancelled", 250), ("S107", "open", 1965), ("S108", "paid", 1355),
    ],
    "west": [
        ("W100", "paid", 1790), ("W101", "cancelled", 660), ("W102", "open", 310),
        ("W103", "cancelled", 655), ("W104", "open", 1490),
    ],
}


def list_orders(region, cursor=None):
    if region not in ORDERS:
        sys.exit(f"no such region: {region}")
    start = int(cursor[1:]) if cursor else 0
    rows = [dict(zip(("id", "state", "amount"), row)) for row in ORDERS[region][start : start + 5]]
    more = start + 5 < len(ORDERS[region])
    return {"orders": rows, "next_cursor": f"c{start + 5}" if more else None}


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
