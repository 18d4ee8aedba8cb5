from collections import Counter


def work(ctx):
    placed = {}
    for message in sorted(ctx["messages"], key=lambda message: message["id"]):
        parent = placed.get(message.get("reply_to"))
        if parent:
            placed[message["id"]] = {"root": parent["root"], "depth": parent["depth"] + 1}
        else:
            placed[message["id"]] = {"root": message["id"], "depth": 0}
    sizes = Counter(place["root"] for place in placed.values())
    depths = Counter(place["depth"] for place in placed.values())
    largest = sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:10]
    return {
        "threads": len(sizes),
        "deepest": max(depths),
        "depths": dict(sorted(depths.items())),
        "largest": largest,
    }
