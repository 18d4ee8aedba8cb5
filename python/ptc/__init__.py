"""Sub-agents that answer with programs, and the language of the programs alone."""

from ptc import events
from ptc._agent import Agent, Question, Replayed, Report, Store, Stream
from ptc._errors import AgentError, Error, Failed, NoValue, Problem, ToolError
from ptc.events import Event
from ptc._model import Message, ModelCall, Reply, Request, Usage
from ptc._ptc import __version__
from ptc._session import Call, Check, Evaluation, Limits, Session, check, eval
from ptc._tools import Tool, tool

__all__ = [
    "Agent",
    "AgentError",
    "Call",
    "Check",
    "Error",
    "Evaluation",
    "Event",
    "Failed",
    "Limits",
    "Message",
    "ModelCall",
    "NoValue",
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
    "eval",
    "events",
    "tool",
]
