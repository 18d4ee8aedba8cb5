"""A function or a coroutine as a model."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call that a model asks for natively. `arguments` is JSON text or an object."""

    id: str
    name: str
    arguments: str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, by `user` (the runtime) or `assistant` (the model)."""

    role: Literal["user", "assistant"]
    text: str
    calls: list[ModelCall] = field(default_factory=list)
    results: list[dict[str, str]] = field(default_factory=list)
    """The results of the calls of the message before: `id`, `name` and `text` of each."""
    images: list[str] = field(default_factory=list)
    """The images that the message shows, as `data:` URLs, for an agent with `images=True`."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for the next reply of a conversation."""

    system: str
    messages: list[Message]
    temperature: float | None
    max_tokens: int | None
    effort: int | None
    tools: list[dict[str, Any]]
    """The tools that the model can call natively: `name`, `description` and `parameters` of each."""
    wants_text: bool
    stop: list[str]

    def chat(self) -> list[dict[str, Any]]:
        """Returns the system prompt, the texts and the images as messages with `role` and `content`, as OpenAI's are."""
        shown = [{"role": it.role, "content": _content(it)} for it in self.messages]
        return [{"role": "system", "content": self.system}, *shown]


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a reply, and its cost in dollars if it is known."""

    input_tokens: int
    output_tokens: int
    cached_input_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of a model."""

    text: str = ""
    calls: Sequence[ModelCall] = ()
    usage: Usage | None = None
    finish: Literal["stop", "length", "filtered", "other"] = "stop"


Model = str | Sequence[str] | Callable[[Request], "str | Reply | Awaitable[str | Reply]"]
"""A specification such as `openai:gpt-5`, the replies of a script, or a function or coroutine."""


@dataclass(frozen=True, slots=True)
class ModelFn:
    """A model as the native module reads it."""

    name: str
    function: Callable[[dict[str, Any]], Any]
    is_async: bool


@dataclass(frozen=True, slots=True)
class ReplySpec:
    """A reply as the native module reads it."""

    text: str
    calls: list[tuple[str, str, str]]
    usage: tuple[int, int, int, float | None] | None
    finish: str


def native_model(model: Model | None) -> str | list[str] | ModelFn | None:
    """Returns a model as the native module reads it."""
    if model is None or isinstance(model, str):
        return model
    if isinstance(model, Sequence):
        return list(model)
    if not callable(model):
        raise TypeError(f"a model must be a text, replies or a function, and is {model!r}")
    function = model
    name = f"python:{getattr(function, '__name__', type(function).__name__)}"

    def now(fields: dict[str, Any]) -> ReplySpec:
        return _spec(function(_request(fields)))

    async def later(fields: dict[str, Any]) -> ReplySpec:
        reply = function(_request(fields))
        return _spec(await reply if inspect.isawaitable(reply) else reply)

    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)
    )
    return ModelFn(name, later if is_async else now, is_async)


def _request(fields: dict[str, Any]) -> Request:
    messages = [
        Message(
            role=it["role"],
            text=it["text"],
            calls=[ModelCall(**call) for call in it.get("calls", ())],
            results=it.get("results", []),
            images=it["images"],
        )
        for it in fields.pop("messages")
    ]
    return Request(messages=messages, **fields)


def _content(message: Message) -> str | list[dict[str, Any]]:
    if not message.images:
        return message.text
    images = [{"type": "image_url", "image_url": {"url": url}} for url in message.images]
    return [{"type": "text", "text": message.text}, *images]


def _spec(reply: Any) -> ReplySpec:
    if isinstance(reply, str):
        reply = Reply(reply)
    if not isinstance(reply, Reply):
        raise TypeError(f"a model must give a text or a `ptc.Reply`, and gave {reply!r}")
    calls = [
        (it.id, it.name, it.arguments if isinstance(it.arguments, str) else json.dumps(it.arguments))
        for it in reply.calls
    ]
    counts = None
    if (usage := reply.usage) is not None:
        tokens = (usage.input_tokens, usage.output_tokens, usage.cached_input_tokens)
        counts = (*tokens, usage.cost)
    return ReplySpec(reply.text, calls, counts, reply.finish)
