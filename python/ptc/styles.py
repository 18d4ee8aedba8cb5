"""Answer styles in Python: the form in which a model replies.

A style renders the prompts of a mission, reads a reply, and tells the model what came of it. It has no state: equal arguments
give equal results, so that a replay gets the same texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, Union

from ptc import _ptc


@dataclass(frozen=True)
class Tool:
    """A tool that the model may call."""

    name: str
    signature: str | None
    description: str | None


@dataclass(frozen=True)
class Mission:
    """What a model is to do."""

    agent: str
    text: str
    input: Any
    signature: str | None
    tools: tuple[Tool, ...]


@dataclass(frozen=True)
class Turn:
    """The number of the requested turn, and that of the last one."""

    number: int
    of: int


@dataclass(frozen=True)
class Reply:
    """The reply of a model: its text, its native calls, and whether it stops in the middle."""

    text: str
    calls: tuple[dict[str, Any], ...]
    is_cut_off: bool


@dataclass(frozen=True)
class Outcome:
    """What came of a reply: the value that does not end the mission, or the problem."""

    value: Any
    prints: tuple[str, ...]
    is_answer: bool
    problem: str | None


@dataclass(frozen=True)
class Return:
    """The reply ends the mission with a value."""

    value: Any


@dataclass(frozen=True)
class Fail:
    """The reply ends the mission with a failure."""

    reason: str
    message: str


@dataclass(frozen=True)
class Program:
    """The reply is a program. The style needs `writes_programs = True`."""

    source: str


@dataclass(frozen=True)
class Call:
    """The reply calls a tool, or runs a sub-agent."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """There is nothing to do in the reply: a sentence without its full stop, and the remedy."""

    message: str
    fix: str


Reading = Union[Return, Fail, Program, Call, "list[Call]", Problem]
"""What a style reads in a reply: the end of the mission, calls, or the reason that there is nothing to do."""


class Style(Protocol):
    """An answer style."""

    def system(self, mission: Mission) -> str:
        """Renders the system prompt."""
        ...

    def opening(self, mission: Mission, turn: Turn) -> str:
        """Renders the first message."""
        ...

    def read(self, reply: Reply, mission: Mission) -> Reading:
        """Reads a reply."""
        ...

    def tell(self, outcome: Outcome, turn: Turn) -> str:
        """Renders the message about the outcome of a reply."""
        ...


S = TypeVar("S", bound=Style)


def style(name: str, *, priority: int = 0) -> Callable[[type[S]], type[S]]:
    """Makes a class an answer style, which agents name as `answers=NAME`.

    Of two styles with a name, that with the higher priority is used. Two with the same priority clash: `AgentError`.
    """

    def register(made: type[S]) -> type[S]:
        it = made()
        _ptc.register_style(name, lambda method, given: _call(it, method, given), getattr(made, "writes_programs", False), priority)
        return made

    return register


def _call(it: Style, method: str, given: dict[str, Any]) -> str | tuple[str, str, str]:
    if method == "tell":
        outcome = given["outcome"]
        told = Outcome(outcome["value"], tuple(outcome["prints"]), outcome["is_answer"], outcome["problem"])
        return it.tell(told, Turn(**given["turn"]))
    facts = given["mission"]
    mission = Mission(**{**facts, "tools": tuple(Tool(**tool) for tool in facts["tools"])})
    if method == "system":
        return it.system(mission)
    if method == "opening":
        return it.opening(mission, Turn(**given["turn"]))
    reply = given["reply"]
    return _read(it.read(Reply(reply["text"], tuple(reply["calls"]), reply["is_cut_off"]), mission))


def _read(reading: Reading) -> tuple[str, str, str]:
    if isinstance(reading, Return):
        return ("return", json.dumps(reading.value), "")
    if isinstance(reading, Fail):
        return ("fail", reading.reason, reading.message)
    if isinstance(reading, Program):
        return ("program", reading.source, "")
    if isinstance(reading, Problem):
        return ("problem", reading.message, reading.fix)
    calls = [reading] if isinstance(reading, Call) else list(reading)
    return ("calls", json.dumps([{"tool": it.tool, "arguments": it.arguments} for it in calls]), "")
