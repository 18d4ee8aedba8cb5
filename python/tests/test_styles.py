"""Answer styles in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ptc
from ptc import styles


def made(name: str, seen: list[Any], priority: int = 0, mark: str = "") -> None:
    """Registers a style that answers with the text, and keeps what it gets."""

    @ptc.style(name, priority=priority)
    class Style:
        def system(self, mission: styles.Mission) -> str:
            seen.append(("system", mission))
            return f"{mark}Say it."

        def opening(self, mission: styles.Mission, turn: styles.Turn) -> str:
            return f"{mission.text} ({turn.number} of {turn.of})"

        def read(self, reply: styles.Reply, mission: styles.Mission) -> styles.Reading:
            kind, _, rest = reply.text.partition(" ")
            if kind == "say":
                return styles.Return(rest)
            if kind == "fail":
                return styles.Fail("no", rest)
            if kind == "call":
                return [styles.Call("double", {"n": int(n)}) for n in rest.split()]
            if kind == "break":
                raise ValueError("broken")
            return styles.Problem(f"`{kind}` is no word", "Say it.")

        def tell(self, outcome: styles.Outcome, turn: styles.Turn) -> str:
            seen.append(("tell", outcome))
            return f"{outcome.problem or outcome.value} ({turn.number})"


@ptc.tool(description="Doubles a number.", effect="read")
def double(n: int) -> int:
    return 2 * n


def test_m2_m3_a_style_of_python_drives_a_run(tmp_path: Path) -> None:
    """M2, M3: each reading is a decision of the run: a call, a failure of the reply, the end."""
    seen: list[Any] = []
    made("spoken", seen)
    agent = ptc.Agent("Double {{n}}.", input={"n": int}, output=str, answers="spoken", tools=[double], max_turns=6)
    store = ptc.Store(tmp_path / "runs.sqlite")
    model = ["call 1 2", "hm", "break", "say done"]
    report = agent.run({"n": 4}, model=model, store=store)
    assert (report.value, report.turns, report.tool_calls) == ("done", 4, 2)
    mission = seen[0][1]
    assert (mission.agent, mission.text, mission.input) == ("agent", "Double 4.", {"n": 4})
    assert [(tool.name, tool.description) for tool in mission.tools] == [("double", "Doubles a number.")]
    told = [it for kind, it in seen if kind == "tell"]
    assert told[0].value == [{"ok": 2}, {"ok": 4}]
    assert told[1].problem == "`hm` is no word"
    assert told[2].problem is not None and "ValueError: broken" in told[2].problem
    record = store.show(report.run)
    assert record["turn_records"][0]["prompt"] == "Double 4. (1 of 6)"
    assert record["definition"]["answers"] == "spoken"
    replayed = store.replay(report.run)
    assert (replayed.differences, replayed.missing) == ([], None)
    with pytest.raises(ptc.NoValue, match="never"):
        agent.run({"n": 4}, model=["fail never"]).value


def test_m7_the_higher_priority_is_used_and_equal_ones_clash() -> None:
    made("ranked", [], priority=2, mark="high ")
    made("ranked", [], priority=1, mark="low ")
    agent = ptc.Agent("Go.", output=str, answers="ranked")
    assert agent.prompt()[0] == "high Say it."
    with pytest.raises(ptc.AgentError, match="another answer style is registered as `ranked` with priority 2"):
        made("ranked", [], priority=2)
    with pytest.raises(ptc.AgentError, match="`react` is the name of a built-in answer style"):
        made("react", [])
