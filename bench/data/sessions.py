from collections import defaultdict


def sessions(events):
    done = []
    for event in sorted(events, key=lambda event: event["at"]):
        if done and event["at"] - done[-1][-1]["at"] <= 1800:
            done[-1].append(event)
        else:
            done.append([event])
    return done


def work(ctx):
    users = defaultdict(list)
    for event in ctx["events"]:
        users[event["user"]].append(event)
    found = [session for events in users.values() for session in sessions(events)]
    return {
        "sessions": len(found),
        "events_per_session": len(ctx["events"]) / len(found),
        "longest": max(session[-1]["at"] - session[0]["at"] for session in found),
        "single": sum(1 for session in found if len(session) == 1),
        "with_purchase": sum(1 for session in found if any(event["kind"] == "buy" for event in session)),
    }
