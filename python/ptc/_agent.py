"""Agents, their runs, and the records of runs."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import os
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypedDict, TypeVar, cast, overload

from ptc import _ptc
from ptc._errors import NoValue
from ptc.events import Event, event_of
from ptc._loop import finish
from ptc._model import Model, native_model
from ptc._settings import Given, RunSettings, native_settings
from ptc._tools import Tool, ToolSettings, Transcript, tool_of
from ptc._types import build, mission_schemas
from ptc._view import Page, summary

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

O = TypeVar("O")
F = TypeVar("F", bound=Callable[..., Any])

_log = logging.getLogger("ptc")


class Settings(TypedDict, total=False):
    """The other keys of an agent file, with the same meaning. Tables are dictionaries."""

    name: str
    description: str
    signature_mode: str
    max_turns: int
    retry_turns: int
    fallback: bool
    on_limit: str
    strict_fields: str
    snapshots: bool
    flow: str
    images: bool
    answers: str
    can_ask: bool
    repair: bool
    base_url: str
    api_key_env: str
    send_key: bool
    key_header: str
    fallback_models: list[str]
    models: dict[str, Any] | str
    timeout: float
    request_timeout: float
    temperature: float | Literal["default"]
    max_tokens: int
    seed: int
    effort: int
    grammar: bool | str
    transport: str
    prices: str
    mcp: list[dict[str, Any]] | str
    openapi: list[dict[str, Any]]
    policy: dict[str, Any]
    trust: dict[str, str]
    limits: dict[str, Any]
    budget: dict[str, Any]
    payload: dict[str, Any]
    context_signature: str
    sources: list[dict[str, Any]]
    artifacts: Literal[False] | list[dict[str, Any]]
    transcript: Transcript
    decisions: dict[str, Any]
    system: dict[str, Any]


@dataclass(frozen=True)
class Report(Generic[O]):
    """The outcome of a run, and the resources it used."""

    run: str
    status: str
    """`returned`, `failed`, `stopped` or `waiting`."""
    ended_by: str
    turns: int
    tool_calls: int
    fuel: int
    seed: int
    usage: dict[str, Any]
    fail: dict[str, Any] | None
    stop: str | None
    error: dict[str, Any] | None
    warnings: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    sources: list[dict[str, Any]]
    """The sources of the agent, in the order in which they were loaded: `name`, `into`, `path`, `state` and sizes."""
    artifacts: list[dict[str, Any]]
    """The versions of artifacts that the run made: `name`, `version` and `type`."""
    conversation: dict[str, Any] | None
    """The place in its conversation: `first`, `message`, `after` and `name`; `None` without one."""
    payload: Any
    partial: bool
    exit_code: int
    fields: dict[str, Any] = field(repr=False)
    """The whole report, as `ptc run --json` prints it."""
    _output: Any = field(repr=False, default=None)
    _store: Store | None = field(repr=False, default=None, compare=False)

    def _repr_html_(self) -> str:
        return summary(self.fields)

    @property
    def returned(self) -> bool:
        """Whether the run returned a value."""
        return self.status == "returned"

    @property
    def value(self) -> O:
        """The value as the output type. Raises `NoValue` for a run without one."""
        if not self.returned:
            raise NoValue(self._why())
        made: O = build(self._output, self.fields["value"])
        return made

    def _why(self) -> str:
        if self.fail is not None:
            return f"the run failed: {self.fail['reason']}: {self.fail['message']}"
        if self.status == "waiting":
            return "the run waits"
        why = f": {self.error['message']}" if self.error else ""
        return f"the run was stopped: {self.stop}{why}"


Ask = Callable[["Question"], "Any | Awaitable[Any]"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a run to a person. `None` as the answer leaves it open."""

    id: str
    run: str
    agent: str
    kind: str
    form: dict[str, Any]
    program: str | None
    """The program that needs approval."""
    problems: list[str]
    """The problems of the answer before, if it was refused."""


@dataclass(frozen=True, slots=True)
class LabelOrigin:
    """A label of an argument, with the place that it comes from."""

    argument: str | None
    """`None` for the tests that decide whether the call is made."""
    label: str
    origin: str
    """The tool, the input or another place."""
    certain: bool
    path: list[str]
    """The forms from the source to the call."""
    rule: str | None
    """The rule of the policy that denies the call or asks a person."""


@dataclass(frozen=True, slots=True)
class CallOrigins:
    """A call, with the labels of its arguments."""

    turn: int
    call: str | None
    """`None` if the rules for labels refused the program."""
    tool: str
    args: Any
    error: str | None
    labels: list[LabelOrigin]


class Store:
    """The records of runs: in a file, or in memory without a path."""

    __slots__ = ("_native",)

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._native = _ptc.Store(None if path is None else os.fspath(path))

    def runs(self, limit: int = 100, *, conversation: str | None = None) -> list[dict[str, Any]]:
        """Returns the summaries of the newest runs, perhaps only those of the conversation of a run."""
        return self._native.runs(limit, conversation)

    def show(self, run: str) -> dict[str, Any]:
        """Returns the complete record of a run. A unique prefix of its id is enough."""
        return self._native.show(run)

    def why(
        self, run: str, call: str, argument: str | None = None, *, show_hidden: bool = False
    ) -> list[CallOrigins]:
        """Returns where the arguments of a call came from, or one of them, as `ptc why` shows it.

        A call is named by its turn and its id, such as `"2.1"`, or by its tool, which gives all calls of the tool.
        """
        return [_origins(it) for it in self._native.why(run, call, argument, show_hidden)]

    def view(self, run: str, *, show_hidden: bool = False) -> Page:
        """Returns the page of a run and of the runs below it, as `ptc view` writes it."""
        return Page(self._native.page(run, show_hidden))

    def export(self, run: str | Iterable[str], path: str | os.PathLike[str]) -> None:
        """Writes runs, with those of their sub-agents, to a file."""
        self._native.export([run] if isinstance(run, str) else list(run), os.fspath(path))

    def import_runs(self, path: str | os.PathLike[str]) -> list[str]:
        """Reads the runs of a file that `export` wrote. Returns their ids."""
        return self._native.import_runs(os.fspath(path))

    def replay(self, run: str, *, turn: int | None = None, program: str | None = None) -> Replayed:
        """Replays a run without model and tools, perhaps with another program in one turn."""
        return _replayed(self._native.replay(run, _change(turn, program)))

    async def replay_async(
        self, run: str, *, turn: int | None = None, program: str | None = None
    ) -> Replayed:
        """Replays a run as `replay` does, without blocking the event loop. Cancelling the task ends the replay."""
        changed = _change(turn, program)
        return _replayed(await finish(lambda end: self._native.start_replay(run, changed, end)))


def view(report: Report[Any]) -> Page:
    """Returns the page of a run on record."""
    if report._store is None:
        raise ValueError("the run is not on record: run it with `store=ptc.Store()`")
    return report._store.view(report.run)


@dataclass(frozen=True)
class Replayed:
    """The result of a replay."""

    report: Report[Any] | None
    """`None` if the replay reached the end of the record first."""
    missing: str | None
    """The step that the record does not answer."""
    differences: list[dict[str, Any]]
    drift: list[dict[str, Any]]


class ResumeOptions(TypedDict, total=False):
    """The options of a resumed run."""

    model: Model
    base_url: str
    ask: Ask
    wait_at_most: float
    settings: RunSettings
    """What holds for the run and the runs below it. A resumed run has its settings on record, without tools of Python."""
    context: Mapping[str, object]
    """Data for the tools of the run alone, which `ptc.context()` returns in them."""


class MissionOptions(ResumeOptions, total=False):
    """The options of one run."""

    store: Store
    seed: int
    payload: object
    after: str | Report[Any]
    """The run that this one follows in a conversation. A report brings its store."""
    conversation: str
    """The name of its conversation: the run follows the newest run of the agent in it, or begins it."""


class Agent(Generic[O]):
    """A definition: prompt, types, tools, limits, model.

    The types are a `signature`, or `input` (a type with fields, or types by name) and `output`.
    """

    @overload
    def __init__(
        self,
        prompt: str,
        *,
        output: type[O],
        input: Any = None,
        tools: Iterable[Any] = (),
        model: Model | None = None,
        **settings: Unpack[Settings],
    ) -> None: ...
    @overload
    def __init__(
        self: Agent[Any],
        prompt: str,
        *,
        signature: str | None = None,
        input: Any = None,
        output: Any = None,
        tools: Iterable[Any] = (),
        model: Model | None = None,
        **settings: Unpack[Settings],
    ) -> None: ...
    def __init__(
        self,
        prompt: str,
        *,
        signature: str | None = None,
        input: Any = None,
        output: Any = None,
        tools: Iterable[Any] = (),
        model: Model | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        self._define({"prompt": prompt, **settings}, None, signature, input, output, tools, model)

    @classmethod
    def workflow(
        cls,
        program: str = "",
        *,
        signature: str | None = None,
        input: Any = None,
        output: Any = None,
        tools: Iterable[Any] = (),
        model: Model | None = None,
        **settings: Unpack[Settings],
    ) -> Agent[Any]:
        """Makes an agent whose program a person wrote, or with `flow` the path of a flow file. It asks no model itself."""
        agent: Agent[Any] = cls.__new__(cls)
        agent._define({**settings}, program, signature, input, output, tools, model)
        return agent

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Agent[Any]:
        """Reads an agent file."""
        agent: Agent[Any] = cls.__new__(cls)
        agent._base = _ptc.Agent.read(os.fspath(path))
        agent._begin(None, None, None)
        return agent

    def _define(
        self,
        keys: dict[str, Any],
        program: str | None,
        signature: str | None,
        input: Any,
        output: Any,
        tools: Iterable[Any],
        model: Model | None,
    ) -> None:
        if signature is not None and (input is not None or output is not None):
            raise TypeError("an agent has a signature, or types of input and output")
        if signature is not None:
            keys["signature"] = signature
        given = list(tools)
        tables = [it for it in given if isinstance(it, Mapping)]
        if tables:
            keys["tools"] = tables
        if isinstance(model, str):
            keys["model"], model = model, None
        self._base = _ptc.Agent.make(keys, program, os.getcwd())
        typed = input is not None or output is not None
        self._begin(output, mission_schemas(input, output) if typed else None, model)
        for tool in given:
            if not isinstance(tool, Mapping):
                self._tools.append(tool)

    def _begin(
        self, output: Any, schemas: tuple[str, str | None] | None, model: Model | None
    ) -> None:
        self._output = output
        self._schemas = schemas
        self._model = model
        self._tools: list[Any] = []
        self._keys: Callable[..., str | None] | None = None
        self._made: tuple[int, _ptc.Agent] | None = None

    @property
    def name(self) -> str:
        """The name."""
        return self._base.name

    @property
    def signature(self) -> str | None:
        """The types of the input and the output."""
        return self._native().signature

    @property
    def tools(self) -> list[str]:
        """The names of the tools."""
        return self._native().tools

    @overload
    def tool(self, function: F, /) -> F: ...
    @overload
    def tool(self, **settings: Unpack[ToolSettings]) -> Callable[[F], F]: ...
    def tool(  # type: ignore[misc]
        self, function: Any = None, /, **settings: Unpack[ToolSettings]
    ) -> Any:
        """Adds a function or coroutine as a tool: `@agent.tool` or `@agent.tool(effect="read")`."""

        def add(function: F) -> F:
            self._tools.append(tool_of(function, settings))
            return function

        return add if function is None else add(function)

    def keys(self, function: F, /) -> F:
        """Sets the function that has the keys of models that no variable has: `@agent.keys`.

        It is called with `model`, `variable` and `server`, and returns the key or `None`. A key goes to this server alone.
        """
        self._keys = function
        self._made = None
        return function

    def prompt(self, input: object = None) -> tuple[str, str]:
        """Returns the system prompt and the first message of a mission."""
        return self._native().prompt({} if input is None else input)

    def run(
        self,
        input: object = None,
        *,
        on_event: Callable[[Event], object] | None = None,
        **options: Unpack[MissionOptions],
    ) -> Report[O]:
        """Runs a mission to its end. `on_event` receives its events.

        An exception of `on_event` does not end the run. The report has a warning, and the logger `ptc` the traceback.
        """
        run = self._start(input, options, observes=on_event is not None)
        return self._wait(run, on_event, _store_of(options))

    async def run_async(
        self,
        input: object = None,
        *,
        on_event: Callable[[Event], object] | None = None,
        **options: Unpack[MissionOptions],
    ) -> Report[O]:
        """Runs a mission on the event loop. Cancelling the task cancels the run."""
        return await self._follow(Stream(self, input, options), on_event)

    def stream(self, input: object = None, **options: Unpack[MissionOptions]) -> Stream[O]:
        """Returns the events of a mission, for `for` or `async for`. Its report follows the last event."""
        return Stream(self, input, options)

    def resume(
        self,
        run: str,
        *,
        store: Store,
        done: Mapping[str, object] | None = None,
        retry: Iterable[str] = (),
        accept_change: bool = False,
        take_over: bool = False,
        on_event: Callable[[Event], object] | None = None,
        **options: Unpack[ResumeOptions],
    ) -> Report[O]:
        """Resumes a run that waits, was cancelled, or whose process died.

        `done` has results of calls in doubt that took effect, and `retry` names those to make again. With `accept_change`,
        a workflow continues although its program changed.
        """
        resume = _Resume.of(run, done, retry, accept_change, take_over)
        return self._resume(resume, store, on_event, options)

    async def resume_async(
        self,
        run: str,
        *,
        store: Store,
        done: Mapping[str, object] | None = None,
        retry: Iterable[str] = (),
        accept_change: bool = False,
        take_over: bool = False,
        on_event: Callable[[Event], object] | None = None,
        **options: Unpack[ResumeOptions],
    ) -> Report[O]:
        """Resumes a run as `resume` does, on the event loop. Cancelling the task cancels the run."""
        resume = _Resume.of(run, done, retry, accept_change, take_over)
        return await self._follow(Stream(self, None, _resumed(store, options), resume), on_event)

    def answer(
        self,
        run: str,
        answer: object,
        *,
        store: Store,
        question: str | None = None,
        on_event: Callable[[Event], object] | None = None,
        **options: Unpack[ResumeOptions],
    ) -> Report[O]:
        """Answers an open question of a waiting run, and resumes the run."""
        resume = _Resume(run, (question, answer), [], [], False, False)
        return self._resume(resume, store, on_event, options)

    async def answer_async(
        self,
        run: str,
        answer: object,
        *,
        store: Store,
        question: str | None = None,
        on_event: Callable[[Event], object] | None = None,
        **options: Unpack[ResumeOptions],
    ) -> Report[O]:
        """Answers a question as `answer` does, on the event loop. Cancelling the task cancels the run."""
        resume = _Resume(run, (question, answer), [], [], False, False)
        return await self._follow(Stream(self, None, _resumed(store, options), resume), on_event)

    def _resume(
        self,
        resume: _Resume,
        store: Store,
        on_event: Callable[[Event], object] | None,
        options: ResumeOptions,
    ) -> Report[O]:
        given = _resumed(store, options)
        run = self._start(None, given, observes=on_event is not None, resume=resume)
        return self._wait(run, on_event, store)

    async def _follow(
        self, stream: Stream[O], on_event: Callable[[Event], object] | None
    ) -> Report[O]:
        observer = _Observer(on_event)
        stream._observes = on_event is not None
        async for event in stream:
            observer.tell(event)
        return observer.warned(stream.report, _store_of(stream._options))

    def _wait(
        self, run: _ptc.Run, on_event: Callable[[Event], object] | None, store: Store | None
    ) -> Report[O]:
        observer = _Observer(on_event)
        try:
            while not run.is_over:
                run.wait()
                for fields in run.take():
                    observer.tell(event_of(fields))
        except BaseException:
            run.cancel()
            raise
        for fields in run.take():
            observer.tell(event_of(fields))
        return observer.warned(_report(run.report(), self._output, store), store)

    def _native(self) -> _ptc.Agent:
        if self._made is None or self._made[0] != len(self._tools):
            agents = [(None, it._native()) for it in self._tools if isinstance(it, Agent)]
            functions = [it for it in self._tools if not isinstance(it, Agent)]
            specs = [tool_of(it, {}).spec() for it in functions]
            made = self._base.extended(self._schemas, specs, agents)
            if self._keys is not None:
                made = made.with_key_resolver(self._keys)
            self._made = (len(self._tools), made)
        return self._made[1]

    def _start(
        self,
        input: object,
        options: MissionOptions,
        *,
        observes: bool = False,
        streams: bool = False,
        event_loop: asyncio.AbstractEventLoop | None = None,
        notify: Callable[[], object] | None = None,
        resume: _Resume | None = None,
    ) -> _ptc.Run:
        _check(options)
        store, after = _store_of(options), options.get("after")
        ask, model = options.get("ask"), options.get("model")
        return self._native().start(
            _Mission(
                input=input,
                model=native_model(self._model if model is None else model),
                base_url=options.get("base_url"),
                store=None if store is None else store._native,
                seed=options.get("seed"),
                payload=options.get("payload"),
                host=options.get("context"),
                streams=streams,
                observes=observes,
                ask=None if ask is None else _asking(ask),
                wait_at_most=options.get("wait_at_most"),
                settings=native_settings(options.get("settings"), _native_of),
                after=after.run if isinstance(after, Report) else after,
                conversation=options.get("conversation"),
                resume=resume,
                event_loop=event_loop,
                context=contextvars.copy_context(),
                notify=notify,
            )
        )


class _Observer:
    """The function `on_event`. Its exceptions do not end the run."""

    def __init__(self, on_event: Callable[[Event], object] | None) -> None:
        self._on_event = on_event
        self._count = 0
        self._first = ""

    def tell(self, event: Event) -> None:
        if self._on_event is None:
            return
        try:
            self._on_event(event)
        except Exception as error:
            self._count += 1
            if self._count == 1:
                self._first = traceback.format_exception_only(error)[-1].strip()
                _log.exception("`on_event` failed: the run goes on")

    def warned(self, report: Report[O], store: Store | None) -> Report[O]:
        """Adds the warning about exceptions to the report and to the record. A replay, without `on_event`, has none."""
        if self._count:
            times = "once" if self._count == 1 else f"{self._count} times"
            message = f"`on_event` failed {times}, and the run went on: {self._first}"
            warning = {"code": "observer-failed", "kind": "other", "message": message}
            report.warnings.append({**warning, "line": None, "column": None, "help": None})
            report.fields["warnings"] = report.warnings
            if store is not None:
                store._native.record_observer_failure(report.run, message)
        return report


class Stream(Generic[O]):
    """The events of a mission. It is iterated once; the run starts then."""

    def __init__(
        self,
        agent: Agent[O],
        input: object,
        options: MissionOptions,
        resume: _Resume | None = None,
    ) -> None:
        self._agent = agent
        self._input = input
        self._options = options
        self._resume = resume
        self._observes = True
        self._run: _ptc.Run | None = None
        self._report: Report[O] | None = None

    @property
    def report(self) -> Report[O]:
        """The report, behind the last event."""
        if self._report is None:
            raise RuntimeError("the run has not ended: take all of its events first")
        return self._report

    def __iter__(self) -> Iterator[Event]:
        run = self._begin(None, None)
        try:
            while not run.is_over:
                run.wait()
                yield from map(event_of, run.take())
            yield from map(event_of, run.take())
            self._report = self._ended(run)
        finally:
            run.cancel()

    async def __aiter__(self) -> AsyncIterator[Event]:
        loop = asyncio.get_running_loop()
        arrived = asyncio.Event()
        run = self._begin(loop, lambda: loop.call_soon_threadsafe(arrived.set))
        try:
            while not run.is_over:
                await arrived.wait()
                arrived.clear()
                for fields in run.take():
                    yield event_of(fields)
            for fields in run.take():
                yield event_of(fields)
            self._report = self._ended(run)
        finally:
            run.cancel()

    def _ended(self, run: _ptc.Run) -> Report[O]:
        return _report(run.report(), self._agent._output, _store_of(self._options))

    def _begin(
        self, loop: asyncio.AbstractEventLoop | None, notify: Callable[[], object] | None
    ) -> _ptc.Run:
        if self._run is not None:
            raise RuntimeError("a stream is iterated once")
        self._run = self._agent._start(
            self._input,
            self._options,
            observes=self._observes,
            streams=self._observes,
            event_loop=loop,
            notify=notify,
            resume=self._resume,
        )
        return self._run


@dataclass(frozen=True, slots=True)
class _Resume:
    run: str
    answer: tuple[str | None, object] | None
    done: list[tuple[str, object]]
    retry: list[str]
    accept_change: bool
    take_over: bool

    @classmethod
    def of(
        cls, run: str, done: Mapping[str, object] | None, retry: Iterable[str], accept_change: bool, take_over: bool
    ) -> _Resume:
        return cls(run, None, list((done or {}).items()), list(retry), accept_change, take_over)


@dataclass(frozen=True, slots=True)
class _Mission:
    input: object
    model: Any
    base_url: str | None
    store: _ptc.Store | None
    seed: int | None
    payload: object
    host: object
    streams: bool
    observes: bool
    ask: tuple[Callable[[dict[str, Any]], Any], bool] | None
    wait_at_most: float | None
    settings: Given | str | None
    after: str | None
    conversation: str | None
    resume: _Resume | None
    event_loop: asyncio.AbstractEventLoop | None
    context: contextvars.Context
    notify: Callable[[], object] | None


def _native_of(tool: object) -> _ptc.Agent | None:
    return tool._native() if isinstance(tool, Agent) else None


def _resumed(store: Store, options: ResumeOptions) -> MissionOptions:
    given: MissionOptions = {"store": store}
    given.update(cast(MissionOptions, options))
    return given


def _check(options: MissionOptions) -> None:
    unknown = set(options) - MissionOptions.__optional_keys__
    if unknown:
        raise TypeError(f"a run has no option `{min(unknown)}`")
    kinds: dict[str, tuple[Any, str]] = {
        "store": (Store, "a `ptc.Store`"),
        "after": ((str, Report), "a report or the id of a run"),
        "conversation": (str, "the name of a conversation"),
        "ask": (Callable, "a function or a coroutine"),
        "base_url": (str, "a text"),
        "seed": (int, "a whole number from 0"),
        "wait_at_most": ((int, float), "a number of seconds from 0"),
    }
    for name, (kind, wanted) in kinds.items():
        given = cast(Any, options).get(name)
        is_negative = isinstance(given, (int, float)) and given < 0
        if given is not None and (is_negative or not isinstance(given, kind)):
            raise TypeError(f"`{name}` must be {wanted}, and is {given!r}")


def _store_of(options: MissionOptions) -> Store | None:
    store, after = options.get("store"), options.get("after")
    return after._store if store is None and isinstance(after, Report) else store


def _change(turn: int | None, program: str | None) -> tuple[int, str] | None:
    if (turn is None) != (program is None):
        raise TypeError("`turn` and `program` belong together")
    return None if turn is None or program is None else (turn, program)


def _origins(found: dict[str, Any]) -> CallOrigins:
    labels = [
        LabelOrigin(
            it.get("argument"),
            it["label"],
            it["from"],
            it.get("certain", False),
            it.get("path", []),
            it.get("rule"),
        )
        for it in found.pop("labels")
    ]
    return CallOrigins(**found, labels=labels)


def _replayed(found: dict[str, Any]) -> Replayed:
    report = found.pop("report")
    return Replayed(report=None if report is None else _report(report, None, None), **found)


def _asking(ask: Ask) -> tuple[Callable[[dict[str, Any]], Any], bool]:
    def question(fields: dict[str, Any]) -> Question:
        open = fields["question"]
        return Question(
            id=open["id"],
            run=open["run"],
            agent=open["agent"],
            kind=open["kind"],
            form=open["form"],
            program=fields["program"],
            problems=fields["problems"],
        )

    def now(fields: dict[str, Any]) -> Any:
        try:
            return ask(question(fields))
        except Exception:
            _log.exception("`ask` failed: the question stays open")
            return None

    async def later(fields: dict[str, Any]) -> Any:
        try:
            answer = ask(question(fields))
            return await answer if inspect.isawaitable(answer) else answer
        except Exception:
            _log.exception("`ask` failed: the question stays open")
            return None

    is_async = inspect.iscoroutinefunction(ask)
    return (later if is_async else now), is_async


def _report(fields: dict[str, Any], output: Any, store: Store | None) -> Report[Any]:
    names = Report.__dataclass_fields__
    given = {name: value for name, value in fields.items() if name in names}
    given.setdefault("warnings", [])
    given.setdefault("questions", [])
    given.setdefault("sources", [])
    given.setdefault("artifacts", [])
    given.setdefault("conversation", None)
    given.setdefault("partial", False)
    given.setdefault("exit_code", 0)
    return Report(**given, fields=fields, _output=output, _store=store)
