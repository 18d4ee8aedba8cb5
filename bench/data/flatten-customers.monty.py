from collections import Counter


def flat(prefix, value):
    if isinstance(value, dict):
        found = []
        for key, item in value.items():
            found.extend(flat(f"{prefix}.{key}" if prefix else key, item))
        return found
    if isinstance(value, list):
        found = []
        for i, item in enumerate(value):
            found.extend(flat(f"{prefix}.{i}", item))
        return found
    return [(prefix, value)]


def work(ctx):
    rows = [dict(flat(None, customer)) for customer in ctx["customers"]]
    columns = Counter(key for row in rows for key in row)
    return {"columns": dict(sorted(columns.items())), "rows": rows[:20]}
