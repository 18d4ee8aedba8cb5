"""The native half of the package."""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from typing import Any, Final, TypedDict, type_check_only

from ptc._tools import ToolSpec

__version__: Final[str]

@type_check_only
class ProblemFields(TypedDict):
    code: str
    kind: str
    message: str
    line: int | None
    column: int | None
    help: str | None
    rendering: str

@type_check_only
class FailedFields(TypedDict):
    reason: str
    message: str
    details: Any

@type_check_only
class Outcome(TypedDict):
    status: str
    value: Any
    prints: list[str]
    fuel: int
    calls: list[tuple[str, dict[str, Any], Any, str | None]]
    warnings: list[ProblemFields]
    errors: list[ProblemFields]
    failed: FailedFields | None
    cause: BaseException | None
    repair: str | None

@type_check_only
class Checked(TypedDict):
    report: dict[str, Any] | None
    warnings: list[ProblemFields]
    errors: list[ProblemFields]
    repair: str | None

class Session:
    def __new__(
        cls,
        ctx: object,
        memory: object,
        tools: Sequence[ToolSpec],
        limits: Mapping[str, float],
        seed: int | None,
    ) -> Session: ...
    @property
    def seed(self) -> int: ...
    def memory(self) -> dict[str, Any]: ...
    def run(self, source: str, repair: bool) -> Outcome: ...
    def start(
        self,
        source: str,
        repair: bool,
        event_loop: AbstractEventLoop,
        context: Context,
        notify: Callable[[], object],
    ) -> Work: ...
    def check(self, source: str, repair: bool) -> Checked: ...

class Work:
    def cancel(self) -> None: ...
    def result(self) -> Any: ...

def limits() -> list[tuple[str, float, str]]: ...

def shutdown() -> None: ...

class Agent:
    @staticmethod
    def make(keys: dict[str, Any], program: str | None, folder: str) -> Agent: ...
    @staticmethod
    def read(path: str) -> Agent: ...
    def extended(
        self,
        schemas: tuple[str, str | None] | None,
        tools: Sequence[ToolSpec],
        agents: Sequence[tuple[str | None, Agent]],
    ) -> Agent: ...
    def with_key_resolver(self, function: Callable[..., str | None]) -> Agent: ...
    @property
    def name(self) -> str: ...
    @property
    def signature(self) -> str | None: ...
    @property
    def tools(self) -> list[str]: ...
    def prompt(self, input: object) -> tuple[str, str]: ...
    def start(self, spec: object) -> Run: ...

class Run:
    @property
    def is_over(self) -> bool: ...
    def take(self) -> list[dict[str, Any]]: ...
    def wait(self) -> None: ...
    def cancel(self) -> None: ...
    def report(self) -> dict[str, Any]: ...

def register_style(
    name: str,
    function: Callable[[str, dict[str, Any]], str | tuple[str, str, str]],
    writes_programs: bool,
    priority: int,
) -> None: ...

class Store:
    def __new__(cls, path: str | None) -> Store: ...
    def runs(self, limit: int, conversation: str | None) -> list[dict[str, Any]]: ...
    def show(self, run: str) -> dict[str, Any]: ...
    def page(self, run: str, shows_hidden: bool) -> str: ...
    def why(
        self, run: str, call: str, argument: str | None, shows_hidden: bool
    ) -> list[dict[str, Any]]: ...
    def export(self, runs: list[str], path: str) -> None: ...
    def import_runs(self, path: str) -> list[str]: ...
    def record_observer_failure(self, run: str, message: str) -> None: ...
    def replay(self, run: str, program: tuple[int, str] | None) -> dict[str, Any]: ...
    def start_replay(
        self, run: str, program: tuple[int, str] | None, notify: Callable[[], object]
    ) -> Work: ...
