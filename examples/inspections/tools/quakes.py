"""Search the week's seismic events.

Arguments, all optional: place (whole words of the place text, in any case), type, net,
min_mag, max_mag, limit (1 to 200, 50 if not given).

Result: {"total": how many events match, "events": the first `limit` of them}, strongest first,
equal magnitudes by id. Values are the feed's own; what the feed leaves empty is null here too.
An event without a magnitude comes last, and never matches min_mag or max_mag.
"""

import sys

sys.dont_write_bytecode = True

import json
import re
from pathlib import Path

from arguments import answer, number, read_arguments, refuse, text, whole

EVENTS = Path(__file__).resolve().parents[2] / "data" / "earthquakes.json"
COPIED = ("id", "mag", "magType", "place", "time", "felt", "gap", "net", "status", "type")


def load_events():
    try:
        return json.loads(EVENTS.read_bytes().decode("utf-8"))["events"]
    except (OSError, ValueError, KeyError) as error:
        refuse(f"cannot read {EVENTS.name}: {error}", status=1)


def place_pattern(place):
    """Whole words only: "CA" finds ", CA" and not "Canada"."""
    words = r"\s+".join(re.escape(word) for word in place.split())
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def in_range(mag, low, high):
    if low is None and high is None:
        return True
    if mag is None:
        return False
    return (low is None or mag >= low) and (high is None or mag <= high)


def strongest_first(event):
    mag = event["mag"]
    return (mag is None, 0 if mag is None else -mag, event["id"])


def result_row(event):
    longitude, latitude, depth = event["coordinates"]
    row = {key: event[key] for key in COPIED}
    row.update(latitude=latitude, longitude=longitude, depth_km=depth)
    return row


def main():
    arguments = read_arguments(["place", "type", "net", "min_mag", "max_mag", "limit"])
    place = text(arguments, "place")
    kind = text(arguments, "type")
    net = text(arguments, "net")
    low = number(arguments, "min_mag", -10, 10)
    high = number(arguments, "max_mag", -10, 10)
    limit = whole(arguments, "limit", 1, 200, default=50)

    pattern = place_pattern(place) if place else None
    found = [
        event
        for event in load_events()
        if (pattern is None or pattern.search(event["place"] or ""))
        and (kind is None or event["type"] == kind)
        and (net is None or event["net"] == net)
        and in_range(event["mag"], low, high)
    ]
    found.sort(key=strongest_first)
    answer({"total": len(found), "events": [result_row(event) for event in found[:limit]]})


if __name__ == "__main__":
    main()
