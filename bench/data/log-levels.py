import re
from collections import Counter, defaultdict

LINE = re.compile(r"^(\S+ \S+) (\w+)\s+\[([^\]]+)\] (.*)$")
TOOK = re.compile(r"took (\d+) ms")


def parse_line(record):
    match = LINE.match(record["line"])
    if not match:
        return None
    at, level, service, message = match.groups()
    took = TOOK.search(message)
    return {
        "host": record["host"],
        "level": level,
        "service": service,
        "ms": int(took.group(1)) if took else None,
    }


def work(ctx):
    groups = defaultdict(list)
    for record in ctx["logs"]:
        if entry := parse_line(record):
            groups[entry["service"]].append(entry)
    return [
        {
            "service": service,
            "lines": len(entries),
            "levels": dict(Counter(entry["level"] for entry in entries)),
            "slowest": max((entry["ms"] for entry in entries if entry["ms"] is not None), default=0),
        }
        for service, entries in sorted(groups.items())
    ]
