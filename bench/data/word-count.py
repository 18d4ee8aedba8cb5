import re
from collections import Counter


def work(ctx):
    counts = Counter()
    for message in ctx["messages"]:
        counts.update(re.findall(r"[^\W\d_]+", message["text"].lower()))
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"word": word, "count": n} for word, n in rows[:30]]
