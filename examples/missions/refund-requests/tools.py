"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

REQUESTS = {
    "monday": [("r1", 501), ("r2", 502), ("r3", 503), ("r4", 504), ("r5", 599)],
    "tuesday": [("r8", 505), ("r7", 501), ("r9", 506), ("r6", 507)],
}
ORDERS = {
    501: (2000, "2025-03-20", False), 502: (4500, "2025-02-10", False), 503: (9900, "2025-03-30", True),
    504: (15000, "2025-03-25", False), 505: (800, "2025-03-03", False), 506: (12000, "2025-03-31", False),
    507: (10000, "2025-03-25", False),
}


def refund_requests(day):
    return [{"id": id, "order": order} for id, order in REQUESTS[day]]


def order(id):
    if id not in ORDERS:
        sys.exit(f"no order {id}")
    return dict(zip(("cents", "delivered", "used"), ORDERS[id]))


def refund(request, cents):
    return True


def reject(request, reason):
    return True


def escalate(request):
    return True


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
