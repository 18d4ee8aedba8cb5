import re


def clean(text):
    text = re.sub(r"https?://\S+", "<link>", text)
    text = re.sub(r"@\w+", "<user>", text)
    text = re.sub(r"\d+€", "<amount>", text)
    text = re.sub(r"[!.,]\s*", " ", text)
    return re.sub(r"\s+", " ", text).strip()


def work(ctx):
    texts = [{"id": message["id"], "text": clean(message["text"])} for message in ctx["messages"]]
    by_length = sorted(texts, key=lambda row: (len(row["text"]), row["id"]))
    return {
        "characters": sum(len(row["text"]) for row in texts),
        "links": sum(1 for row in texts if "<link>" in row["text"]),
        "shortest": by_length[:5],
        "longest": by_length[-5:],
    }
