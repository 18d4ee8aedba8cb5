"""The examples of the guide run."""

from __future__ import annotations

import linecache
from pathlib import Path

import pytest

from examples import PAGES, examples

EXAMPLES = [(page, line, text) for page in PAGES for line, text in examples(page)]


@pytest.mark.parametrize(("page", "line", "text"), EXAMPLES)
def test_an_example_runs(
    page: str, line: int, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"{page}:{line}"
    # `inspect` and tracebacks find the source.
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), {"__name__": "__main__"})
