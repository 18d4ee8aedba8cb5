from collections import defaultdict
from datetime import date


def work(ctx):
    groups = defaultdict(list)
    for person in ctx["employees"]:
        hired = date.fromisoformat(person["hired"])
        left = date.fromisoformat(person.get("left") or "2024-12-31")
        days = (left - hired).days
        if days > 0:
            groups[person["department"], hired.year].append((days, "left" in person))
    return [
        {
            "department": department,
            "year": year,
            "people": len(rows),
            "left": sum(gone for _, gone in rows),
            "mean_days": sum(days for days, _ in rows) / len(rows),
        }
        for (department, year), rows in sorted(groups.items())
    ]
