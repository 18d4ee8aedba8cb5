from collections import Counter


def work(ctx):
    managers = {person["id"]: person["manager"] for person in ctx["employees"]}

    def bosses(id):
        chain = []
        boss = managers[id]
        while boss is not None:
            chain.append(boss)
            boss = managers[boss]
        return chain

    sizes = Counter(boss for person in ctx["employees"] for boss in bosses(person["id"]))
    names = {person["id"]: person["name"] for person in ctx["employees"]}
    largest = sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:10]
    return {
        "leaders": len(sizes),
        "deepest": max(len(bosses(person["id"])) for person in ctx["employees"]),
        "largest": [{"id": id, "name": names[id], "size": size} for id, size in largest],
    }
