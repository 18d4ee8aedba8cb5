"""Functions and coroutines as tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, overload

from ptc._errors import ToolError

Effect = Literal["read", "write"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the native module reads it."""

    name: str
    function: Callable[..., Any]
    is_async: bool
    signature: str | None
    description: str | None
    effect: Effect | None
    cost: float | None
    timeout: float | None
    retries: int
    max_calls: int | None
    cache: bool
    idempotent: bool
    confirm: bool


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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def spec(self) -> ToolSpec:
        """Returns the tool as the native module reads it."""
        target = self.function
        is_async = inspect.iscoroutinefunction(target) or inspect.iscoroutinefunction(
            getattr(target, "__call__", None)
        )
        return ToolSpec(
            name=self.name,
            function=target,
            is_async=is_async,
            signature=self.signature,
            description=self.description,
            effect=self.effect,
            cost=self.cost,
            timeout=self.timeout,
            retries=self.retries,
            max_calls=self.max_calls,
            cache=self.cache,
            idempotent=self.idempotent,
            confirm=self.confirm,
        )


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    signature: str | None = None,
    effect: Effect | None = None,
    cost: float | None = None,
    timeout: float | None = None,
    retries: int = 0,
    max_calls: int | None = None,
    cache: bool = False,
    idempotent: bool = False,
    confirm: bool = False,
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(function: Callable[..., Any] | None = None, /, **settings: Any) -> Any:
    """Makes a tool of a function: `@ptc.tool` or `@ptc.tool(effect="read")`."""

    def make(function: Callable[..., Any]) -> Tool:
        given = {key: value for key, value in settings.items() if value is not None}
        given.setdefault("name", getattr(function, "__name__", "tool"))
        given.setdefault("description", inspect.getdoc(function))
        return Tool(function, **given)

    return make if function is None else make(function)


Tools = Mapping[str, Callable[..., Any]] | Iterable[Callable[..., Any]]


def specs_of(tools: Tools | None) -> list[ToolSpec]:
    """Returns tools as the native module reads them. A mapping gives their names."""
    if tools is None:
        return []
    if isinstance(tools, Mapping):
        named = ((name, _tool_of(function)) for name, function in tools.items())
        return [replace(it, name=name).spec() for name, it in named]
    return [_tool_of(function).spec() for function in tools]


def _tool_of(function: Callable[..., Any]) -> Tool:
    if isinstance(function, Tool):
        return function
    if not callable(function):
        raise TypeError(f"a tool must be callable, and is a `{type(function).__name__}`")
    return tool(function)


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
