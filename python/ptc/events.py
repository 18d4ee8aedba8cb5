"""The events of a run as typed objects."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Event:
    """An event of a run or of a run below it. `fields` has everything that the record has about it."""

    run: str
    kind: str
    turn: int | None
    fields: dict[str, Any] = field(repr=False)

    _kind: ClassVar[str] = ""


@dataclass(frozen=True)
class RunStarted(Event):
    """The input was accepted and the prompt is ready."""

    agent: str
    model: str
    input: dict[str, Any]
    system: str
    seed: int
    after: dict[str, Any] | None
    """The run that this one follows in a conversation: `run`, `first` and the number of `exchanges` so far."""
    settings: list[dict[str, Any]] | None
    """The settings of a recorded run: its changes, with keys by the names of their variables."""
    sources: list[dict[str, Any]] | None
    """The sources that were loaded before it, each with `name`, `state` and its sizes."""
    _kind = "run-started"


@dataclass(frozen=True)
class RunQueued(Event):
    """The run waits for a place of a server."""

    _kind = "run-queued"


@dataclass(frozen=True)
class RunResumed(Event):
    """A run resumes."""

    _kind = "run-resumed"


@dataclass(frozen=True)
class Acted(Event):
    """A person whom the host knows acted on the run: `answered`, `resumed` or `cancelled`."""

    by: str
    action: str
    _kind = "acted"


@dataclass(frozen=True)
class ProgramChanged(Event):
    """A workflow continues with another program."""

    program: str
    _kind = "program-changed"


@dataclass(frozen=True)
class TurnStarted(Event):
    """The model is about to be asked."""

    prompt: str
    images: list[str] | None
    """The hashes of the images that the prompt shows."""
    _kind = "turn-started"


@dataclass(frozen=True)
class ModelAsked(Event):
    """A request is sent to the model."""

    purpose: str
    number: int
    changes: list[dict[str, Any]] | None
    """The changes of what is sent of the conversation: `did`, `turn`, `tokens_saved` and what stays."""
    _kind = "model-asked"


@dataclass(frozen=True)
class ReplyText(Event):
    """A further part of a reply arrived."""

    text: str
    _kind = "reply-text"


@dataclass(frozen=True)
class ModelReplied(Event):
    """The model replied."""

    purpose: str
    number: int
    text: str
    usage: dict[str, Any] | None
    _kind = "model-replied"


@dataclass(frozen=True)
class ProgramAdmitted(Event):
    """The reply has a program that may run. `report` tells everything that it can touch."""

    program: str
    report: dict[str, Any]
    warnings: list[dict[str, Any]]
    _kind = "program-admitted"


@dataclass(frozen=True)
class ProgramRejected(Event):
    """The reply has no program, or one that may not run."""

    program: str | None
    errors: list[dict[str, Any]]
    _kind = "program-rejected"


@dataclass(frozen=True)
class CallStarted(Event):
    """A tool is about to be called."""

    call: str
    tool: str
    args: dict[str, Any]
    _kind = "call-started"


@dataclass(frozen=True)
class CallProgress(Event):
    """The tool of a call reports its progress."""

    call: str
    tool: str
    done: float
    total: float | None
    message: str | None
    _kind = "call-progress"


@dataclass(frozen=True)
class CallFinished(Event):
    """A call ended with a result or an error."""

    call: str
    tool: str
    result: Any
    error: dict[str, Any] | None
    elapsed: int
    """The duration in microseconds."""
    _kind = "call-finished"


@dataclass(frozen=True)
class Warned(Event):
    """A warning, for example about a value that was coerced."""

    warning: dict[str, Any]
    _kind = "warned"


@dataclass(frozen=True)
class Printed(Event):
    """A program printed a line."""

    line: str
    _kind = "printed"


@dataclass(frozen=True)
class PayloadChanged(Event):
    """A change of the payload was committed."""

    patch: list[dict[str, Any]]
    _kind = "payload-changed"


@dataclass(frozen=True)
class PayloadChecked(Event):
    """The payload was checked against its signature."""

    check: Any
    _kind = "payload-checked"


@dataclass(frozen=True)
class TurnEnded(Event):
    """A turn ended."""

    outcome: str
    value: str | None
    error: dict[str, Any] | None
    fuel: int
    tool_calls: int
    _kind = "turn-ended"


@dataclass(frozen=True)
class Snapshotted(Event):
    """A snapshot of the run was taken."""

    _kind = "snapshot"


@dataclass(frozen=True)
class RunEnded(Event):
    """The run ended, with the report that `ptc run --json` prints."""

    report: dict[str, Any]
    _kind = "run-ended"


@dataclass(frozen=True)
class WebhookSent(Event):
    """A server told another one about the run, or gave up."""

    id: str
    to: str
    attempts: int
    _kind = "webhook-sent"


@dataclass(frozen=True)
class ArtifactMade(Event):
    """A version of an artifact was made."""

    name: str
    version: int
    type: str
    value: Any
    _kind = "artifact-made"


_KINDS: dict[str, type[Event]] = {kind._kind: kind for kind in Event.__subclasses__()}
_NAMES: dict[type[Event], list[str]] = {
    kind: [it.name for it in dataclasses.fields(kind)][4:] for kind in _KINDS.values()
}


def event_of(fields: dict[str, Any]) -> Event:
    """Returns the event with these fields of a record."""
    run, kind, turn = fields.pop("run"), fields.pop("event"), fields.pop("turn", None)
    made = _KINDS.get(kind, Event)
    named = {name: fields.get(name) for name in _NAMES.get(made, ())}
    return made(run, kind, turn, fields, **named)
