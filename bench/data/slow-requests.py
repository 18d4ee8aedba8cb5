import re
from collections import defaultdict

REQUEST = re.compile(r"(GET|POST) (\S+) took (\d+) ms status=(\d+)")


def work(ctx):
    groups = defaultdict(list)
    for record in ctx["logs"]:
        match = REQUEST.search(record["line"])
        if not match:
            continue
        method, path, ms, status = match.groups()
        if int(ms) > 500:
            groups[method, re.sub(r"/\d+$", "/:id", path), int(status)].append(int(ms))
    return [
        {
            "method": method,
            "path": path,
            "status": status,
            "count": len(times),
            "mean": sum(times) / len(times),
            "max": max(times),
        }
        for (method, path, status), times in sorted(groups.items())
    ]
