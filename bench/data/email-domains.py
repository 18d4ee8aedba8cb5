from collections import defaultdict


def domain(email):
    parts = email.strip().lower().split("@")
    return parts[1] if len(parts) > 1 else None


def work(ctx):
    groups = defaultdict(list)
    for customer in ctx["customers"]:
        if email := customer.get("email"):
            if name := domain(email):
                groups[name].append(customer["country"])
    rows = [
        {
            "domain": name,
            "customers": len(countries),
            "countries": " ".join(sorted(set(countries))),
        }
        for name, countries in groups.items()
    ]
    return sorted(rows, key=lambda row: row["customers"], reverse=True)
