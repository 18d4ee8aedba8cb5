"""Settings of a run: the keys of a settings file, with tools of Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Union

from ptc import _ptc
from ptc._tools import Tool, ToolSpec, Transcript, tool_of


class ToolChange(TypedDict, total=False):
    """A change of the tools of a run. `*` in a name is any text."""

    add: list[Any]
    """Tools as keys of an agent file, functions, coroutines, or agents."""
    remove: list[str]
    allow: list[str]
    effects: str | list[str]


RunChange = TypedDict(
    "RunChange",
    {
        "for": Union[str, "list[str]"],
        "model": str,
        "base_url": str,
        "fallback_models": "list[str]",
        "effort": int,
        "keys": "dict[str, str]",
        "tools": ToolChange,
        "prompt": "dict[str, bool]",
        "transcript": Transcript,
        "budget": "dict[str, Any]",
        "sources": Union[bool, "dict[str, bool]"],
        "artifacts": bool,
        "start_at": str,
        "skip": "list[str]",
    },
    total=False,
)
"""A change of the agents of a run: the keys of a settings file."""

RunSettings = Union[RunChange, "list[RunChange]", str, "os.PathLike[str]"]
"""A change, a list of them, or the path of a settings file."""


@dataclass(frozen=True, slots=True)
class Given:
    """Settings as the native half takes them. Each tool has the number of its change."""

    changes: list[dict[str, Any]]
    folder: str
    tools: list[tuple[int, ToolSpec]]
    agents: list[tuple[int, _ptc.Agent]]


def native_settings(
    settings: RunSettings | None, native_agent: Callable[[Any], _ptc.Agent | None]
) -> Given | str | None:
    """Returns settings for the native half, with their tools of Python apart from the keys."""
    if settings is None:
        return None
    if isinstance(settings, (str, os.PathLike)):
        return os.fspath(settings)
    if not isinstance(settings, Mapping) and not isinstance(settings, Sequence):
        wanted = "a dictionary, a list of them or the path of a file"
        raise TypeError(f"`settings` must be {wanted}, and is {settings!r}")
    given = Given([], os.getcwd(), [], [])
    changes: Sequence[Any] = [settings] if isinstance(settings, Mapping) else settings
    for number, change in enumerate(changes):
        keys: dict[str, Any] = dict(change)
        tools = keys.get("tools")
        if isinstance(tools, Mapping) and isinstance(tools.get("add"), Sequence):
            tables: list[Any] = []
            for tool in tools["add"]:
                if (agent := native_agent(tool)) is not None:
                    given.agents.append((number, agent))
                elif isinstance(tool, Tool) or callable(tool):
                    given.tools.append((number, tool_of(tool, {}).spec()))
                else:
                    tables.append(tool)
            keys["tools"] = {**tools, "add": tables}
        given.changes.append(keys)
    return given
