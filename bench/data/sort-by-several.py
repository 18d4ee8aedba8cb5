def work(ctx):
    people = sorted(
        ctx["employees"],
        key=lambda p: (p["department"], -p["salary"], p["hired"], p["name"], p["id"]),
    )
    keys = ("id", "name", "department", "salary")
    return [
        {**{key: person[key] for key in keys}, "place": place}
        for place, person in enumerate(people, start=1)
    ][::10]
