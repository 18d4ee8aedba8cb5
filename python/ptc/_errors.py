"""Problems of programs, as data and as exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a program, with a stable code."""

    code: str
    kind: str
    message: str
    line: int | None
    column: int | None
    help: str | None
    rendering: str
    """The problem as a terminal shows it: the place in the source with its message."""

    def __str__(self) -> str:
        place = "" if self.line is None else f" at {self.line}:{self.column}"
        return f"{self.message}{place}"


class Error(Exception):
    """A program was refused, or ended in an error or a limit. The first of `problems` gives the other attributes."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)
        # Tracebacks of Python 3.11 and later show notes.
        self.__notes__ = [self.rendering.rstrip("\n")]

    def __str__(self) -> str:
        first = self.problems[0]
        more = len(self.problems) - 1
        return f"{first.code}: {first}" + (f" (and {more} more)" if more else "")

    @property
    def code(self) -> str:
        """The stable code, such as `unknown-symbol`."""
        return self.problems[0].code

    @property
    def kind(self) -> str:
        """The broad kind, such as `limit`."""
        return self.problems[0].kind

    @property
    def message(self) -> str:
        """The message: lower case, without a final dot."""
        return self.problems[0].message

    @property
    def line(self) -> int | None:
        """The line in the source, from 1."""
        return self.problems[0].line

    @property
    def column(self) -> int | None:
        """The column in characters, from 1."""
        return self.problems[0].column

    @property
    def help(self) -> str | None:
        """One concrete remedy."""
        return self.problems[0].help

    @property
    def rendering(self) -> str:
        """All problems as a terminal shows them."""
        return "".join(problem.rendering for problem in self.problems)


class Failed(Exception):
    """A program called `fail`."""

    def __init__(self, reason: str, message: str, details: Any) -> None:
        super().__init__(reason, message, details)
        self.reason = reason
        self.message = message
        self.details = details

    def __str__(self) -> str:
        return self.message if self.reason == "failed" else f"{self.reason}: {self.message}"


class ToolError(Exception):
    """The failure of a tool, which the program and the model see.

    `help` is a remedy for the author of the program, `advice` one for the author of the agent. `retry_after` is the
    number of seconds after which the same call may succeed. `permanent` says that it never will.
    """

    def __init__(
        self,
        message: str,
        *,
        help: str | None = None,
        advice: str | None = None,
        retry_after: float | None = None,
        permanent: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.advice = advice
        self.retry_after = retry_after
        self.permanent = permanent


class AgentError(Exception):
    """An agent, an input, a model or a store cannot be used: no run started."""

    def __init__(
        self,
        code: str,
        message: str,
        help: str | None = None,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(code, message, help, path, line, column)
        self.code = code
        self.message = message
        self.help = help
        self.path = path
        self.line = line
        self.column = column
        if help is not None:
            self.__notes__ = [f"help: {help}"]

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line is not None else ""
        file = f"{self.path}{place}: " if self.path is not None else ""
        return f"{self.code}: {file}{self.message}"


class NoValue(Exception):
    """A run has no value: it failed, was stopped, or waits."""
