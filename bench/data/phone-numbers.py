import re
from collections import Counter, defaultdict


def normalise(number):
    digits = re.sub(r"[^\d+]", "", number)
    if digits.startswith("+"):
        return digits[1:]
    if digits.startswith("00"):
        return digits[2:]
    return "49" + digits


def work(ctx):
    phones = [
        {"customer": customer["id"], "kind": phone["kind"], "number": normalise(phone["number"])}
        for customer in ctx["customers"]
        for phone in customer["phones"]
    ]
    by_number = defaultdict(list)
    for phone in phones:
        by_number[phone["number"]].append(phone["customer"])
    return {
        "phones": len(phones),
        "kinds": dict(Counter(phone["kind"] for phone in phones)),
        "by-prefix": dict(Counter(phone["number"][:3] for phone in phones)),
        "shared": [
            {"number": number, "customers": sorted(customers)}
            for number, customers in sorted(by_number.items())
            if len(set(customers)) > 1
        ],
    }
