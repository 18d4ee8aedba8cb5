"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

NOTES = {
    31: ("2025-01-09", "Roof\nDECISION: ask three firms\nTODO: call Per"),
    12: ("2025-02-06", "Roof, heating\nDECISION: firm Kolb repairs the roof\nDECISION: heating waits"),
    44: ("2024-12-05", "Garden\nNo decision about the roof"),
    27: ("2025-03-06", "Heating\n decision: none\nDECISION: new boiler in May"),
    50: ("2025-04-03", "Garden, roof\nDECISION: plant two trees\nTODO: roof is done"),
}


def find_notes(topic):
    return [key for key, (_, text) in NOTES.items() if topic in text.split("\n")[0].lower()]


def note(id):
    date, text = NOTES[id]
    return {"date": date, "text": text}


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
