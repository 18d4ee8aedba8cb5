def work(ctx):
    with_email = [customer for customer in ctx["customers"] if customer.get("email")]
    latest = {}
    for customer in with_email:
        email = customer["email"].strip().lower()
        other = latest.get(email)
        if other is None or customer["joined"] > other["joined"]:
            latest[email] = customer
    newest = sorted(latest.values(), key=lambda customer: (customer["joined"], customer["id"]))[-10:]
    return {
        "records": len(with_email),
        "people": len(latest),
        "merged": len(with_email) - len(latest),
        "newest": [{key: customer[key] for key in ("id", "name", "joined")} for customer in newest],
    }
