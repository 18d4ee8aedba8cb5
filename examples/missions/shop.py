"""The tools of the missions: `shop.py NAME` answers from data/shop.json.

A tool reads one JSON object on stdin and prints one JSON value on stdout. What it cannot answer ends
it with status 1 and a line on stderr.
"""

import json
import sys
from pathlib import Path

SHOP = json.loads(Path(__file__).with_name("data").joinpath("shop.json").read_text("utf-8"))


def rate(currency):
    return SHOP["rates"].get(currency) or refuse(f"no rate for {currency}")


def customer(email):
    return next((it for it in SHOP["customers"] if it["email"] == email), None)


def orders(customer_id):
    return [it for it in SHOP["orders"] if it["customer_id"] == customer_id]


def stock(product):
    if product not in SHOP["stock"]:
        refuse(f"no such product: {product}")
    return SHOP["stock"][product]


def refuse(message):
    print(message, file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    tools = {it.__name__: it for it in (rate, customer, orders, stock)}
    json.dump(tools[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
