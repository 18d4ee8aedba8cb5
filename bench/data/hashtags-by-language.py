import re
from collections import Counter, defaultdict


def work(ctx):
    counts = defaultdict(Counter)
    for message in ctx["messages"]:
        for tag in re.findall(r"#\w+", message["text"]):
            counts[message["lang"]][tag.lower()] += 1
    result = {}
    for lang, tags in sorted(counts.items()):
        top = sorted(tags.items(), key=lambda item: (-item[1], item[0]))[:5]
        result[lang] = [{"tag": tag, "count": n} for tag, n in top]
    return result
