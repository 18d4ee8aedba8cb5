"""Tries the missions of `ptc try` with a model that answers with Python programs, for a comparison.

    python3 bench/python_code_mode.py MODEL OUT.jsonl [--base-url URL] [--turns N] [--only NAME]

MODEL is a name of a server that speaks the OpenAI API; OPENAI_API_KEY has the key. Each line of OUT.jsonl is an attempt as
`ptc try --out` writes it, so `ptc try --beside OUT.jsonl` shows both. Only missions with tools are tried, with their first case,
and a second start makes only those that are missing.

The programs of the model run in a Python process without a sandbox. Use a machine that may break.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request

MISSIONS = pathlib.Path(__file__).parent.parent / "examples" / "missions"
WORDS = {
    "int": "int", "float": "float", "string": "str", "bool": "bool", "any": "Any", "map": "dict", "keyword": "str",
    "datetime": "str",
}


class Types:
    """Reads the types of a signature, and writes them as Python does."""

    def __init__(self, text):
        self.tokens = re.findall(r"->|\.\.\.|:?[\w.-]+|[^\s,]", text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def type(self):
        token = self.take()
        if token == "[":
            shown = f"list[{self.type()}]"
            self.take()
        elif token == "{":
            shown = "{" + ", ".join(f'"{name}": {type}' for name, type in self.fields("}")) + "}"
        else:
            shown = WORDS.get(token.strip(":"), "str")
        while self.peek() in ("[", "?", "|"):
            mark = self.take()
            if mark == "[":  # the bounds of a number or of a length
                while self.take() != "]":
                    pass
            else:
                shown += " | None" if mark == "?" else f" | {self.type()}"
        return shown

    def fields(self, end):
        fields = []
        while self.peek() != end:
            name = self.take()
            optional = self.peek() == "?" and self.take()
            fields.append((name, self.type() + (" | None" if optional else "")))
        self.take()
        return fields

    def signature(self):
        params = []
        if self.peek() == "(":
            self.take()
            params = self.fields(")")
        if self.peek() == "->":
            self.take()
        return params, self.type()


def filled(prompt, data):
    def value(match):
        found = data
        for step in match[1].strip().split("."):
            found = found[int(step)] if isinstance(found, list) else found[step]
        return found if isinstance(found, str) else json.dumps(found)

    return re.sub(r"\{\{(.*?)\}\}", value, prompt)


def variable(agent, name):
    """Returns the name of the variable of a key. A function of the same name would hide it."""
    return f"{name}_data" if any(tool["name"] == name for tool in agent["tools"]) else name


def sample(value):
    return f"{json.dumps(value[:1], ensure_ascii=False)[:-1]}, ...] ({len(value)} items)" if (
        isinstance(value, list) and len(value) > 1
    ) else json.dumps(value, ensure_ascii=False)[:500]


def prompt(agent, data):
    params, output = Types(agent["signature"]).signature()
    lines = [
        "You accomplish the mission below by writing programs in Python 3, with its standard library. Variables stay for later "
        "programs. You are shown what a program prints.",
        "",
        "# Variables",
        "",
    ]
    lines += [f"- `{variable(agent, name)}: {type}` = {sample(data[name])}" for name, type in params if name in data]
    lines += ["", "# Functions", ""]
    for tool in agent["tools"]:
        args, result = Types(tool["signature"]).signature()
        args = ", ".join(f"{name}: {type}" + (" = None" if type.endswith("| None") else "") for name, type in args)
        lines.append(f"- `{tool['name']}({args}) -> {result}`: {tool.get('description', '')}")
    lines += [
        "- `final_answer(result)` ends the mission with its result",
        "",
        "A function that fails raises `ToolError`.",
        "",
        "# Output Format",
        "",
        "One ```python block, and no text outside of it.",
        "",
        "# Mission",
        "",
        filled(agent["prompt"], data),
        "",
        f"Return format: {output}",
    ]
    return "\n".join(lines)


SESSION = '''
import contextlib, io, json, os, sys, traceback
_pipe = os.fdopen(os.dup(1), "w")
class ToolError(Exception): pass
class _Done(BaseException): pass
def _ask(message):
    _pipe.write(json.dumps(message) + "\\n"); _pipe.flush()
    return json.loads(sys.stdin.readline())
def _tool(name, params):
    def call(*args, **named):
        answer = _ask({"tool": name, "args": {**dict(zip(params, args)), **named}})
        if "error" in answer: raise ToolError(answer["error"])
        return answer["result"]
    return call
def final_answer(result):
    _ask({"answer": json.loads(json.dumps(result, default=list))})
    raise _Done
_space = {"ToolError": ToolError, "final_answer": final_answer}
_setup = json.loads(sys.stdin.readline())
_space.update(_setup["data"])
_space.update({name: _tool(name, params) for name, params in _setup["tools"].items()})
while True:
    _source = json.loads(sys.stdin.readline())
    _out = io.StringIO()
    try:
        with contextlib.redirect_stdout(_out): exec(compile(_source, "program", "exec"), _space)
    except _Done: break
    except BaseException: _out.write(traceback.format_exc(limit=-2))
    _pipe.write(json.dumps({"printed": _out.getvalue()[:4000]}) + "\\n"); _pipe.flush()
'''


def given(args):
    return {name: value for name, value in args.items() if value is not None}


def answer(tool, args, folder):
    """Calls a tool of a mission: a command, or a table of results."""
    if "command" in tool:
        ran = subprocess.run(tool["command"], input=json.dumps(given(args)), capture_output=True, text=True, cwd=folder)
        return {"result": json.loads(ran.stdout)} if ran.returncode == 0 else {"error": ran.stderr.strip()}
    for case in tool.get("cases", []):
        if given(case["args"]) == given(args):
            return {"error": case["error"]} if "error" in case else {"result": case["returns"]}
    return {"error": tool["error"]} if "error" in tool else {"result": tool.get("returns")}


def near(a, b, tolerance):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(near(a[key], b[key], tolerance) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(near(x, y, tolerance) for x, y in zip(a, b))
    numbers = all(isinstance(it, (int, float)) and not isinstance(it, bool) for it in (a, b))
    return abs(a - b) <= tolerance if numbers else type(a) is type(b) and a == b


def is_right(cases, case, value, writes):
    if "check" in cases:
        ctx = json.dumps({"value": value, "expected": case["expected"], "input": case["input"]})
        ran = subprocess.run(["ptc", "eval", "-e", cases["check"], "--ctx", ctx], capture_output=True, text=True)
        same = ran.stdout.strip() == "true"
    else:
        same = near(value, case["expected"], cases.get("tolerance", 0))
    left = [(call["tool"], given(call["args"])) for call in case.get("calls", [])]
    for call in writes:
        if call not in left:
            return False
        left.remove(call)
    return same and not left


def complete(options, messages):
    body = json.dumps({"model": options.model, "messages": messages}).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}"}
    request = urllib.request.Request(f"{options.base_url}/chat/completions", body, headers)
    with urllib.request.urlopen(request, timeout=options.wait) as reply:
        found = json.load(reply)
    return found["choices"][0]["message"]["content"], found.get("usage", {})


def attempt(options, name):
    folder = MISSIONS / name
    agent = tomllib.loads((folder / "agent.toml").read_text())
    cases = json.loads((folder / "cases.json").read_text())
    case, tools = cases["cases"][0], {tool["name"]: tool for tool in agent["tools"]}
    messages = [{"role": "system", "content": prompt(agent, case["input"])}]
    messages.append({"role": "user", "content": "Write the first program."})
    row = {
        "model": f"openai:{options.model}", "variant": "python", "mission": name, "case": 1, "repeat": 1,
        "held_out": cases.get("held_out", False), "right": False, "status": "stopped", "stop": "turns", "run": "", "turns": 0,
        "tool_calls": 0, "requests": 0, "prompt_tokens": 0, "input_tokens": 0, "output_tokens": 0, "cost": None, "seconds": 0.0,
        "problems": [], "fingerprint": "python",
    }
    began, writes = time.monotonic(), []
    with tempfile.TemporaryDirectory() as scratch:
        session = subprocess.Popen(
            [sys.executable, "-I", "-c", SESSION], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=scratch
        )

        def tell(message):
            session.stdin.write(json.dumps(message) + "\n")
            session.stdin.flush()

        params = {it: [param for param, _ in Types(tools[it]["signature"]).signature()[0]] for it in tools}
        tell({"data": {variable(agent, name): value for name, value in case["input"].items()}, "tools": params})
        while row["turns"] < options.turns and row["stop"]:
            text, usage = complete(options, messages)
            row["turns"] += 1
            row["requests"] += 1
            row["input_tokens"] += usage.get("prompt_tokens", 0)
            row["output_tokens"] += usage.get("completion_tokens", 0)
            row["prompt_tokens"] = row["prompt_tokens"] or usage.get("prompt_tokens", 0)
            messages.append({"role": "assistant", "content": text})
            block = re.search(r"```(?:python|py)?\n(.*?)```", text, re.S)
            if not block:
                row["problems"].append("no-program")
                messages.append({"role": "user", "content": "The reply has no ```python block."})
                continue
            tell(block[1])
            while line := session.stdout.readline():
                message = json.loads(line)
                if "tool" in message:
                    row["tool_calls"] += 1
                    tool = tools[message["tool"]]
                    result = answer(tool, message["args"], folder)
                    if tool.get("effect") != "read" and "error" not in result:
                        writes.append((tool["name"], given(message["args"])))
                    tell(result)
                elif "answer" in message:
                    row["right"] = is_right(cases, case, message["answer"], writes)
                    row["problems"] += [] if row["right"] else ["wrong-answer"]
                    row["status"], row["stop"] = "returned", None
                    tell({})
                    break
                else:
                    row["problems"].append("error" if "Traceback" in message["printed"] else "value")
                    messages.append({"role": "user", "content": f"It printed:\n{message['printed']}\nWrite the next program."})
                    break
            else:
                row["problems"].append("ended")
                break
        session.kill()
        session.wait()
    row["seconds"] = time.monotonic() - began
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--base-url", default="https://api.openai.com/v1")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--wait", type=float, default=120)
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    made = {json.loads(line)["mission"] for line in out.read_text().splitlines()} if out.exists() else set()
    names = [path.parent.name for path in sorted(MISSIONS.glob("*/agent.toml")) if "[[tools]]" in path.read_text()]
    names = [name for name in names if name not in made and name in (options.only or names)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, out.open("a") as file:
        for row in pool.map(lambda name: attempt(options, name), names):
            print(json.dumps(row), file=file, flush=True)
            print("right" if row["right"] else "WRONG", row["mission"], row["turns"], row["problems"])


if __name__ == "__main__":
    main()
