"""Programs and runs leave no memory behind."""

from __future__ import annotations

import subprocess
import sys

import pytest

# The first programs fill caches and the pages of the allocators. The least growth of several measures is that of a leak.
MEASURE = """
import gc
from pathlib import Path

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

work(10_000)
grown = []
for _ in range(3):
    before = resident()
    work(10_000)
    gc.collect()
    grown.append(resident() - before)
print(min(grown))
"""

PROGRAMS = """
import ptc
rows = [{"id": n, "name": f"item {n}", "tags": ["a", "b"]} for n in range(20)]
session = ptc.Session(tools={"twice": lambda n: [n, n]})

def work(count):
    for n in range(count):
        found = ptc.eval("(map :name ctx/rows)", ctx={"rows": rows})
        assert found[-1] == "item 19"
        assert session.eval(f"(tool/twice {{:n {n}}})") == [n, n]
        if n % 100 == 0:
            try:
                ptc.eval("(tool/broken {})", tools={"broken": lambda: 1 / 0})
            except ptc.Error as error:
                assert error.code == "tool-failed"
"""

RUNS = """
import asyncio
import ptc
agent = ptc.Agent("Add.", input={"n": int}, output=int)

@agent.tool(effect="read")
async def add(n: int) -> int:
    return n + 1

REPLY = "```clojure\\n(return (tool/add {:n ctx/n}))\\n```"

def work(count):
    async def all_runs():
        # All measures together make ten thousand runs.
        for n in range(count // 4):
            assert (await agent.run_async({"n": n}, model=[REPLY])).value == n + 1
    asyncio.run(all_runs())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("work", [PROGRAMS, RUNS])
def test_work_leaves_no_memory(work: str) -> None:
    done = subprocess.run([sys.executable, "-c", work + MEASURE], capture_output=True, text=True)
    assert done.stderr == ""
    # A value that stayed would take a hundred bytes or more each time.
    assert int(done.stdout) < 100_000
