"""The native half of the package."""

from collections.abc import Mapping, Sequence
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
    def check(self, source: str, repair: bool) -> Checked: ...

def limits() -> list[tuple[str, float, str]]: ...
