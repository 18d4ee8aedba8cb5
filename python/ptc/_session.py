"""The language alone: programs without a model and without a record."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from ptc import _ptc
from ptc._errors import Error, Failed, Problem
from ptc._tools import Tools, specs_of

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


class Limits(TypedDict, total=False):
    """The limits of one program, by the names of agent files. `live_bytes` is the limit `memory` there."""

    fuel: int
    live_bytes: int
    call_depth: int
    value_depth: int
    source_bytes: int
    source_nesting: int
    tool_calls: int
    calls_in_flight: int
    print_bytes: int
    result_bytes: int
    memory_bytes: int
    program_time: float


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool: its arguments, and its result or the message of its failure."""

    name: str
    args: dict[str, Any]
    result: Any
    error: str | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcome of a program."""

    value: Any
    returned: bool
    """Whether `(return v)` ended the program."""
    prints: list[str]
    fuel: int
    calls: list[Call]
    warnings: list[Problem]
    repair: str | None
    """The change to the delimiters of the program."""


@dataclass(frozen=True, slots=True)
class Check:
    """The findings about a program that does not run. It is true if the program is admitted."""

    report: dict[str, Any] | None
    """Everything the program can touch: tools with bounds, data, memory, names. `None` if it is refused."""
    warnings: list[Problem]
    errors: list[Problem]
    repair: str | None

    def __bool__(self) -> bool:
        return self.report is not None


class Session:
    """The data, the tools and the state of programs.

    Definitions and memory last from program to program; a program that fails keeps nothing. A session runs one program
    at a time.
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        ctx: object = None,
        *,
        memory: object = None,
        tools: Tools | None = None,
        seed: int | None = None,
        **limits: Unpack[Limits],
    ) -> None:
        self._native = _ptc.Session(ctx, memory, specs_of(tools), _named(limits), seed)

    @property
    def seed(self) -> int:
        """The seed of random functions."""
        return self._native.seed

    @property
    def memory(self) -> dict[str, Any]:
        """The values that programs have kept."""
        return self._native.memory()

    def run(self, source: str, *, repair: bool = False) -> Evaluation:
        """Runs a program. Raises `Error` for a program that is refused or ends in an error, `Failed` after `fail`."""
        return _evaluation(self._native.run(source, repair))

    def eval(self, source: str, *, repair: bool = False) -> Any:
        """Runs a program and returns its value."""
        return self.run(source, repair=repair).value

    async def run_async(self, source: str, *, repair: bool = False) -> Evaluation:
        """Runs a program as `run` does, without blocking the event loop.

        Coroutines run on this event loop, and functions on threads of their own. Cancelling the task ends the program.
        """
        import asyncio
        import contextvars

        from ptc._loop import finish

        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        started = finish(lambda end: self._native.start(source, repair, loop, context, end))
        return _evaluation(await started)

    async def eval_async(self, source: str, *, repair: bool = False) -> Any:
        """Runs a program as `run_async` does and returns its value."""
        return (await self.run_async(source, repair=repair)).value

    def check(self, source: str, *, repair: bool = False) -> Check:
        """Checks a program. Nothing runs."""
        checked = self._native.check(source, repair)
        return Check(
            report=checked["report"],
            warnings=[Problem(**it) for it in checked["warnings"]],
            errors=[Problem(**it) for it in checked["errors"]],
            repair=checked["repair"],
        )


def eval(
    source: str,
    *,
    ctx: object = None,
    memory: object = None,
    tools: Tools | None = None,
    seed: int | None = None,
    repair: bool = False,
    **limits: Unpack[Limits],
) -> Any:
    """Runs a program in a session of its own and returns its value."""
    session = Session(ctx, memory=memory, tools=tools, seed=seed, **limits)
    return session.eval(source, repair=repair)


async def eval_async(
    source: str,
    *,
    ctx: object = None,
    memory: object = None,
    tools: Tools | None = None,
    seed: int | None = None,
    repair: bool = False,
    **limits: Unpack[Limits],
) -> Any:
    """Runs a program as `eval` does, without blocking the event loop.

    Coroutines run on this event loop, and functions on threads of their own. Cancelling the task ends the program.
    """
    session = Session(ctx, memory=memory, tools=tools, seed=seed, **limits)
    return await session.eval_async(source, repair=repair)


def check(
    source: str,
    *,
    ctx: object = None,
    memory: object = None,
    tools: Tools | None = None,
    repair: bool = False,
    **limits: Unpack[Limits],
) -> Check:
    """Checks a program: everything it can touch, or the reasons that it is refused. Nothing runs."""
    return Session(ctx, memory=memory, tools=tools, **limits).check(source, repair=repair)


def _evaluation(outcome: _ptc.Outcome) -> Evaluation:
    if outcome["errors"]:
        raise Error([Problem(**it) for it in outcome["errors"]]) from outcome["cause"]
    if outcome["failed"] is not None:
        raise Failed(**outcome["failed"])
    return Evaluation(
        value=outcome["value"],
        returned=outcome["status"] == "return",
        prints=outcome["prints"],
        fuel=outcome["fuel"],
        calls=[Call(*it) for it in outcome["calls"]],
        warnings=[Problem(**it) for it in outcome["warnings"]],
        repair=outcome["repair"],
    )


def _named(limits: Mapping[str, Any]) -> dict[str, Any]:
    return {"memory" if name == "live_bytes" else name: it for name, it in limits.items()}
