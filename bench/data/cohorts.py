from collections import Counter, defaultdict


def month_number(day):
    return 12 * int(day[:4]) + int(day[5:7])


def quarter(day):
    return f"{day[:4]}-Q{(int(day[5:7]) - 1) // 3 + 1}"


def work(ctx):
    joined = {customer["id"]: customer["joined"] for customer in ctx["customers"]}
    cohorts = defaultdict(Counter)
    for order in ctx["orders"]:
        start, day = joined[order["customer_id"]], order["placed_at"][:10]
        if day >= start:
            cohorts[quarter(start)][(month_number(day) - month_number(start)) // 6] += 1
    return {
        cohort: [n for _, n in sorted(counts.items())] for cohort, counts in sorted(cohorts.items())
    }
