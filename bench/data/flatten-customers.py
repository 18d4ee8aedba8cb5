from collections import Counter


def flat(prefix, value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from flat(f"{prefix}.{key}" if prefix else key, item)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from flat(f"{prefix}.{i}", item)
    else:
        yield prefix, value


def work(ctx):
    rows = [dict(flat(None, customer)) for customer in ctx["customers"]]
    columns = Counter(key for row in rows for key in row)
    return {"columns": dict(sorted(columns.items())), "rows": rows[:20]}
