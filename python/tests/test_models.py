"""Models of agents: names, fallbacks, and the keys of their servers."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import ptc

KEY = "sk-python-0123456789"


@contextmanager
def serving(status: int, reply: str) -> Iterator[tuple[str, list[str | None]]]:
    """A server that gives this reply, and the keys that it gets."""
    keys: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            keys.append(self.headers.get("authorization"))
            body = json.dumps({"choices": [{"message": {"content": reply}, "finish_reason": "stop"}]}).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", keys
    finally:
        server.shutdown()


def test_m113_m151_a_fallback_gets_its_key_from_a_function() -> None:
    program = "```clojure\n(return 7)\n```"
    with serving(404, "") as (gone, _), serving(200, program) as (there, keys):
        models = {
            "usual": {"model": "openai:m", "base_url": gone},
            "other": {"model": "openai:n", "base_url": there},
        }
        agent = ptc.Agent("Work.", signature="-> :int", model="usual", models=models, fallback_models=["other"])
        asked: list[tuple[str, str, str]] = []

        @agent.keys
        def key(model: str, variable: str, server: str) -> str | None:
            asked.append((model, variable, server))
            return KEY if model == "openai:n" else None

        report = agent.run()
        assert report.value == 7
        assert [it["code"] for it in report.warnings] == ["model-switched"]
        assert keys == [f"Bearer {KEY}"]
        assert ("openai:n", "OPENAI_API_KEY", there.removesuffix("/v1")) in asked


def test_m152_a_name_without_a_model_is_an_error() -> None:
    with pytest.raises(ptc.AgentError, match="model `fats` does not name its kind, and is not under `models`"):
        ptc.Agent("Work.", model="fats", models={"fast": {"model": "openai:m"}})


def test_m150_settings_choose_the_model_of_the_root() -> None:
    program = "```clojure\n(return 7)\n```"
    with serving(200, program) as (there, _):
        agent = ptc.Agent("Work.", signature="-> :int", model="openai:m", base_url="http://localhost:1/v1")
        report = agent.run(settings={"model": "openai:n", "base_url": there})
        assert report.value == 7
