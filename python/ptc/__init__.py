"""Sub-agents that answer with programs, and the language of the programs alone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ptc._errors import AgentError, Error, Failed, NoValue, Problem, ToolError
from ptc._ptc import __version__
from ptc._session import Call, Check, Evaluation, Limits, Session, check, eval, eval_async
from ptc._tools import Tool, context, tool

if TYPE_CHECKING:
    from ptc import events, styles
    from ptc._agent import (
        Agent,
        CallOrigins,
        LabelOrigin,
        Question,
        Replayed,
        Report,
        Store,
        Stream,
        view,
    )
    from ptc._model import Message, ModelCall, Reply, Request, Usage
    from ptc._view import Page
    from ptc.events import Event
    from ptc.styles import style

# Programs alone need no agents, which take longer to import.
_LATER = {
    "ptc._agent": (
        "Agent",
        "CallOrigins",
        "LabelOrigin",
        "Question",
        "Replayed",
        "Report",
        "Store",
        "Stream",
        "view",
    ),
    "ptc._model": ("Message", "ModelCall", "Reply", "Request", "Usage"),
    "ptc._view": ("Page",),
    "ptc.events": ("Event",),
    "ptc.styles": ("style",),
}


def __getattr__(name: str) -> Any:
    if name in ("events", "styles"):
        return import_module(f"ptc.{name}")
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'ptc' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Agent",
    "AgentError",
    "Call",
    "CallOrigins",
    "Check",
    "Error",
    "Evaluation",
    "Event",
    "Failed",
    "LabelOrigin",
    "Limits",
    "Message",
    "ModelCall",
    "NoValue",
    "Page",
    "Problem",
    "Question",
    "Replayed",
    "Reply",
    "Report",
    "Request",
    "Session",
    "Store",
    "Stream",
    "Tool",
    "ToolError",
    "Usage",
    "__version__",
    "check",
    "context",
    "eval",
    "eval_async",
    "events",
    "style",
    "styles",
    "tool",
    "view",
]
