"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

TEAMS = {
    "night": [("Ivo", 3, False), ("Eda", 1, False), ("Bas", 0, True), ("Cas", 1, False)],
    "day": [("Lev", 2, False), ("Kai", 2, False), ("Mia", 5, False), ("Jun", 0, True)],
}
TICKETS = {
    "night": [(71, None), (64, "Ivo"), (69, None), (75, None), (68, None)],
    "day": [(9, None), (8, "Kai"), (12, None), (10, None)],
}


def agents(team):
    return [dict(zip(("name", "open", "away"), row)) for row in TEAMS[team]]


def tickets(team):
    return [dict(zip(("id", "agent"), row)) for row in TICKETS[team]]


def assign(ticket, agent):
    return True


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
