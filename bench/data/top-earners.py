from collections import defaultdict


def work(ctx):
    departments = defaultdict(list)
    for person in ctx["employees"]:
        if not person.get("left"):
            departments[person["department"]].append(person)
    rows = []
    for department, people in sorted(departments.items()):
        people.sort(key=lambda person: (-person["salary"], person["id"]))
        for rank, person in enumerate(people[:3], start=1):
            rows.append(
                {
                    "department": department,
                    "rank": rank,
                    "name": person["name"],
                    "salary": person["salary"],
                }
            )
    return rows
