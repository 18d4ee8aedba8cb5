"""Agents with the tools of MCP servers and of HTTP APIs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import ptc

SERVER = [sys.executable, str(Path(__file__).with_name("mcp_server.py"))]
NUMBERS = {"name": "numbers", "command": SERVER, "prefix": "numbers/"}


def program(source: str) -> str:
    return f"```clojure\n{source}\n```"


ADD = program("(return (:sum (tool/numbers/add {:a ctx/n :b 1})))")


def from_file(folder: Path) -> ptc.Agent[Any]:
    text = f"""
prompt = "Add one to {{{{n}}}}."
signature = "(n :int) -> :any"

[[mcp]]
name = "numbers"
command = {json.dumps(SERVER)}
prefix = "numbers/"
"""
    (folder / "agent.toml").write_text(text)
    return ptc.Agent.read(folder / "agent.toml")


def from_keywords(folder: Path) -> ptc.Agent[Any]:
    return ptc.Agent("Add one to {{n}}.", signature="(n :int) -> :any", mcp=[NUMBERS])


@pytest.mark.parametrize("make", [from_file, from_keywords])
def test_tools_of_an_mcp_server(make: Any, tmp_path: Path) -> None:
    agent = make(tmp_path)
    assert agent.tools == ["numbers/add", "numbers/broken", "numbers/picture", "numbers/seen"]
    assert "`numbers/add(a :float, b :float) -> {sum :float}`: Adds two numbers." in agent.prompt({"n": 1})[0]
    store = ptc.Store()
    report = agent.run({"n": 41}, model=[ADD], store=store)
    assert (report.value, report.tool_calls) == (42, 1)
    assert store.replay(report.run).differences == []

    async def main() -> list[Any]:
        runs = (agent.run_async({"n": n}, model=[ADD]) for n in range(20))
        return [report.value for report in await asyncio.gather(*runs)]

    assert asyncio.run(main()) == list(range(1, 21))


def test_a_file_of_servers_of_other_clients(tmp_path: Path) -> None:
    servers = {"mcpServers": {"numbers": {"command": SERVER[0], "args": SERVER[1:]}}}
    (tmp_path / "servers.json").write_text(json.dumps(servers))
    agent = ptc.Agent("Add.", signature="-> :float", mcp=str(tmp_path / "servers.json"))
    assert agent.tools == ["add", "broken", "picture", "seen"]
    assert agent.run(model=[program("(return (:sum (tool/add {:a 1 :b 2})))")]).value == 3.0


def test_a_failed_call_of_a_server_is_feedback(tmp_path: Path) -> None:
    seen: list[ptc.Request] = []
    replies = [program("(tool/numbers/broken {})"), program('(return "sorry")')]

    def model(request: ptc.Request) -> str:
        seen.append(request)
        return replies[len(seen) - 1]

    assert from_keywords(tmp_path).run({"n": 1}, model=model).value == "sorry"
    assert "tool `numbers/broken`: out of paper" in seen[1].messages[-1].text


def test_a_model_sees_images_of_results() -> None:
    agent = ptc.Agent("Look.", signature="-> :any", mcp=[NUMBERS], images=True)
    seen: list[ptc.Request] = []
    replies = [program("(tool/numbers/picture {})"), program('(return "white")')]

    def model(request: ptc.Request) -> str:
        seen.append(request)
        return replies[len(seen) - 1]

    started: list[ptc.events.TurnStarted] = []

    def keep(event: ptc.Event) -> None:
        if isinstance(event, ptc.events.TurnStarted):
            started.append(event)

    assert agent.run(model=model, on_event=keep).value == "white"
    picture = "data:image/png;base64,iVBORw0KGgo="
    assert [it.images for it in seen[1].messages] == [[], [], [picture]]
    shown = seen[1].chat()
    assert [type(it["content"]) for it in shown] == [str, str, str, list]
    assert shown[-1]["content"][1:] == [{"type": "image_url", "image_url": {"url": picture}}]
    assert [len(it.images or []) for it in started] == [0, 1]


def test_the_progress_of_a_call_is_an_event(tmp_path: Path) -> None:
    stream = from_keywords(tmp_path).stream({"n": 1}, model=[program("(return (tool/numbers/seen {}))")])
    told = [it for it in stream if isinstance(it, ptc.events.CallProgress)]
    assert [(it.tool, it.done, it.total, it.message) for it in told] == [("numbers/seen", 1.0, 2.0, "half")]


def test_types_of_earlier_results_are_in_the_prompt(tmp_path: Path) -> None:
    agent, store = from_keywords(tmp_path), ptc.Store()
    systems: list[str] = []

    def model(request: ptc.Request) -> str:
        systems.append(request.system)
        return program("(return (:seen (tool/numbers/seen {})))")

    for _ in range(2):
        assert agent.run({"n": 1}, model=model, store=store).value == [1, 2]
    line = "Earlier results have the type `{seen [:int]}`."
    assert [line in it for it in systems] == [False, True]


def test_an_agent_with_servers_takes_functions_and_is_a_tool(tmp_path: Path) -> None:
    inner = from_keywords(tmp_path)

    @inner.tool(effect="read")
    def double(n: int) -> int:
        return 2 * n

    assert inner.tools == ["numbers/add", "numbers/broken", "numbers/picture", "numbers/seen", "double"]
    outer = ptc.Agent("Work.", signature="-> :any", tools=[inner])
    replies = [
        program("(return (tool/agent {:n 20}))"),
        program("(return (:sum (tool/numbers/add {:a (tool/double {:n ctx/n}) :b 1})))"),
    ]
    assert outer.run(model=replies).value == 41


def test_a_server_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ptc.AgentError) as caught:
        ptc.Agent("Work.", mcp=[{"name": "none", "command": [str(tmp_path / "none")]}])
    assert caught.value.code == "unusable-server"
    assert "MCP server `none`" in caught.value.message


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_makes_agents_with_servers_anew(tmp_path: Path) -> None:
    inner = from_keywords(tmp_path)
    outer = ptc.Agent("Work.", signature="-> :any", tools=[inner])
    child = os.fork()
    if child == 0:
        # Only the code tells the parent anything.
        told = 0
        for agent in [inner, outer]:
            try:
                agent.run({"n": 1}, model=[ADD])
            except RuntimeError as error:
                told += "connected to its MCP servers before a fork" in str(error)
        again = from_keywords(tmp_path).run({"n": 1}, model=[ADD]).value
        os._exit(10 * told + again)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 22


class Handler(BaseHTTPRequestHandler):
    """The price of a book."""

    def do_GET(self) -> None:
        found = {"isbn": self.path.rsplit("/", 1)[-1], "price": 12.5}
        body = json.dumps(found if self.headers["X-Key"] == "k" else {}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


BOOK = {
    "type": "object",
    "properties": {"isbn": {"type": "string"}, "price": {"type": "number"}},
    "required": ["isbn", "price"],
}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Books", "version": "1"},
    "paths": {
        "/books/{isbn}": {
            "get": {
                "operationId": "book",
                "summary": "Returns a book",
                "parameters": [
                    {"name": "isbn", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {
                    "200": {
                        "description": "A book",
                        "content": {"application/json": {"schema": BOOK}},
                    }
                },
            }
        }
    },
}


def test_operations_of_an_api(api: str, tmp_path: Path) -> None:
    (tmp_path / "books.json").write_text(json.dumps(DOCUMENT))
    text = f"""
prompt = "What does {{{{isbn}}}} cost?"
signature = "(isbn :string) -> :float"

[[openapi]]
name = "books"
file = "books.json"
base_url = "{api}"
headers = {{ X-Key = "k" }}
"""
    (tmp_path / "agent.toml").write_text(text)
    keys = {"name": "books", "file": str(tmp_path / "books.json"), "base_url": api, "headers": {"X-Key": "k"}}
    in_code = ptc.Agent("What does {{isbn}} cost?", signature="(isbn :string) -> :float", openapi=[keys])
    for agent in [ptc.Agent.read(tmp_path / "agent.toml"), in_code]:
        assert agent.tools == ["book"]
        assert "`book(isbn :string) -> {isbn :string, price :float}`: Returns a book" in agent.prompt({"isbn": "1"})[0]
        report = agent.run({"isbn": "978"}, model=[program("(return (:price (tool/book {:isbn ctx/isbn})))")])
        assert report.value == 12.5
