"""Programs without a model: values, tools, limits, errors."""

from __future__ import annotations

import asyncio
import datetime
import decimal
import enum
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
from collections import OrderedDict, UserDict, namedtuple
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pytest

import ptc


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Order:
    id: int
    when: datetime.date


Point = namedtuple("Point", "x y")

# An object, and the value that a program gives back for it.
THROUGH: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (0, 0),
    (-(2**63), -(2**63)),
    (2**63, 2**63),
    (-(2**200), -(2**200)),
    (1.5, 1.5),
    ("ü\U0001f600", "ü\U0001f600"),
    ([1, [2, []]], [1, [2, []]]),
    ((1, "a"), [1, "a"]),
    ({"a": {"b": [1]}}, {"a": {"b": [1]}}),
    ({1: "a", (1, 2): "b", None: "c"}, {1: "a", (1, 2): "b", None: "c"}),
    ({1, 2}, {1, 2}),
    ({frozenset({1}), (1, 2)}, {frozenset({1}), (1, 2)}),
    (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (MappingProxyType({"a": 1}), {"a": 1}),
    (UserDict({"a": 1}), {"a": 1}),
    (Point(1, 2), [1, 2]),
    (range(3), [0, 1, 2]),
    (Colour.RED, "red"),
    (Order(1, datetime.date(2026, 11, 25)), {"id": 1, "when": "2026-11-25"}),
    (datetime.timedelta(minutes=1), 60.0),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (decimal.Decimal("1.5"), 1.5),
    (decimal.Decimal(10**30), 10**30),
]


@pytest.mark.parametrize(("given", "expected"), THROUGH)
def test_values_pass_through_a_program(given: Any, expected: Any) -> None:
    found = ptc.eval("ctx/x", ctx={"x": given})
    assert (found, type(found)) == (expected, type(expected))


# A program, and its value.
PROGRAMS: list[tuple[str, Any]] = [
    ("(list :a 'b \"c\")", ["a", "b", "c"]),
    ("{:a 1 :b nil}", {"a": 1, "b": None}),
    ("#{{:a 1}}", {(("a", 1),)}),
    ("(map inc [1 2])", [2, 3]),
    ("(return {:n (* 2 21)})", {"n": 42}),
    ("(java.time.LocalDate/parse \"2026-11-25\")", "2026-11-25"),
    ("##Inf", float("inf")),
]


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_programs_give_objects(program: str, expected: Any) -> None:
    assert ptc.eval(program) == expected


def cyclic() -> list[Any]:
    items: list[Any] = []
    items.append([items])
    return items


# An object, and the exception about it.
REFUSED: list[tuple[Any, type[Exception], str]] = [
    ({"a": [1, object()]}, TypeError, "ctx.a[1]: a `object` has no form in a program"),
    ({"a": b"x"}, TypeError, "ctx.a: a `bytes` has no form in a program"),
    ([1], TypeError, "ctx must be a mapping, and is of kind vector"),
    ({"a": cyclic()}, ValueError, "ctx is nested deeper than 10000 levels, or contains itself"),
    ({"a": "\ud800"}, ValueError, "surrogates not allowed"),
]


@pytest.mark.parametrize(("given", "kind", "message"), REFUSED)
def test_other_objects_are_refused(given: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        ptc.eval("1", ctx=given)
    assert message in str(caught.value)


def test_deep_values_need_no_stack() -> None:
    deep: Any = 1
    for _ in range(9_000):
        deep = [deep]
    found = ptc.eval("ctx/x", ctx={"x": deep})
    levels = 0
    while isinstance(found, list):
        found, levels = found[0], levels + 1
    assert (found, levels) == (1, 9_000)


# A program, the keywords, and the code, the place and the message of its first problem.
ERRORS: list[tuple[str, dict[str, Any], str, tuple[int, int] | None, str]] = [
    ("(+ 1\n  (foo 2))", {}, "unknown-name", (2, 4), "`foo` is not defined"),
    ("(+ 1 :a)", {}, "wrong-type", (1, 1), "`+` expects numbers, its second argument is a keyword :a"),
    (
        "(loop [] (recur))",
        {"fuel": 1000},
        "fuel-limit",
        (1, 10),
        "the program used up its fuel of 1000 units of work",
    ),
    (
        "(loop [v 1 n 0] (if (< n 40) (recur [v v] (inc n)) v))",
        {},
        "result-size-limit",
        (1, 17),
        "the result is larger as JSON than the limit of 4194304 bytes",
    ),
    ("inc", {}, "not-json", None, "the value has a function, which has no form outside programs"),
]


@pytest.mark.parametrize(("program", "options", "code", "place", "message"), ERRORS)
def test_errors_are_exceptions(
    program: str,
    options: dict[str, Any],
    code: str,
    place: tuple[int, int] | None,
    message: str,
) -> None:
    with pytest.raises(ptc.Error) as caught:
        ptc.eval(program, **options)
    error = caught.value
    found = None if error.line is None else (error.line, error.column)
    assert (error.code, found, error.message) == (code, place, message)
    same = pickle.loads(pickle.dumps(error))
    assert (type(same), same.problems) == (ptc.Error, error.problems)


def test_an_error_is_drawn_as_in_a_terminal() -> None:
    with pytest.raises(ptc.Error) as caught:
        ptc.eval("(+ 1\n  (foo 2))")
    error = caught.value
    assert error.help == "define it with `def` or `let`, or use another name"
    assert str(error) == "unknown-name: `foo` is not defined at 2:4"
    assert error.rendering == (
        "unknown-name\n\n"
        "  × `foo` is not defined\n"
        "   ╭─[program:2:4]\n"
        " 1 │ (+ 1\n"
        " 2 │   (foo 2))\n"
        "   ·    ─┬─\n"
        "   ·     ╰── here\n"
        "   ╰────\n"
        "  help: define it with `def` or `let`, or use another name\n"
    )
    assert error.__notes__ == [error.rendering.rstrip("\n")]


def test_fail_is_an_exception_of_its_own() -> None:
    with pytest.raises(ptc.Failed) as caught:
        ptc.eval('(fail {:reason :no-data :message "nothing here" :n 1})')
    error = caught.value
    assert (error.reason, error.message) == ("no-data", "nothing here")
    assert error.details == {"reason": "no-data", "message": "nothing here", "n": 1}
    assert str(error) == "no-data: nothing here"


def test_a_session_keeps_what_programs_leave() -> None:
    session = ptc.Session({"n": 2}, memory={"seen": 1}, seed=7)
    first = session.run('(println "hello") (def k 20) (memory/put :seen 3)')
    assert first.prints == ["hello"]
    assert session.eval("[(* k ctx/n) (memory/get :seen)]") == [40, 3]
    assert (session.memory, session.seed) == ({"seen": 3}, 7)
    with pytest.raises(ptc.Error):
        session.eval("(memory/put :seen 4) (/ 1 0)")
    assert session.memory == {"seen": 3}
    assert session.run("(return 1)").returned
    draws = [ptc.eval("(rand-int 1000000)", seed=7) for _ in range(2)]
    assert draws[0] == draws[1]


def test_a_program_is_repaired_where_that_is_asked_for() -> None:
    with pytest.raises(ptc.Error) as caught:
        ptc.eval("(return (count [1 2])")
    assert caught.value.code == "unclosed-delimiter"
    done = ptc.Session().run("(return (count [1 2])", repair=True)
    assert (done.value, done.repair) == (
        2,
        "added `)` at line 1, column 22, which closes `(return …` of line 1",
    )


def test_a_check_tells_what_a_program_can_touch() -> None:
    @ptc.tool(effect="read", cost=0.5)
    def rate(currency: str) -> float:
        """The rate of a currency."""
        raise AssertionError("a check calls nothing")

    found = ptc.check("(map (fn [c] (tool/rate {:currency c})) [:a :b])", tools=[rate])
    assert found
    report = found.report
    assert report is not None
    tool = report["tools"][0]
    assert (tool["name"], tool["effect"], tool["at_most"]) == ("rate", "read", 2)
    assert (report["can_write"], report["worst_cost"]) == (False, 1.0)
    refused = ptc.check("(foo) (bar)")
    assert not refused
    assert [it.message for it in refused.errors] == [
        "`foo` is not defined",
        "`bar` is not defined",
    ]


def test_limits_are_those_of_the_table() -> None:
    from ptc import _ptc
    from ptc._session import Limits

    names = {"live_bytes" if name == "memory" else name for name, _, _ in _ptc.limits()}
    assert names == set(Limits.__annotations__)
    with pytest.raises(ValueError, match="the limit `fuel` must be a whole number"):
        ptc.eval("1", fuel=-1)
    with pytest.raises(ValueError, match="there is no limit `foo`; the limits are fuel, memory"):
        ptc.eval("1", foo=1)  # type: ignore[call-arg]
    with pytest.raises(ptc.Error) as caught:
        ptc.eval("(vec (range 100000))", live_bytes=1000)
    assert caught.value.code == "memory-limit"


def test_functions_run_on_the_thread_of_the_program() -> None:
    db = sqlite3.connect(":memory:")
    here = threading.get_ident()

    def total(n: int) -> int:
        assert threading.get_ident() == here
        return int(db.execute("select 2 * ?", [n]).fetchone()[0])

    done = ptc.Session(tools={"twice": total}).run("(map (fn [n] (tool/twice {:n n})) [1 2])")
    assert done.value == [2, 4]
    assert done.calls == [
        ptc.Call("twice", {"n": 1}, 2, None),
        ptc.Call("twice", {"n": 2}, 4, None),
    ]


def test_coroutines_run_side_by_side() -> None:
    running = 0
    most = 0

    async def square(n: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.05)
        running -= 1
        return n * n

    program = "(pmap (fn [n] (tool/square {:n n})) (range 8))"
    assert ptc.eval(program, tools=[square]) == [n * n for n in range(8)]
    assert most == 8


class Text(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


# The exception of a tool, and the message, the help and the data of the failed call.
FAILURES: list[tuple[BaseException, str, str | None]] = [
    (ValueError("out of paper"), "tool `print`: ValueError: out of paper", None),
    (KeyError("x"), "tool `print`: KeyError: 'x'", None),
    (AssertionError(), "tool `print`: AssertionError", None),
    (ptc.ToolError("no such page", help="use 1"), "tool `print`: no such page", "use 1"),
    (Text(), "tool `print`: failed", None),
]


@pytest.mark.parametrize(("raised", "message", "help"), FAILURES)
@pytest.mark.parametrize("is_async", [False, True])
def test_an_exception_is_the_error_of_its_call(
    raised: BaseException, message: str, help: str | None, is_async: bool
) -> None:
    def now() -> None:
        raise raised

    async def later() -> None:
        raise raised

    tools = {"print": later if is_async else now}
    caught_in_program = "(try (tool/print {}) (catch Exception e (:message (ex-data e))))"
    assert "tool `print`: " + ptc.eval(caught_in_program, tools=tools) == message
    with pytest.raises(ptc.Error) as caught:
        ptc.eval("(tool/print {})", tools=tools)
    assert (caught.value.message, caught.value.help) == (message, help)
    assert "Traceback" not in caught.value.rendering
    assert caught.value.__cause__ is raised


def test_a_result_without_a_form_is_the_error_of_its_call() -> None:
    with pytest.raises(ptc.Error) as caught:
        ptc.eval("(tool/f {})", tools={"f": lambda: [1, object()]})
    assert caught.value.message == (
        "tool `f`: gave a result without a JSON form: "
        "the result[1]: a `object` has no form in a program"
    )


def test_an_exit_in_a_tool_ends_the_program() -> None:
    def leave() -> None:
        raise SystemExit(3)

    program = "(try (tool/leave {}) (catch Exception e 1))"
    with pytest.raises(SystemExit):
        ptc.eval(program, tools=[leave])


def test_a_tool_may_run_a_program_and_not_its_own_session() -> None:
    def nested(n: int) -> Any:
        return ptc.eval("(* 2 (tool/inner {:n ctx/n}))", ctx={"n": n}, tools={"inner": inner})

    async def inner(n: int) -> int:
        return n + 1

    assert ptc.eval("(tool/nested {:n 20})", tools=[nested]) == 42
    session: ptc.Session

    def again() -> Any:
        return session.eval("1")

    session = ptc.Session(tools=[again])
    with pytest.raises(ptc.Error, match="RuntimeError: the session is running another program"):
        session.eval("(tool/again {})")


def test_wrong_tools_are_refused() -> None:
    with pytest.raises(TypeError, match="a tool must be callable, and is a `int`"):
        ptc.eval("1", tools={"a": 1})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a function without a name needs one: `tools="):
        ptc.eval("1", tools=[lambda n: n])
    assert ptc.eval("(tool/inc {:n 1})", tools={"inc": lambda n: n + 1}) == 2
    assert ptc.eval("(tool/inc {:n 1})", tools={"inc": ptc.tool(effect="read")(lambda n: n + 1)}) == 2
    with pytest.raises(ptc.AgentError, match="`return` cannot name a tool: programs end with it"):
        ptc.eval("1", tools={"return": print})
    with pytest.raises(ValueError, match='the effect of a tool is "read" or "write", not "both"'):
        ptc.eval("1", tools=[ptc.tool(effect="both")(print)])  # type: ignore[call-overload]


def test_other_threads_run_while_a_program_runs() -> None:
    ticks = 0
    over = False

    def tick() -> None:
        nonlocal ticks
        while not over:
            ticks += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = ticks
        ptc.eval("(reduce + (map (fn [n] (* n n)) (range 300000)))")
        assert ticks > before
    finally:
        over = True
        thread.join()


def test_programs_run_on_many_threads() -> None:
    found: list[int] = []

    def work(n: int) -> None:
        async def inc(n: int) -> int:
            return n + 1

        found.append(ptc.eval("(tool/inc {:n ctx/n})", ctx={"n": n}, tools=[inc]))

    threads = [threading.Thread(target=work, args=[n]) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(1, 17))


# A program that lasts until it is interrupted. The second waits for a tool.
ENDLESS = [
    "ptc.eval('(loop [] (recur))', fuel=10**15, program_time=3600)",
    "ptc.eval('(tool/sleep {})', tools=[sleep])",
    "ptc.eval('(tool/nested {})', tools=[nested])",
    "ptc.eval('(tool/block {})', tools=[block])",
]


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("program", ENDLESS)
def test_ctrl_c_ends_a_program(program: str) -> None:
    code = f"""
import asyncio, time, ptc
async def sleep(): await asyncio.sleep(3600)
def nested(): return ptc.eval('(loop [] (recur))', fuel=10**15, program_time=3600)
def block(): time.sleep(3600)
print("ready", flush=True)
try:
    {program}
except KeyboardInterrupt:
    print("interrupted")
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    assert (out, child.returncode) == ("interrupted\n", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_runs_programs() -> None:
    async def twice(n: int) -> int:
        return n * 2

    program = "(tool/twice {:n 21})"
    assert ptc.eval(program, tools=[twice]) == 42
    child = os.fork()
    if child == 0:
        # Only the code tells the parent anything.
        os._exit(ptc.eval(program, tools=[twice]))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 42


def test_a_subinterpreter_is_refused_clearly() -> None:
    code = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import ptc
try:
    failed = interpreters.run_string(interpreters.create(), "import ptc")
except interpreters.RunFailedError as error:
    failed = error
print(failed)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    found = done.stdout + done.stderr
    assert "ImportError" in found
    # The first wording is that of Python 3.12 and later.
    assert "does not support loading in subinterpreters" in found or (
        "module ptc._ptc does not support subinterpreters" in found
    )


def test_async_programs_leave_the_event_loop_free() -> None:
    running = most = 0

    async def square(n: int) -> int:
        nonlocal running, most
        assert asyncio.get_running_loop() is loop
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.05)
        running -= 1
        return n * n

    both = threading.Barrier(2, timeout=20)

    def meet() -> bool:
        # Two programs are here at once, and not on the thread of the event loop.
        both.wait()
        return threading.get_ident() != main_thread

    loop: asyncio.AbstractEventLoop
    main_thread = threading.get_ident()

    async def main() -> list[Any]:
        nonlocal loop
        loop = asyncio.get_running_loop()
        squares = "(pmap (fn [n] (tool/square {:n n})) (range 4))"
        programs = [ptc.eval_async(squares, tools=[square]) for _ in range(4)]
        meetings = [ptc.eval_async("(tool/meet {})", tools=[meet]) for _ in range(2)]
        return list(await asyncio.gather(*programs, *meetings))

    assert asyncio.run(main()) == [[0, 1, 4, 9]] * 4 + [True, True]
    assert most == 16


def test_an_async_session_keeps_what_programs_leave() -> None:
    async def main() -> None:
        session = ptc.Session({"n": 2}, seed=7)
        done = await session.run_async('(println "hello") (def k 20) (* k ctx/n)')
        assert (done.value, done.prints) == (40, ["hello"])
        assert await session.eval_async("(+ k 1)") == 21
        assert session.eval("(+ k 2)") == 22

    asyncio.run(main())


def test_a_session_runs_one_async_program_at_a_time() -> None:
    async def main() -> None:
        opened = asyncio.Event()

        async def gate() -> int:
            await opened.wait()
            return 1

        session = ptc.Session(tools=[gate])
        first = asyncio.ensure_future(session.eval_async("(tool/gate {})"))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="the session is running another program"):
            await session.eval_async("2")
        opened.set()
        assert await first == 1

    asyncio.run(main())


def failed() -> None:
    raise ValueError("out of paper")


async def failed_later() -> None:
    raise ValueError("out of paper")


def leave() -> None:
    raise SystemExit(3)


# A program, its tools, and the exception.
ASYNC_ERRORS: list[tuple[str, list[Any], type[BaseException], str]] = [
    ("(foo)", [], ptc.Error, "unknown-name: `foo` is not defined at 1:2"),
    ("(loop [] (recur))", [], ptc.Error, "the program used up its fuel"),
    ('(fail {:reason :r :message "m"})', [], ptc.Failed, "r: m"),
    ("(tool/failed {})", [failed], ptc.Error, "tool `failed`: ValueError: out of paper"),
    ("(tool/failed_later {})", [failed_later], ptc.Error, "ValueError: out of paper"),
    ("(try (tool/leave {}) (catch Exception e 1))", [leave], SystemExit, "3"),
]


@pytest.mark.parametrize(("program", "tools", "kind", "message"), ASYNC_ERRORS)
def test_errors_of_async_programs(
    program: str, tools: list[Any], kind: type[BaseException], message: str
) -> None:
    with pytest.raises(kind) as caught:
        asyncio.run(ptc.eval_async(program, tools=tools, fuel=10_000))
    assert message in str(caught.value)
    if "ValueError" in message:
        assert isinstance(caught.value.__cause__, ValueError)


def test_a_cancelled_task_ends_its_program() -> None:
    ended = False

    async def forever() -> None:
        nonlocal ended
        try:
            await asyncio.sleep(3600)
        finally:
            ended = True

    async def main() -> None:
        session = ptc.Session(tools=[forever], fuel=10**15, program_time=3600)
        for program in ["(loop [] (recur))", "(tool/forever {})"]:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(session.eval_async(program), 0.3)
            # The session is free at once.
            assert await session.eval_async("1") == 1
        await asyncio.sleep(0)

    asyncio.run(main())
    assert ended


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_ends_an_async_program() -> None:
    code = """
import asyncio, ptc
async def ready(): print("ready", flush=True)
try:
    endless = "(tool/ready {}) (loop [] (recur))"
    asyncio.run(ptc.eval_async(endless, tools=[ready], fuel=10**15, program_time=3600))
except KeyboardInterrupt:
    print("interrupted")
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    assert (out, child.returncode) == ("interrupted\n", 0)
