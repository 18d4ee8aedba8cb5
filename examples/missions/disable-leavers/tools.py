"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

EMPLOYEES = [
    ("ana@corp.example", None), ("bo@corp.example", "2025-02-28"), ("cy@corp.example", "2025-12-31"),
    ("dee@corp.example", None), ("eli@corp.example", "2024-07-15"),
]
ACCOUNTS = {
    "wiki": [
        ("w1", "Ana@corp.example", "active", "person"), ("w2", "bo@CORP.example", "active", "person"),
        ("w3", "eli@corp.example", "disabled", "person"), ("w4", "eli@corp.example", "active", "service"),
        ("w5", "zed@corp.example", "active", "person"), ("w0", "Yan@corp.example", "active", "person"),
        ("w6", "cy@corp.example", "active", "person"),
    ],
    "shop": [
        ("s8", "ELI@corp.example", "active", "person"), ("s2", "dee@corp.example", "active", "person"),
        ("s5", "bo@corp.example", "active", "person"), ("s7", "bo@corp.example", "active", "service"),
        ("s1", "cy@corp.example", "active", "person"), ("s3", "eli@corp.example", "active", "person"),
    ],
}


def employees():
    return [{"email": email, "left": left} for email, left in EMPLOYEES]


def accounts(system):
    return [dict(zip(("id", "owner", "state", "kind"), row)) for row in ACCOUNTS[system]]


def disable(account):
    return True


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
