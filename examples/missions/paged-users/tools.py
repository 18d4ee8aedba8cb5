"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

USERS = {
    "acme": [
        ("zoe", "2025-03-01"), ("adam", "2024-11-30"), ("kim", None), ("bea", "2025-01-01"),
        ("raj", "2024-02-29"), ("lou", "2025-02-27"), ("tam", "2024-12-31"),
    ],
    "birch": [("eli", "2025-01-15"), ("ann", None), ("gus", "2023-06-01")],
    "cobalt": [
        ("hal", "2024-12-01"), ("ida", "2025-01-02"), ("jon", "2025-01-01"), ("ben", "2024-01-01"),
    ],
}


def list_users(company, page):
    users = USERS[company]
    pages = (len(users) + 2) // 3
    if not 1 <= page <= pages:
        sys.exit(f"page {page} is not between 1 and {pages}")
    rows = users[3 * (page - 1) : 3 * page]
    return {
        "users": [{"name": name, "last_login": last_login} for name, last_login in rows],
        "page": page,
        "pages": pages,
    }


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
