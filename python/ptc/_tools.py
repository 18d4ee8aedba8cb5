"""Functions and coroutines as tools."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from ptc._errors import ToolError

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

Effect = Literal["read", "write"]

ResultAfter = Literal["remove", "first", "summary"]

_NAMELESS = "<lambda>"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the native module reads it."""

    name: str
    function: Callable[..., Any]
    is_async: bool
    signature: str | None
    schemas: tuple[str, str | None] | None
    description: str | None
    effect: Effect | None
    cost: float | None
    timeout: float | None
    retries: int
    max_calls: int | None
    cache: bool
    idempotent: bool
    confirm: bool
    trust: str | None
    result: dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """A function or a coroutine that programs may call, with its declaration.

    `effect="read"` promises that calls change nothing, so that they may be repeated, cached and reordered. Without an
    effect the tool counts as writing. The other settings are those of tools in agent files.
    """

    function: Callable[..., Any]
    name: str
    description: str | None = None
    signature: str | None = None
    effect: Effect | None = None
    cost: float | None = None
    timeout: float | None = None
    retries: int = 0
    max_calls: int | None = None
    cache: bool = False
    idempotent: bool = False
    confirm: bool = False
    trust: str | None = None
    result_turns: int | None = None
    result_after: ResultAfter | None = None
    result_length: int | None = None
    summary_prompt: str | None = None
    keep_original: bool | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def spec(self) -> ToolSpec:
        """Returns the tool as the native module reads it."""
        if self.name == _NAMELESS:
            raise TypeError("a function without a name needs one: `tools={\"name\": function}`")
        # Programs without tools need no types.
        from ptc._types import schemas_of

        target = self.function
        is_async = inspect.iscoroutinefunction(target) or inspect.iscoroutinefunction(
            getattr(target, "__call__", None)
        )
        schemas = schemas_of(target) if self.signature is None else None
        return ToolSpec(
            name=self.name,
            function=target if schemas is None else _typed(target, is_async),
            is_async=is_async,
            signature=self.signature,
            schemas=schemas,
            description=self.description,
            effect=self.effect,
            cost=self.cost,
            timeout=self.timeout,
            retries=self.retries,
            max_calls=self.max_calls,
            cache=self.cache,
            idempotent=self.idempotent,
            confirm=self.confirm,
            trust=self.trust,
            result={key: getattr(self, key) for key in ResultRule.__optional_keys__},
        )


class ResultRule(TypedDict, total=False):
    """How long results stay in the conversation."""

    result_turns: int
    result_after: ResultAfter
    result_length: int
    summary_prompt: str
    keep_original: bool


class Transcript(ResultRule, total=False):
    """What is sent of a conversation: the keys of `[transcript]`."""

    tokens: int
    window: int
    reset_after: int
    keep_results: int
    step: int


class ToolSettings(ResultRule, total=False):
    """The settings of a tool, as in agent files."""

    name: str
    description: str
    signature: str
    effect: Effect
    cost: float
    timeout: float
    retries: int
    max_calls: int
    cache: bool
    idempotent: bool
    confirm: bool
    trust: str


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(**settings: Unpack[ToolSettings]) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None, /, **settings: Unpack[ToolSettings]
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Makes a tool of a function: `@ptc.tool` or `@ptc.tool(effect="read")`.

    The signature comes from the type hints, and the description from the documentation of the function.
    """
    if function is None:
        return lambda function: tool_of(function, settings)
    return tool_of(function, settings)


Tools = Mapping[str, Callable[..., Any]] | Iterable[Callable[..., Any]]


def specs_of(tools: Tools | None) -> list[ToolSpec]:
    """Returns tools as the native module reads them. A mapping gives their names."""
    if tools is None:
        return []
    if isinstance(tools, Mapping):
        return [tool_of(function, {"name": name}).spec() for name, function in tools.items()]
    return [tool_of(function, {}).spec() for function in tools]


def tool_of(function: Callable[..., Any], settings: ToolSettings) -> Tool:
    """Makes a tool of a function with settings."""
    if isinstance(function, Tool):
        return replace(function, **settings)
    if not callable(function):
        raise TypeError(f"a tool must be callable, and is a `{type(function).__name__}`")
    unknown = set(settings) - ToolSettings.__optional_keys__
    if unknown:
        raise TypeError(f"a tool has no setting `{min(unknown)}`")
    name = settings.get("name") or str(getattr(function, "__name__", _NAMELESS))
    description = _description(function)
    named: ToolSettings = {**settings, "name": name}
    return replace(Tool(function, name, description), **named)


def _typed(function: Callable[..., Any], is_async: bool) -> Callable[..., Any]:
    """Returns a function that takes data for the objects that the hints of a function ask for."""
    from ptc._types import build, hints_to_build

    hints = hints_to_build(function)
    if not hints:
        return function

    def objects(given: dict[str, Any]) -> dict[str, Any]:
        return {name: build(hints.get(name), value) for name, value in given.items()}

    async def later(**given: Any) -> Any:
        return await function(**objects(given))

    return later if is_async else lambda **given: function(**objects(given))


def _description(function: Callable[..., Any]) -> str | None:
    # The documentation of a class or of a partial function tells nothing about a call.
    described = inspect.isroutine(function) or hasattr(function, "__wrapped__")
    return inspect.getdoc(function) if described else None


@dataclass(frozen=True, slots=True)
class ToolFault:
    """The failure of a call, as the native module reads it."""

    message: str
    help: str | None
    advice: str | None
    retry_after: float | None
    permanent: bool


def fault_of(error: BaseException) -> ToolFault:
    """Describes an exception of a tool by its type and text, without a traceback."""
    if isinstance(error, ToolError):
        return ToolFault(
            error.message, error.help, error.advice, error.retry_after, error.permanent
        )
    kind, text = type(error).__qualname__, str(error)
    return ToolFault(f"{kind}: {text}" if text else kind, None, None, None, False)


_context: ContextVar[dict[str, Any] | None] = ContextVar("ptc.context", default=None)


def context() -> dict[str, Any]:
    """Returns the data that the caller of the run gave for its tools alone. It is empty without such data, and outside of
    a call of a tool."""
    return _context.get() or {}


def in_context(
    function: Callable[..., Any], is_async: bool, data: dict[str, Any]
) -> Callable[..., Any]:
    """Returns a function whose calls see data as their context."""

    async def later(**given: Any) -> Any:
        # A task has variables of its own.
        _context.set(data)
        return await function(**given)

    def now(**given: Any) -> Any:
        before = _context.set(data)
        try:
            return function(**given)
        finally:
            _context.reset(before)

    return later if is_async else now
