from collections import Counter


def parse_page(page):
    path, _, query = page.partition("?")
    return {
        "path": path.split("/")[1] or "home",
        "query": dict(pair.split("=") for pair in query.split("&")) if query else {},
    }


def work(ctx):
    pages = [parse_page(event["page"]) for event in ctx["events"]]
    numbers = Counter(int(page["query"]["page"]) for page in pages if "page" in page["query"])
    return {
        "paths": dict(Counter(page["path"] for page in pages)),
        "queries": dict(Counter(page["query"]["q"] for page in pages if "q" in page["query"])),
        "refs": sum(1 for page in pages if page["query"].get("ref") == "mail"),
        "pages": sorted(numbers.items()),
    }
