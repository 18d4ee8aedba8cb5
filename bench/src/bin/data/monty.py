"""The worker of Monty: a session of `pydantic_monty` for each program. It answers requests of the runner, one line of
JSON each."""

import json
import os
import sys
import time

import pydantic_monty

LIMITS = {"max_memory": 512 << 20, "max_feed_duration_secs": 120}

sets = {}


def read(path):
    if path not in sets:
        with open(path, encoding="utf-8") as file:
            sets[path] = json.load(file)
    return sets[path]


def processor_time():
    """Returns the time that processors have spent on the process of Monty, a child of this one."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="utf-8") as file:
        child = int(file.read().split()[0])
    # The clock of another process: see `clock_getcpuclockid`.
    return time.clock_gettime((~child << 3) | 2)


def main():
    source = session = None
    with pydantic_monty.Monty(max_processes=1) as pool:
        for line in sys.stdin:
            request = json.loads(line)
            try:
                if "program" in request or "json" in request:
                    if session:
                        session.__exit__(None, None, None)
                    session = pool.checkout(limits=LIMITS).__enter__()
                if "program" in request:
                    with open(request["program"], encoding="utf-8") as file:
                        source = file.read()
                    ctx = {name: read(path) for name, path in request["ctx"].items()}
                    session.feed_run(source)
                    answer = {"result": session.feed_run("work(ctx)", inputs={"ctx": ctx})}
                elif "json" in request:
                    with open(request["json"], encoding="utf-8") as file:
                        text = file.read()
                    code = "import json\nvalue = json.loads(text)\nvalue"
                    answer = {"result": session.feed_run(code, inputs={"text": text})}
                else:
                    times = request["times"]
                    code = {
                        "run": "result = work(ctx)",
                        "json in": "result = json.loads(text)",
                        "json out": "result = json.dumps(value, ensure_ascii=False)",
                    }.get(request["time"])
                    start = processor_time()
                    if code:
                        # One feed, so that the way to its process counts once.
                        session.feed_run(f"for turn in range({times}):\n    {code}\nNone")
                    else:
                        for _ in range(times):
                            session.feed_run(source)
                    answer = {"seconds": (processor_time() - start) / times}
            except Exception as error:
                answer = {"error": repr(error)}
            print(json.dumps(answer), flush=True)


main()
