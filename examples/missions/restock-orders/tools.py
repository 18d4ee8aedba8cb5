"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

STOCK = {
    "oslo": [
        ("S-4", "Kolb", 2, 10), ("S-1", "Kolb", 0, 6), ("S-7", "Ferro", 9, 9), ("S-2", "Ferro", 5, 12),
        ("S-9", "Vitra", 30, 20), ("S-3", "Kolb", 8, 8),
    ],
    "riga": [("T-5", "Vitra", 1, 4), ("T-1", "Ferro", 0, 15), ("T-8", "Vitra", 2, 2), ("T-6", "Vitra", 0, 1)],
}


def stock(warehouse):
    return [dict(zip(("sku", "supplier", "stock", "target"), row)) for row in STOCK[warehouse]]


def create_order(supplier, lines):
    if not lines:
        sys.exit("an order needs a line")
    return f"PO-{supplier}-{sum(it['quantity'] for it in lines)}"


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
