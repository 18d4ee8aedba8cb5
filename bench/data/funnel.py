from collections import defaultdict

NONE = 9999999999


def first_at(events, kind):
    return min((event["at"] for event in events if event["kind"] == kind), default=NONE)


def work(ctx):
    users = defaultdict(list)
    for event in ctx["events"]:
        users[event["user"], event["device"]["os"]].append(event)
    rows = defaultdict(lambda: {"users": 0, "viewed": 0, "carted": 0, "bought": 0})
    for (user, os), events in users.items():
        view, cart, buy = (first_at(events, kind) for kind in ("view", "cart", "buy"))
        row = rows[os]
        row["users"] += 1
        row["viewed"] += view != NONE
        row["carted"] += view < cart and cart != NONE
        row["bought"] += view < cart < buy and buy != NONE
    return [{"os": os, **row} for os, row in sorted(rows.items())]
