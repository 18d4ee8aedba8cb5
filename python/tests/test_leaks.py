"""Programs leave no memory behind."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import pytest

import ptc


def resident() -> int:
    """Returns the resident memory of the process in bytes."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ten_thousand_programs_leave_no_memory() -> None:
    rows = [{"id": n, "name": f"item {n}", "tags": ["a", "b"]} for n in range(20)]
    session = ptc.Session(tools={"twice": lambda n: [n, n]})

    def programs(count: int) -> None:
        for n in range(count):
            found: Any = ptc.eval("(map :name ctx/rows)", ctx={"rows": rows})
            assert found[-1] == "item 19"
            assert session.eval(f"(tool/twice {{:n {n}}})") == [n, n]
            if n % 100 == 0:
                with pytest.raises(ptc.Error):
                    ptc.eval("(tool/broken {})", tools={"broken": lambda: 1 / 0})

    # The first programs fill caches and the pages of the allocators.
    programs(10_000)
    gc.collect()
    before = resident()
    programs(10_000)
    gc.collect()
    # The pages of the allocators vary by about a megabyte. Rows that stayed would take thirty times as much.
    assert resident() - before < 4_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_runs_leave_no_memory() -> None:
    agent = ptc.Agent("Add.", input={"n": int}, output=int)

    @agent.tool(effect="read")
    async def add(n: int) -> int:
        return n + 1

    reply = "```clojure\n(return (tool/add {:n ctx/n}))\n```"

    def runs(count: int) -> None:
        for n in range(count):
            assert agent.run({"n": n}, model=[reply]).value == n + 1

    runs(1_000)
    gc.collect()
    before = resident()
    runs(1_000)
    gc.collect()
    assert resident() - before < 4_000_000
