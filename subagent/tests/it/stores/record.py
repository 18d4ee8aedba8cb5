#!/usr/bin/env python3
"""Records the runs of `agents/` with one version of `ptc`, as SQL text and, from store version 4 on, some
as exports.

    record.py PTC VERSION      writes runs-VERSION.sql and runs-VERSION-AGENT.jsonl beside this file

PTC is a binary that was built from a commit that had that store version. What a version could not do is left out.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PTC, VERSION = os.path.abspath(sys.argv[1]), int(sys.argv[2])
# The first store version that could do it, the agent, and its input. A text is no number before version 2.
RUNS = [
    (1, "orders", '{"region": "north", "least": 3.5}'),
    (2, "orders", '{"region": "north", "least": "9.5"}'),
    (1, "fails", None),
    (1, "turns", None),
    (1, "fuel", '{"n": 100000}'),
    (1, "silent", None),
    (1, "slips", '{"a": 41}'),
    (3, "family", '{"words": ["beech", "oak", "poplar", "oak"]}'),
    (5, "dice", None),
]
# What a process had when it was killed, or was told to end.
# Runs that are exported too.
EXPORTED = ["orders", "fails", "fuel", "slips", "family", "dice", "again"]
ENDS = [(1, "waits", signal.SIGINT), (1, "waits", signal.SIGKILL), (4, "again", signal.SIGKILL)]


def main():
    with tempfile.TemporaryDirectory() as folder:
        agents = os.path.join(folder, "agents")
        shutil.copytree(os.path.join(HERE, "agents"), agents)
        store = os.path.join(folder, "runs.sqlite")
        env = {"PATH": os.environ["PATH"], "PTC_STORE": store, "TZ": "UTC"}

        def ptc(*args):
            return subprocess.Popen([PTC, *args], cwd=agents, env=env, stdin=subprocess.DEVNULL)

        for since, agent, given in RUNS:
            if since <= VERSION:
                ptc("run", agent + ".toml", *(["--input", given] if given else [])).wait()
        pipes = [os.path.join(agents, name) for name in ("called", "let-go")]
        for since, agent, end in ENDS:
            if since <= VERSION:
                for pipe in pipes:
                    os.mkfifo(pipe)
                child = ptc("run", agent + ".toml")
                open(pipes[0]).read()
                child.send_signal(end)
                child.wait()
                # A tool that outlived its process ends now.
                os.close(os.open(pipes[1], os.O_RDWR))
                for pipe in pipes:
                    os.remove(pipe)
        if VERSION >= 4:
            ids = [run for (run,) in sqlite3.connect(store).execute("SELECT id FROM runs ORDER BY id")]
            ptc("replay", ids[0], "--from", "2", "--model", "recorded:orders-again.jsonl").wait()
            for agent in EXPORTED:
                sql = "SELECT id FROM runs WHERE agent = ? AND parent IS NULL ORDER BY id LIMIT 1"
                run = sqlite3.connect(store).execute(sql, [agent]).fetchone()
                if run:
                    # The export names the agent's file from where it is.
                    out = os.path.join(folder, f"runs-{VERSION}-{agent}.jsonl")
                    ptc("export", run[0], "--out", out).wait()
                    shutil.copy(out, HERE)
        db = sqlite3.connect(store)
        place(db, agents)
        write("sql", dump(db))


def place(db, agents):
    """Takes out what only this machine has: the folder, and the numbers of processes."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    rows = next((it for it in ("run_heads", "run_rows") if it in tables), "runs")
    columns = {row[1] for row in db.execute(f"PRAGMA table_info({rows})")}
    if "file" in columns:
        db.execute(f"UPDATE {rows} SET file = replace(file, ?, '/stores/agents')", [os.path.realpath(agents)])
    elif "event_rows" in tables:
        sql = "UPDATE event_rows SET data = replace(data, ?, '/stores/agents')"
        db.execute(sql, [os.path.realpath(agents)])
    if "process" in columns:
        db.execute(f"UPDATE {rows} SET process = '999999999:gone' WHERE process IS NOT NULL")
    db.commit()


def dump(db):
    # Tables come in the order of their names.
    yield "PRAGMA foreign_keys = OFF;"
    number = lambda name: db.execute(f"PRAGMA {name}").fetchone()[0]
    for name in ("application_id", "user_version"):
        yield f"PRAGMA {name} = {number(name)};"
    yield from db.iterdump()


def write(end, lines):
    path = os.path.join(HERE, f"runs-{VERSION}.{end}")
    text = "\n".join(lines) + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(path, len(text))


main()
