"""The worker of CPython: answers requests of the runner, one line of JSON each."""

import gc
import json
import sys
import time

sets = {}


def read(path):
    if path not in sets:
        with open(path, encoding="utf-8") as file:
            sets[path] = json.load(file)
    return sets[path]


def compiled(source):
    names = {}
    exec(compile(source, "program.py", "exec"), names)
    return names["work"]


def repeat(action, times):
    start = time.process_time()
    for _ in range(times):
        result = action()
    return {"seconds": (time.process_time() - start) / times}


def main():
    source = work = ctx = text = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "program" in request:
                with open(request["program"], encoding="utf-8") as file:
                    source = file.read()
                work = compiled(source)
                ctx = {name: read(path) for name, path in request["ctx"].items()}
                # The collector need not visit the records again at every collection.
                gc.collect()
                gc.freeze()
                answer = {"result": work(ctx)}
            elif "json" in request:
                with open(request["json"], encoding="utf-8") as file:
                    text = file.read()
                ctx = json.loads(text)
                gc.collect()
                gc.freeze()
                answer = {"result": ctx}
            elif request["time"] == "run":
                answer = repeat(lambda: work(ctx), request["times"])
            elif request["time"] == "ready":
                answer = repeat(lambda: compiled(source), request["times"])
            elif request["time"] == "json in":
                answer = repeat(lambda: json.loads(text), request["times"])
            else:
                answer = repeat(lambda: json.dumps(ctx, ensure_ascii=False), request["times"])
        except Exception as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer), flush=True)


main()
