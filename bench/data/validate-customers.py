import re
from collections import Counter


def find_errors(customer):
    errors = []
    email, age, address = customer.get("email"), customer.get("age"), customer.get("address")
    if not customer.get("name", "").strip():
        errors.append("name missing")
    if email is None:
        errors.append("email missing")
    elif not re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-zA-Z]+", email):
        errors.append("email invalid")
    if age is not None and not 18 <= age <= 120:
        errors.append("age out of range")
    if not customer["phones"]:
        errors.append("no phone")
    if address is None:
        errors.append("no address")
    elif not re.fullmatch(r"\d{5}", address["zip"]):
        errors.append("zip invalid")
    if not all(phone.get("kind") for phone in customer["phones"]):
        errors.append("phone without kind")
    return errors


def work(ctx):
    checked = [{**customer, "errors": find_errors(customer)} for customer in ctx["customers"]]
    invalid = [customer for customer in checked if customer["errors"]]
    worst = sorted(invalid, key=lambda customer: (-len(customer["errors"]), customer["id"]))[:20]
    return {
        "valid": len(checked) - len(invalid),
        "invalid": len(invalid),
        "errors": dict(Counter(error for customer in invalid for error in customer["errors"])),
        "worst": [{"id": customer["id"], "errors": customer["errors"]} for customer in worst],
    }
