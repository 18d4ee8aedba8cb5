"""The tools of this mission: `tools.py NAME` answers one call.

It reads the arguments as one JSON object and prints the result as JSON. A call that fails ends with a
message and status 1.
"""

import json
import sys

DOCUMENTS = {
    "d1": ("Travel policy 2023", "2023-01-10", "final", "Owner: ines@example.org. Daily allowance 40 EUR."),
    "d2": ("Travel policy 2025 (draft)", "2025-02-01", "draft", "Owner: per@example.org. Daily allowance 55 EUR."),
    "d3": ("Travel policy 2024", "2024-01-08", "final", "Daily allowance 46 EUR. Owner: amal@example.org."),
    "d4": ("Travel photos", "2025-03-01", "final", "Owner: yuki@example.org. Not a policy."),
    "d5": ("Security policy", "2024-06-01", "final", "Owner: cho@example.org."),
    "d6": ("Security policy, annex", "2024-09-01", "withdrawn", "Owner: dov@example.org."),
    "d7": ("Old security policy", "2022-06-01", "final", "Owner: eve@example.org."),
    "d8": ("Gift policy", "2021-04-01", "final", "Owner: fay@example.org. At most 30 EUR."),
    "d9": ("Gift policy", "2021-05-01", "final", "Gifts up to 35 EUR. Owner: gus@example.org."),
}


def search(words):
    wanted = words.lower().split()
    found = [key for key, (title, *_) in DOCUMENTS.items() if all(it in title.lower() for it in wanted)]
    return [{"id": key, "title": DOCUMENTS[key][0]} for key in found]


def read(id):
    if id not in DOCUMENTS:
        sys.exit(f"no document {id}")
    return dict(zip(("title", "published", "status", "text"), DOCUMENTS[id]))


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
