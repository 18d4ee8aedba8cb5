"""Sub-agents that answer with programs, and the language of the programs alone."""

from ptc._errors import Error, Failed, Problem, ToolError
from ptc._ptc import __version__
from ptc._session import Call, Check, Evaluation, Limits, Session, check, eval
from ptc._tools import Tool, tool

__all__ = [
    "Call",
    "Check",
    "Error",
    "Evaluation",
    "Failed",
    "Limits",
    "Problem",
    "Session",
    "Tool",
    "ToolError",
    "__version__",
    "check",
    "eval",
    "tool",
]
