"""Agents: types, tools, models, runs, records."""

from __future__ import annotations

import asyncio
import contextvars
import datetime
import enum
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

import ptc
from ptc import _types

ROOT = Path(__file__).parents[2]


def program(source: str) -> str:
    return f"```clojure\n{source}\n```"


class Level(enum.Enum):
    LOW = "low"
    HIGH = "high"


@dataclass
class Item:
    name: Annotated[str, "the name"]
    price: float
    level: Level = Level.LOW
    tags: list[str] = field(default_factory=list)


class Order(TypedDict):
    id: int
    items: list[Item]
    when: Optional[datetime.date]


@dataclass
class Tree:
    name: str
    children: list[Tree]


# A type, and its form in a signature.
TYPES: list[tuple[Any, str]] = [
    (int, ":int"),
    (float, ":float"),
    (bool, ":bool"),
    (str, ":string"),
    (Any, ":any"),
    (object, ":any"),
    (list[int], "[:int]"),
    (tuple[int, int], "[:int][2..2]"),
    (tuple[int, ...], "[:int]"),
    (dict[str, int], ":map"),
    (Optional[int], ":int?"),
    (Union[int, str], ":int|:string"),
    (int | None, ":int?"),
    (Literal["a", "b"], ":enum[a b]"),
    (Level, ":enum[low high]"),
    (datetime.date, ":datetime"),
    (Item, '{name :string "the name", price :float, level? :enum[low high], tags? [:string]}'),
    (
        Order,
        '{id :int, items [{name :string "the name", price :float, level? :enum[low high], '
        "tags? [:string]}], when :datetime?}",
    ),
    (Tree, "{name :string, children [:any]}"),
]


@pytest.mark.parametrize(("hint", "expected"), TYPES)
def test_types_become_signatures(hint: Any, expected: str) -> None:
    agent = ptc.Agent("Work.", input={"x": hint}, output=hint)
    x = f"x {expected}"
    assert agent.signature == f"({x}) -> {expected}"


# A type, data, and the object.
BUILT: list[tuple[Any, Any, Any]] = [
    (int, 1, 1),
    (float, 1, 1.0),
    (Level, "high", Level.HIGH),
    (datetime.date, "2026-11-25", datetime.date(2026, 11, 25)),
    (
        Item,
        {"name": "a", "price": 2, "level": "high"},
        Item("a", 2.0, Level.HIGH, []),
    ),
    (
        Order,
        {"id": 1, "items": [{"name": "a", "price": 2}], "when": None},
        {"id": 1, "items": [Item("a", 2.0)], "when": None},
    ),
    (Tree, {"name": "a", "children": [{"name": "b", "children": []}]}, Tree("a", [Tree("b", [])])),
    (tuple[int, str], [1, "a"], (1, "a")),
    (set[int], [1, 2], {1, 2}),
    (dict[str, Item], {"k": {"name": "a", "price": 1}}, {"k": Item("a", 1.0)}),
    (Union[Item, str], "a", "a"),
    (Union[str, Item], {"name": "a", "price": 1}, Item("a", 1.0)),
    (Optional[Item], None, None),
]


@pytest.mark.parametrize(("hint", "data", "expected"), BUILT)
def test_data_becomes_objects(hint: Any, data: Any, expected: Any) -> None:
    found = _types.build(hint, data)
    assert (found, type(found)) == (expected, type(expected))


# A type of a parameter, data, and the object that the tool gets.
ARGUMENTS: list[tuple[Any, str, Any]] = [
    (Item, '{:name "a" :price 2.0 :level "high"}', Item("a", 2.0, Level.HIGH)),
    (list[Item], '[{:name "a" :price 2.0}]', [Item("a", 2.0)]),
    (Order, '{:id 1 :items [{:name "a" :price 2.0}] :when "2026-11-25"}', {"id": 1, "items": [Item("a", 2.0)], "when": datetime.date(2026, 11, 25)}),
    (Optional[Item], "nil", None),
    (Annotated[datetime.date, "the day"], '"2026-11-25"', datetime.date(2026, 11, 25)),
    (Level, '"low"', Level.LOW),
    (Literal["a", "b"], '"a"', "a"),
    (set[int], "[1 2]", {1, 2}),
    (dict[str, Level], '{:a "low"}', {"a": Level.LOW}),
    (list[int], "[1 2]", [1, 2]),
    (float, "2", 2.0),
]


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("hint", "data", "expected"), ARGUMENTS)
def test_arguments_of_tools_are_objects_of_their_hints(
    hint: Any, data: str, expected: Any, is_async: bool
) -> None:
    taken: list[Any] = []

    def take(x: Any, n: int = 1) -> int:
        taken.append((x, n))
        return len(taken)

    async def take_later(x: Any, n: int = 1) -> int:
        return take(x, n)

    tool = take_later if is_async else take
    tool.__annotations__["x"] = hint
    assert ptc.eval(f"(tool/take {{:x {data}}})", tools={"take": tool}) == 1
    assert taken == [(expected, 1)]
    assert type(taken[0][0]) is type(expected)


def test_an_object_that_can_be_called_has_the_hints_of_its_method() -> None:
    class Double:
        def __call__(self, item: Item) -> float:
            return 2 * item.price

    assert ptc.eval('(tool/f {:item {:name "a" :price 1.5}})', tools={"f": Double()}) == 3.0
    found = ptc.check("(tool/f {:item 1})", tools={"f": Double()})
    assert [it.code for it in found.errors] == ["tool-arguments"]


def test_models_of_pydantic_are_types() -> None:
    pydantic = pytest.importorskip("pydantic")
    Line = pydantic.create_model("Line", text=(str, ...), count=(int, 1))
    agent = ptc.Agent("Count {{text}}.", input={"text": str}, output=Line)
    assert agent.signature == '(text :string) -> {text :string, count? :int "The default is 1."}'
    report = agent.run({"text": "a"}, model=[program('(return {:text ctx/text :count 2})')])
    assert report.value == Line(text="a", count=2)
    assert ptc.eval("(:count ctx/line)", ctx={"line": Line(text="a")}) == 1

    def repeat(line: Any) -> Any:
        return Line(text=line.text * line.count, count=line.count)

    repeat.__annotations__ = {"line": Line, "return": Line}
    found = ptc.eval('(tool/repeat {:line {:text "ab" :count 2}})', tools=[repeat])
    assert found == {"text": "abab", "count": 2}


def shop() -> ptc.Agent[Any]:
    agent = ptc.Agent("What is {{amount}} {{currency}} in EUR?", input={"amount": float, "currency": str}, output=float)

    @agent.tool(effect="read", cost=0.1)
    def rate(currency: str) -> float:
        """The rate of a currency.

        It is that of today.
        """
        return {"USD": 0.5}[currency]

    return agent


CONVERT = program("(return (* ctx/amount (tool/rate {:currency ctx/currency})))")


def test_a_run_returns_a_report() -> None:
    agent = shop()
    assert agent.tools == ["rate"]
    system, first = agent.prompt({"amount": 12, "currency": "USD"})
    assert "rate(currency :string) -> :float" in system
    assert "What is 12" in system
    assert first.startswith("This is turn 1 of 5.")
    report = agent.run({"amount": 12, "currency": "USD"}, model=[CONVERT], seed=7)
    assert (report.value, report.status, report.ended_by) == (6.0, "returned", "answer")
    assert (report.turns, report.tool_calls, report.seed, report.exit_code) == (1, 1, 7, 0)
    assert type(report.value) is float


def test_an_exception_of_a_tool_is_feedback_without_a_traceback() -> None:
    seen: list[ptc.Request] = []
    replies = iter([CONVERT, program('(fail {:reason :unknown :message "no rate"})')])

    def model(request: ptc.Request) -> str:
        seen.append(request)
        return next(replies)

    report = shop().run({"amount": 12, "currency": "GBP"}, model=model)
    assert report.status == "failed"
    assert report.fail == {"reason": "unknown", "message": "no rate", "details": None}
    with pytest.raises(ptc.NoValue, match="the run failed: unknown: no rate"):
        report.value
    feedback = seen[1].messages[-1].text
    assert "tool `rate`: KeyError: 'GBP'" in feedback
    assert "Traceback" not in feedback
    assert [it.role for it in seen[1].messages] == ["user", "assistant", "user"]
    assert seen[0].chat()[0]["role"] == "system"


def test_a_call_that_does_not_match_is_refused_before_the_function() -> None:
    found = ptc.check("(tool/rate_of {:currency 1})", tools=[rate_of])
    assert [it.code for it in found.errors] == ["tool-arguments"]
    with pytest.raises(ptc.Error, match="the result does not match: expected float"):
        ptc.eval("(tool/rate_of {:currency \"x\"})", tools=[rate_of])


def rate_of(currency: str) -> float:
    return currency  # type: ignore[return-value]


def async_model(*replies: str) -> Callable[[ptc.Request], Any]:
    left = list(replies)

    async def model(request: ptc.Request) -> ptc.Reply:
        await asyncio.sleep(0)
        return ptc.Reply(left.pop(0), usage=ptc.Usage(10, 5, cost=0.25))

    return model


def test_a_coroutine_is_a_model() -> None:
    report = shop().run({"amount": 2, "currency": "USD"}, model=async_model(CONVERT))
    assert report.value == 1.0
    assert report.usage == {"input_tokens": 10, "output_tokens": 5, "cost": 0.25}


def test_native_calls_of_a_model() -> None:
    calls = [ptc.ModelCall("1", "rate", {"currency": "USD"})]
    replies: list[ptc.Reply] = [ptc.Reply(calls=calls), ptc.Reply(calls=[ptc.ModelCall("2", "return", '{"value": 1.5}')])]
    seen: list[ptc.Request] = []

    def model(request: ptc.Request) -> ptc.Reply:
        seen.append(request)
        return replies.pop(0)

    agent = ptc.Agent("Rate?", signature="() -> :float", answers="tools", tools=[rate])
    assert agent.run(model=model).value == 1.5
    assert [it["name"] for it in seen[0].tools] == ["rate", "return", "fail"]
    assert seen[1].messages[-1].results == [{"id": "1", "name": "rate", "text": "0.5"}]


@ptc.tool(effect="read")
def rate(currency: str) -> float:
    return 0.5


def test_a_model_that_raises_stops_the_run() -> None:
    def model(request: ptc.Request) -> str:
        raise RuntimeError("no network")

    report = shop().run({"amount": 2, "currency": "USD"}, model=model)
    assert (report.status, report.stop, report.exit_code) == ("stopped", "provider", 5)
    assert report.error is not None
    assert report.error["message"] == "python:model: RuntimeError: no network"


# Keywords, and the exception.
WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: ptc.Agent(""), ptc.AgentError, "invalid-agent: `prompt` is empty"),
    (lambda: ptc.Agent("Work.", max_turn=1), ptc.AgentError, "unknown key `max_turn`"),  # type: ignore[call-overload]
    (lambda: ptc.Agent("Work.", signature="(a :strng) -> :any"), ptc.AgentError, "unknown type"),
    (lambda: ptc.Agent("{{a}}", signature="(b :int) -> :int"), ptc.AgentError, "a"),
    (lambda: ptc.Agent("Work.", input=int), TypeError, "must be a type with fields"),
    (lambda: ptc.Agent("Work.", signature="-> :int", output=int), TypeError, "a signature, or types"),
    (lambda: ptc.Agent("Work.").run(), ptc.AgentError, "unusable-model: agent `agent` names no model"),
    (lambda: ptc.Agent("Work.").run(model="foo:bar"), ptc.AgentError, "unusable-model"),
    (lambda: shop().run({"amount": "x"}, model=["a"]), ptc.AgentError, "invalid-input"),
    (lambda: shop().run(1, model=["a"]), ptc.AgentError, "invalid-input"),
    (lambda: shop().run({}, models=["a"]), TypeError, "a run has no option `models`"),  # type: ignore[call-arg]
    (lambda: shop().run({}, store="runs.db"), TypeError, "`store` must be a `ptc.Store`, and is 'runs.db'"),  # type: ignore[arg-type]
    (lambda: shop().run({}, after=3), TypeError, "`after` must be a report or the id of a run, and is 3"),  # type: ignore[arg-type]
    (lambda: shop().run({}, ask="yes"), TypeError, "`ask` must be a function or a coroutine, and is 'yes'"),  # type: ignore[arg-type]
    (lambda: shop().run({}, seed=-1), TypeError, "`seed` must be a whole number from 0, and is -1"),
    (lambda: shop().run({}, wait_at_most="1 s"), TypeError, "`wait_at_most` must be a number of seconds from 0"),  # type: ignore[arg-type]
    (lambda: ptc.Agent("Work.", model=3).run(), TypeError, "a model must be a text, replies or a function"),  # type: ignore[call-overload]
    (lambda: ptc.Agent.read("none.toml"), ptc.AgentError, "unreadable-file"),
    (lambda: ptc.tool(effects="read")(print), TypeError, "a tool has no setting `effects`"),  # type: ignore[call-overload]
]


@pytest.mark.parametrize(("make", "kind", "message"), WRONG)
def test_what_cannot_run_is_an_exception(
    make: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert message in str(caught.value)


def test_the_package_shows_its_names() -> None:
    assert dir(ptc) == sorted(ptc.__all__)
    assert all(getattr(ptc, name) is not None for name in ptc.__all__)
    with pytest.raises(AttributeError, match="module 'ptc' has no attribute 'agent'"):
        ptc.agent


def test_settings_are_those_of_agent_files() -> None:
    from ptc._agent import Settings

    page = (ROOT / "docs/agents.md").read_text()
    table = page[page.index("## Keys") : page.index("## Signatures")]
    keys = set(re.findall(r"^\| `\[*(\w+)", table, re.MULTILINE))
    # These are parameters, or methods; a default input belongs to a file.
    assert set(Settings.__annotations__) == keys - {"prompt", "program", "signature", "model", "tools", "input"}
    agent = ptc.Agent(
        "Work.",
        signature="-> :int",
        max_turns=2,
        limits={"fuel": 1000},
        budget={"tool_calls": 1},
        policy={"ask": "never"},
        answers="json",
    )
    assert agent.run(model=["41"]).value == 41


def test_an_agent_file_and_its_recording() -> None:
    agent = ptc.Agent.read(ROOT / "examples/bulletin/agent.toml")
    report = agent.run()
    assert (report.status, report.turns > 0) == ("returned", True)


def test_an_agent_is_a_tool_of_another() -> None:
    inner = ptc.Agent("Double {{n}}.", signature="(n :int) -> :int", name="double", model=None)
    outer = ptc.Agent("Work.", signature="(n :int) -> :int", tools=[inner])
    replies = [program("(return (inc (tool/double {:n ctx/n})))"), program("(return (* 2 ctx/n))")]
    report = outer.run({"n": 20}, model=replies)
    assert report.value == 41
    assert report.fields["sub_agents"]["runs"] == 1


def test_a_workflow_asks_no_model() -> None:
    flow = ptc.Agent.workflow("(return (tool/rate {:currency ctx/c}))", signature="(c :string) -> :float", tools=[rate])
    assert flow.run({"c": "USD"}).value == 0.5


def test_m127_m128_a_flow_file_starts_at_a_step_and_skips_steps() -> None:
    def mend(rating: int) -> dict[str, str]:
        return {"route": "mended"}

    def praise(rating: int) -> dict[str, str]:
        return {"route": "praised"}

    file = str(ROOT / "examples/rating/rating.flow.toml")
    flow = ptc.Agent.workflow(flow=file, payload={}, signature="(rating :int) -> :any", tools=[mend, praise])
    report = flow.run({"rating": 5})
    assert (report.value, report.payload) == ({"rating": 5, "route": "praised"}, report.value)
    assert report.fields["remarks"] == {"path": [{"step": "Mend"}, {"step": "Praise"}]}
    settings: Any = {"start_at": "Praise", "skip": ["Praise"]}
    report = flow.run({"rating": 5}, settings=settings)
    assert report.value == {"rating": 5}
    assert report.fields["remarks"] == {"path": [{"step": "Praise", "skipped": True}]}
    with pytest.raises(ptc.AgentError, match="no step `Prase`"):
        flow.run({"rating": 5}, settings={"start_at": "Prase"})


def test_events_are_typed_objects() -> None:
    stream = shop().stream({"amount": 12, "currency": "USD"}, model=[CONVERT])
    events = list(stream)
    assert [type(it).__name__ for it in events] == [
        "RunStarted",
        "TurnStarted",
        "ModelAsked",
        "ReplyText",
        "ModelReplied",
        "ProgramAdmitted",
        "CallStarted",
        "CallFinished",
        "TurnEnded",
        "RunEnded",
    ]
    call = events[7]
    assert isinstance(call, ptc.events.CallFinished)
    assert (call.tool, call.result, call.error, call.turn) == ("rate", 0.5, None, 1)
    started = events[0]
    assert isinstance(started, ptc.events.RunStarted)
    assert (started.input, started.run) == ({"amount": 12, "currency": "USD"}, stream.report.run)
    assert stream.report.value == 6.0
    with pytest.raises(RuntimeError, match="a stream is iterated once"):
        list(stream)


def test_fields_of_events_are_those_of_the_record() -> None:
    kinds = set()
    replies = [program("(println 1) (foo)"), program('(println "a") (tool/rate {:currency "X"})'), CONVERT]
    for event in shop().stream({"amount": 12, "currency": "USD"}, model=replies):
        kinds.add(event.kind)
        names = set(type(event).__dataclass_fields__) - set(ptc.Event.__dataclass_fields__)
        # The record has these fields only where they are not empty.
        assert names - {"after", "changes", "images", "settings", "sources"} <= set(event.fields), event.kind
        assert type(event) is not ptc.Event
    assert {"printed", "program-rejected", "call-finished"} <= kinds


def test_every_kind_of_event_is_a_class() -> None:
    page = (ROOT / "docs/observability.md").read_text()
    kinds = re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| [^|]*\|$", page, re.MULTILINE)
    assert kinds[:2] == ["event", "run-started"]
    assert {kind._kind for kind in ptc.Event.__subclasses__()} == set(kinds[1 : kinds.index("run-ended") + 1])


def test_records_are_shown_replayed_and_exported(tmp_path: Path) -> None:
    store = ptc.Store(tmp_path / "runs.db")
    report = shop().run({"amount": 12, "currency": "USD"}, model=[CONVERT], store=store)
    assert [it["run"] for it in store.runs()] == [report.run]
    assert store.show(report.run)["value"] == 6.0
    replayed = store.replay(report.run)
    assert (replayed.differences, replayed.drift, replayed.missing) == ([], [], None)
    assert replayed.report is not None
    assert replayed.report.value == 6.0
    changed = store.replay(report.run, turn=1, program="(return 7.5)")
    assert changed.report is not None
    assert changed.report.value == 7.5
    store.export(report.run, tmp_path / "run.jsonl")
    other = ptc.Store()
    assert other.import_runs(tmp_path / "run.jsonl") == [report.run]
    assert other.show(report.run)["value"] == 6.0
    with pytest.raises(ptc.AgentError, match="unknown-run"):
        store.show("nothing")


def test_origins_of_arguments() -> None:
    store = ptc.Store()
    agent = ptc.Agent.read(ROOT / "examples/labels/agent.toml")
    report = agent.run({"boss": "boss@corp.example"}, store=store)
    refused, made = store.why(report.run, "mail")
    assert (refused.turn, refused.call, refused.tool, refused.args) == (2, None, "mail", None)
    assert refused.labels == [
        ptc.LabelOrigin(
            "to",
            "untrusted",
            "the model, which read inbox",
            True,
            ['"eve@evil.example"'],
            'untrusted_to = "deny"',
        )
    ]
    assert (made.turn, made.call, made.error, made.args["to"]) == (3, "1", None, "boss@corp.example")
    assert [(it.argument, it.origin, it.rule) for it in made.labels] == [
        ("body", "the model, which read inbox", None),
        ("body", "inbox", None),
    ]
    assert store.why(report.run, "3.1", "to") == [
        ptc.CallOrigins(3, "1", "mail", made.args, None, [])
    ]
    with pytest.raises(ptc.AgentError, match="unknown-call"):
        store.why(report.run, "send")


ASK = '(return (:n (ask {:title "How many?" :fields "(n :int)"})))'


def test_a_waiting_run_is_answered_later() -> None:
    store = ptc.Store()
    agent = ptc.Agent("Ask.", signature="-> :int")
    report = agent.run(model=[program(ASK)], store=store)
    assert (report.status, report.exit_code) == ("waiting", 6)
    with pytest.raises(ptc.NoValue, match="the run waits"):
        report.value
    assert report.questions[0]["form"]["title"] == "How many?"
    with pytest.raises(ptc.AgentError, match="invalid-input"):
        agent.answer(report.run, {"n": "x"}, store=store, model=["unused"])
    done = agent.answer(report.run, {"n": 3}, store=store, model=["unused"])
    assert (done.run, done.value) == (report.run, 3)
    with pytest.raises(ptc.AgentError, match="cannot be resumed"):
        agent.resume(report.run, store=store, model=["unused"])


def test_runs_are_answered_resumed_and_replayed_on_an_event_loop() -> None:
    store = ptc.Store()
    agent = ptc.Agent("Ask.", signature="-> :int", tools=[same_loop])
    source = '(return (+ (:n (ask {:title "How many?" :fields "(n :int)"})) (tool/same_loop {})))'

    async def down(request: ptc.Request) -> str:
        raise RuntimeError("down")

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        stopped = await agent.run_async(model=down, store=store)
        assert stopped.stop == "provider"
        seen: list[str] = []
        waiting = await agent.resume_async(
            stopped.run, store=store, model=async_model(program(source)), on_event=lambda it: seen.append(it.kind)
        )
        assert (waiting.status, waiting.run) == ("waiting", stopped.run)
        assert (seen[0], seen[-1]) == ("run-resumed", "run-ended")
        with pytest.raises(ptc.AgentError, match="invalid-input"):
            await agent.answer_async(waiting.run, {"n": "x"}, store=store, model=[])
        done = await agent.answer_async(waiting.run, {"n": 3}, store=store, model=[])
        assert (done.value, done.run) == (4, stopped.run)
        replayed = await store.replay_async(done.run)
        assert (replayed.differences, replayed.missing) == ([], None)
        with pytest.raises(TypeError, match="`turn` and `program` belong together"):
            await store.replay_async(done.run, turn=1)

    asyncio.run(main())


loops: list[asyncio.AbstractEventLoop] = []


async def same_loop() -> int:
    assert asyncio.get_running_loop() is loops[-1]
    return 1


def test_an_exception_of_on_event_does_not_end_the_run(caplog: pytest.LogCaptureFixture) -> None:
    """M12: a function that fails is in the report and on record, and changes nothing else."""
    agent, store = ptc.Agent("Work.", signature="-> :int"), ptc.Store()
    seen: list[str] = []

    def broken(event: ptc.Event) -> None:
        seen.append(event.kind)
        if event.kind in ("turn-started", "turn-ended"):
            raise ValueError("boom")

    message = "`on_event` failed 2 times, and the run went on: ValueError: boom"
    warning = {"code": "observer-failed", "kind": "other", "message": message, "line": None, "column": None, "help": None}
    source = [program("(return 7)")]
    for report in (
        agent.run(model=source, store=store, on_event=broken),
        asyncio.run(agent.run_async(model=async_model(*source), store=store, on_event=broken)),
    ):
        recorded = store.show(report.run)["warnings"]
        assert [(it["code"], it["message"]) for it in recorded] == [("observer-failed", message)]
        replayed = store.replay(report.run)
        assert (replayed.report.warnings, replayed.differences) == ([], [])
        assert (report.value, report.warnings, report.fields["warnings"]) == (7, [warning], [warning])
        assert seen[-1] == "run-ended"
    assert [it.message for it in caplog.records] == ["`on_event` failed: the run goes on"] * 2

    def stop(event: ptc.Event) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        agent.run(model=source, on_event=stop)


def test_a_replay_is_cancelled() -> None:
    store = ptc.Store()
    agent = ptc.Agent("Work.", signature="-> :int", limits={"fuel": 10**15, "program_time": 3600}, timeout=3600)
    run = agent.run(model=[program("(return 1)")], store=store).run

    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            endless = store.replay_async(run, turn=1, program="(loop [] (recur))")
            await asyncio.wait_for(endless, 0.3)

    asyncio.run(main())


@pytest.mark.parametrize("is_async", [False, True])
def test_a_callback_answers_questions(is_async: bool) -> None:
    asked: list[ptc.Question] = []

    def answer(question: ptc.Question) -> dict[str, Any]:
        asked.append(question)
        return {"n": "x"} if len(asked) == 1 else {"n": 5}

    async def later(question: ptc.Question) -> dict[str, Any]:
        return answer(question)

    agent = ptc.Agent("Ask.", signature="-> :int")
    report = agent.run(model=[program(ASK)], ask=later if is_async else answer)
    assert report.value == 5
    assert [len(it.problems) for it in asked] == [0, 1]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_failed_answer_leaves_a_question_open_and_is_logged(
    is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(question: ptc.Question) -> None:
        raise ValueError("no person")

    async def later(question: ptc.Question) -> None:
        answer(question)

    agent = ptc.Agent("Ask.", signature="-> :int")
    ask = later if is_async else answer
    assert agent.run(model=[program(ASK)], ask=ask, store=ptc.Store()).status == "waiting"
    assert [(it.name, it.message) for it in caplog.records] == [("ptc", "`ask` failed: the question stays open")]
    assert "ValueError: no person" in caplog.text


def test_an_interrupted_run_is_resumed() -> None:
    store = ptc.Store()
    agent = ptc.Agent("Work.", signature="-> :int")

    def model(request: ptc.Request) -> str:
        raise RuntimeError("down")

    report = agent.run(model=model, store=store)
    assert report.stop == "provider"
    assert agent.resume(report.run, store=store, model=[program("(return 4)")]).value == 4


def test_a_recording_goes_on_behind_the_replies_of_a_resumed_run(tmp_path: Path) -> None:
    recording = tmp_path / "replies.jsonl"
    replies = [program('(def n (:n (ask {:title "How many?" :fields "(n :int)"})))'), program("(return n)")]
    recording.write_text("".join(json.dumps({"text": it}) + "\n" for it in replies))
    store = ptc.Store()
    agent = ptc.Agent("Ask.", signature="-> :int")
    model = f"recorded:{recording}"
    waiting = agent.run(model=model, store=store)
    assert (waiting.status, waiting.turns) == ("waiting", 1)
    assert agent.answer(waiting.run, {"n": 5}, store=store, model=model).value == 5


def test_a_changed_workflow_continues_if_the_change_is_accepted() -> None:
    store = ptc.Store()
    first = ptc.Agent.workflow('(if ctx/state (ask {:title "Go on?"}) (flow/continue 1))', name="flow")
    waiting = first.run(store=store)
    assert waiting.status == "waiting"
    second = ptc.Agent.workflow("(if ctx/state (+ 1 ctx/state) (flow/continue 1))", name="flow")
    with pytest.raises(ptc.AgentError, match="has changed"):
        second.resume(waiting.run, store=store)
    assert second.resume(waiting.run, store=store, accept_change=True).value == 2


def test_a_run_follows_another_in_a_conversation(tmp_path: Path) -> None:
    agent = ptc.Agent("Answer {{message}}", signature="(message :string) -> :any", name="chat")
    path = tmp_path / "runs.db"
    first = agent.run({"message": "one"}, model=[program('(def k 7) (memory/put :n 1) (return "a")')], store=ptc.Store(path))
    # The report brings its store.
    second = agent.run({"message": "two"}, model=[program("(return (+ k (memory/get :n)))")], after=first)
    assert second.value == 8
    stream = agent.stream({"message": "three"}, model=[program("(return k)")], store=ptc.Store(path), after=second.run)
    started = list(stream)[0]
    assert isinstance(started, ptc.events.RunStarted)
    assert started.after == {"run": second.run, "first": first.run, "exchanges": 2}
    assert stream.report.value == 7


def test_messages_of_a_conversation_reach_the_model_and_the_record() -> None:
    agent = ptc.Agent("Answer {{message}}", signature="(message :string) -> :any", name="chat")
    other = ptc.Agent("Answer {{message}}", signature="(message :string) -> :any", name="other")
    store = ptc.Store()
    first = agent.run({"message": "one"}, model=[program('(def k 7) (return "a")')], store=store)
    asked: list[ptc.Request] = []

    async def model(request: ptc.Request) -> str:
        asked.append(request)
        return program("(return [(:content (conversation/first :user)) k])")

    second = asyncio.run(agent.run_async({"message": "two"}, model=model, after=first))
    assert second.value == ["one", 7]
    assert "user:\n    one\nyou:\n    a\n" in asked[0].messages[0].text
    assert [it["run"] for it in store.runs(conversation=first.run)] == [second.run, first.run]
    assert store.runs()[0]["conversation"] == {"first": first.run, "after": first.run, "message": 2}
    assert store.replay(second.run).differences == []
    with pytest.raises(ptc.AgentError, match=f"run {first.run} is a run of agent `chat`, not of `other`"):
        other.run({"message": "two"}, model=["unused"], after=first)
    with pytest.raises(ptc.AgentError, match="unknown-run"):
        agent.run({"message": "two"}, model=["unused"], store=store, after="nothing")
    with pytest.raises(ptc.AgentError, match="a run follows one of a store, and none is given"):
        agent.run({"message": "two"}, model=["unused"], after=first.run)


def test_runs_share_an_event_loop() -> None:
    running = most = 0

    async def work(n: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        assert asyncio.get_running_loop() is loop
        await asyncio.sleep(0.2)
        running -= 1
        return n + 1

    loop: asyncio.AbstractEventLoop

    async def main() -> list[int]:
        nonlocal loop
        loop = asyncio.get_running_loop()
        agent = ptc.Agent("Add one to {{n}}.", input={"n": int}, output=int, tools=[work])

        async def model(request: ptc.Request) -> str:
            return program("(return (tool/work {:n ctx/n}))")

        runs = (agent.run_async({"n": n}, model=model) for n in range(1_000))
        return [report.value for report in await asyncio.gather(*runs)]

    assert asyncio.run(main()) == list(range(1, 1_001))
    # Each run waits for its call while the others work.
    assert most > 100


REQUEST: contextvars.ContextVar[str] = contextvars.ContextVar("REQUEST", default="none")


def request() -> str:
    return REQUEST.get()


async def request_later() -> str:
    return REQUEST.get()


@pytest.mark.parametrize("tool", [request, request_later])
def test_callbacks_have_the_context_of_the_caller(tool: Callable[[], Any]) -> None:
    source = f"(return (tool/{tool.__name__} {{}}))"

    def model(asked: ptc.Request) -> str:
        return program(f'(return (str "{REQUEST.get()} " (tool/{tool.__name__} {{}})))')

    agent = ptc.Agent("Work.", output=str, tools=[tool])

    async def one(name: str) -> list[str]:
        REQUEST.set(name)
        return [(await agent.run_async(model=model)).value, await ptc.eval_async(source, tools=[tool])]

    async def main() -> list[list[str]]:
        return list(await asyncio.gather(one("a"), one("b")))

    assert asyncio.run(main()) == [["a a", "a"], ["b b", "b"]]
    token = REQUEST.set("c")
    try:
        assert agent.run(model=model).value == "c c"
        assert ptc.eval(source, tools=[tool]) == "c"
    finally:
        REQUEST.reset(token)


def test_m36_tools_alone_read_the_context(tmp_path: Path) -> None:
    def tenant() -> Any:
        return ptc.context().get("tenant")

    async def echo() -> Any:
        await asyncio.sleep(0)
        return ptc.context().get("token")

    agent = ptc.Agent.workflow("[(tool/tenant {}) (tool/echo {})]", tools=[tenant, echo])
    store = ptc.Store(tmp_path / "runs.sqlite")
    given = {"tenant": "acme", "token": "tok-0123456789"}
    events: list[Any] = []
    report = agent.run(context=given, store=store, on_event=events.append)
    assert report.value == ["acme", "[context.token]"]
    store.export(report.run, tmp_path / "run.jsonl")
    written = (tmp_path / "run.jsonl").read_text()
    assert "tok-0123456789" not in repr(events) + repr(report) + written
    assert store.replay(report.run).differences == []
    assert agent.run().value == [None, None]
    assert ptc.context() == {}

    async def both() -> list[Any]:
        runs = [agent.run_async(context={"tenant": name}) for name in ["a", "b"]]
        return [report.value for report in await asyncio.gather(*runs)]

    assert asyncio.run(both()) == [["a", None], ["b", None]]
    typed = ptc.Agent.workflow("1", context_signature="{tenant :string}")
    with pytest.raises(ptc.AgentError, match="`tenant` is missing"):
        typed.run(context={})


def test_m33_m46_sources_are_loaded_before_a_run(tmp_path: Path) -> None:
    (tmp_path / "orders.json").write_text('{"items": [{"total": 40}, {"total": 2}]}')
    orders: dict[str, Any] = {"name": "orders", "file": str(tmp_path / "orders.json"), "select": "(:items ctx/loaded)"}
    rate: dict[str, Any] = {"name": "rate", "tool": "rate", "args": {"of": "{{context.tenant}}"}, "into": "context"}

    def find(of: str) -> Any:
        return {"of": of, "n": 2}

    def times(n: int) -> int:
        return n * int(ptc.context()["rate"]["n"])

    tools = [ptc.tool(find, name="rate", effect="read"), ptc.tool(times, effect="read")]
    source = "(tool/times {:n (reduce + (map :total (or ctx/orders [])))})"
    agent = ptc.Agent.workflow(source, tools=tools, sources=[orders, rate])
    store, events = ptc.Store(), list[Any]()
    report = agent.run(context={"tenant": "acme"}, store=store, on_event=events.append)
    assert report.value == 84
    loaded = [
        {"name": "orders", "into": "ctx", "path": "orders", "state": "loaded", "rows": 2, "bytes": 40},
        {"name": "rate", "into": "context", "path": "rate", "state": "loaded", "bytes": 19},
    ]
    assert report.sources == events[0].sources == store.show(report.run)["sources"] == loaded
    assert store.replay(report.run).differences == []
    assert "acme" not in repr(events)

    settings: Any = {"sources": {"orders": False}, "keys": {"openai": "ACME_KEY"}}
    report = agent.run(context={"tenant": "acme"}, settings=settings, store=store, on_event=events.append)
    assert [it["state"] for it in report.sources] == ["off", "loaded"]
    assert events[-1].kind == "run-ended"
    started = [it for it in events if isinstance(it, ptc.events.RunStarted)]
    assert [it.settings for it in started] == [None, [settings]]
    assert store.show(report.run)["settings"] == [settings]


def test_functions_do_not_block_other_runs() -> None:
    both = threading.Barrier(2, timeout=20)

    def meet(n: int) -> int:
        return both.wait() * 0 + n

    async def main() -> list[int]:
        agent = ptc.Agent("Work.", input={"n": int}, output=int, tools=[meet])
        model = [program("(return (tool/meet {:n ctx/n}))")]
        runs = (agent.run_async({"n": n}, model=model) for n in range(2))
        return [report.value for report in await asyncio.gather(*runs)]

    assert asyncio.run(main()) == [0, 1]


def test_events_of_an_async_stream() -> None:
    async def main() -> list[str]:
        stream = shop().stream({"amount": 12, "currency": "USD"}, model=async_model(CONVERT))
        kinds = [event.kind async for event in stream]
        assert stream.report.value == 6.0
        return kinds

    kinds = asyncio.run(main())
    assert (kinds[0], kinds[-1]) == ("run-started", "run-ended")


def test_a_cancelled_task_cancels_its_run() -> None:
    store = ptc.Store()
    ended = threading.Event()

    async def forever() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    async def main() -> None:
        agent = ptc.Agent("Work.", tools=[forever])
        model = [program("(tool/forever {})")]
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(agent.run_async(model=model, store=store), 0.5)
        for _ in range(200):
            if ended.is_set() and store.runs()[0]["stop"] == "cancelled":
                return
            await asyncio.sleep(0.05)

    asyncio.run(main())
    assert ended.is_set()
    assert store.runs()[0]["stop"] == "cancelled"


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_cancels_a_run() -> None:
    code = """
import time, ptc
store = ptc.Store()
def block(): time.sleep(30)
agent = ptc.Agent("Work.", tools=[block])
print("ready", flush=True)
try:
    agent.run(model=["```clojure\\n(tool/block {})\\n```"], store=store)
except KeyboardInterrupt:
    print("interrupted", store.runs()[0]["stop"], flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    # The function that sleeps does not keep the process.
    assert (out, child.returncode) == ("interrupted cancelled\n", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_cancels_an_async_run() -> None:
    code = """
import asyncio, ptc
store = ptc.Store()
async def wait():
    print("ready", flush=True)
    await asyncio.sleep(3600)
agent = ptc.Agent("Work.", tools=[wait])
async def main():
    try:
        await agent.run_async(model=["```clojure\\n(tool/wait {})\\n```"], store=store)
    finally:
        # The run ends on a thread of the package.
        while store.runs()[0]["status"] == "running":
            await asyncio.sleep(0.01)
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted", store.runs()[0]["stop"], flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    assert (out, child.returncode) == ("interrupted cancelled\n", 0)


def test_a_function_that_ends_while_python_ends_does_no_harm() -> None:
    code = """
import asyncio, sys, time, ptc
class Slow:
    def __del__(self, sleep=time.sleep): sleep(1)
sys.slow = Slow()
def block(): time.sleep(0.8)
agent = ptc.Agent("Work.", tools=[block])
async def main():
    await asyncio.wait_for(agent.run_async(model=["```clojure\\n(tool/block {})\\n```"]), 0.3)
try:
    asyncio.run(main())
except asyncio.TimeoutError:
    print("cancelled")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("cancelled\n", "", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_runs_agents_and_opens_its_own_store() -> None:
    store = ptc.Store()
    agent = shop()
    assert agent.run({"amount": 12, "currency": "USD"}, model=[CONVERT], store=store).value == 6.0
    child = os.fork()
    if child == 0:
        # Only the code tells the parent anything.
        code = 1
        try:
            value = agent.run({"amount": 12, "currency": "USD"}, model=[CONVERT]).value
            store.runs()
        except RuntimeError as error:
            is_told = str(error) == "the store was opened before a fork: open it again"
            code = int(value) if is_told else 2
        os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 6


def desk() -> ptc.Agent[Any]:
    agent = ptc.Agent("Look.", signature="() -> :any")

    @agent.tool(effect="read")
    def orders() -> str:
        """The orders of a desk."""
        return "orders"

    @agent.tool(effect="write")
    def refund() -> str:
        """The refund of a desk."""
        return "refund"

    return agent


SHOWN = program('(return (mapv :name (tools/search "desk")))')


def test_settings_of_a_run(tmp_path: Path) -> None:
    agent = desk()
    run = lambda settings: agent.run(model=[SHOWN], settings=settings).value  # noqa: E731
    assert agent.run(model=[SHOWN]).value == ["orders", "refund"]
    assert run({"tools": {"effects": "read"}}) == ["orders"]
    assert run({"tools": {"allow": ["ref*"]}}) == ["refund"]
    assert run([{"tools": {"remove": ["refund"]}}, {"for": "children", "tools": {"remove": ["*"]}}]) == ["orders"]
    path = tmp_path / "settings.toml"
    path.write_text('tools.remove = ["orders"]\n')
    assert run(path) == run(str(path)) == ["refund"]
    # The next run is as before.
    assert agent.run(model=[SHOWN]).value == ["orders", "refund"]


def test_settings_add_tools_of_python() -> None:
    def added() -> str:
        """Another tool of a desk."""
        return "added"

    other = ptc.Agent("Look.", name="other", description="Another agent of a desk.")
    table = {"name": "constant", "returns": 1, "description": "A constant of a desk."}
    store = ptc.Store()
    settings: Any = {"tools": {"remove": ["*"], "add": [added, other, table]}}
    source = program('(return [(mapv :name (tools/search "desk")) (call "added") (call "constant")])')
    report = desk().run(model=[source], settings=settings, store=store)
    assert report.value == [["constant", "added", "other"], "added", 1]
    recorded = store.show(report.run)["settings"][0]
    assert recorded["tools"]["remove"] == ["*"]
    assert [it["name"] for it in recorded["tools"]["add"]] == ["constant", "added", "other"]
    assert store.replay(report.run).differences == []


def test_results_expire_by_the_rules_of_agents_tools_and_runs() -> None:
    agent = ptc.Agent("Read.", max_turns=9, transcript={"result_turns": 5, "result_length": 10})

    @agent.tool(effect="read", result_turns=1)
    def page() -> str:
        """A page."""
        return "word " * 100

    turns = [program(it) for it in ("(tool/page {})", "(tool/page {})", "(transcript/expand 1)", "(return 1)")]

    def changes(settings: Any = None) -> list[tuple[int, str, int]]:
        seen: list[ptc.events.ModelAsked] = []

        def on_event(event: ptc.Event) -> None:
            if isinstance(event, ptc.events.ModelAsked):
                seen.append(event)

        agent.run(model=turns, on_event=on_event, settings=settings)
        return [(it.turn or 0, str(change["did"]), int(change["turn"])) for it in seen for change in it.changes or []]

    own = [(3, "shortened", 1), (4, "expanded", 1), (4, "shortened", 2)]
    assert changes() == own
    assert changes({"transcript": {"result_after": "remove"}}) == [
        (turn, did.replace("shortened", "removed"), of) for turn, did, of in own
    ]
    assert changes({"transcript": {"result_turns": 9}}) == []
    with pytest.raises(ptc.AgentError, match="`result_turns` of tool `page` is 0"):
        ptc.Agent("Read.", tools=[ptc.tool(name="page", result_turns=0)(lambda: "")]).run(model=turns)
    with pytest.raises(ValueError, match="unknown variant `later`"):
        wrong: Any = {"name": "page", "result_after": "later"}
        ptc.Agent("Read.", tools=[ptc.tool(**wrong)(lambda: "")]).run(model=turns)


def test_wrong_settings() -> None:
    agent = desk()
    with pytest.raises(ptc.AgentError, match="unknown key `tool`"):
        agent.run(model=[SHOWN], settings={"tool": {}})  # type: ignore[typeddict-unknown-key]
    with pytest.raises(TypeError, match="`settings` must be a dictionary, a list of them or the path of a file"):
        agent.run(model=[SHOWN], settings=3)  # type: ignore[arg-type]
    with pytest.raises(ptc.AgentError, match="is not the name of an environment variable") as caught:
        agent.run(model=[SHOWN], settings={"keys": {"openai": "sk-very-secret"}})
    assert "very" not in str(caught.value)


def test_a_resumed_run_has_its_settings() -> None:
    agent, store = desk(), ptc.Store()

    def late() -> str:
        return "late"

    settings: Any = {"tools": {"remove": ["refund"], "add": [late]}}
    source = program('(return [(ask "Which?") (mapv :name (tools/search "desk")) (call "late")])')
    waiting = agent.run(model=[source], settings=settings, store=store)
    assert waiting.status == "waiting"
    with pytest.raises(ptc.AgentError, match="add `late`, and no file has it"):
        agent.answer(waiting.run, "this", store=store, model=["unused"])
    report = agent.answer(waiting.run, "this", store=store, model=["unused"], settings=settings)
    assert report.value == ["this", ["orders"], "late"]
