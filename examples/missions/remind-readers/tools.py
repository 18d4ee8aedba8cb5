"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

LOANS = {
    "centre": [
        (11, "Dune", "2025-05-01", False), (12, "Solaris", "2025-05-19", False),
        (11, "Momo", "2025-05-20", False), (14, "Emma", "2025-04-20", True),
        (15, "Ulysses", "2025-05-25", False), (16, "Walden", "2025-05-13", True),
    ],
    "harbour": [
        (31, "Beloved", "2025-05-10", False), (32, "Persuasion", "2025-05-12", True),
        (33, "Kim", "2025-05-06", True), (31, "Jazz", "2025-05-09", False),
    ],
}
WITHOUT_EMAIL = [14, 33]


def loans(branch):
    return [dict(zip(("reader", "book", "due", "extended"), row)) for row in LOANS[branch]]


def remind(reader, book, days_late):
    if reader in WITHOUT_EMAIL:
        sys.exit("this reader has no e-mail address")
    return True


def letter(reader, book):
    return True


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
