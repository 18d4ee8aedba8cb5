"""Reports and runs as HTML."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

import ptc

AGENT = ptc.Agent("Echo {{text}}.", input={"text": str}, output=str)
ECHO = "```clojure\n(return ctx/text)\n```"
HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_a_report_is_a_table() -> None:
    report = AGENT.run({"text": HOSTILE}, model=[ECHO])
    shown = report._repr_html_()
    names = re.findall("<th[^>]*>(.*?)</th>", shown)
    assert names == ["run", "status", "value", "turns", "tool calls", "tokens"]
    assert html.escape(repr(HOSTILE)) in shown
    assert "<img" not in shown
    failed = AGENT.run({"text": "a"}, model=['```clojure\n(fail {:reason :r :message "m"})\n```'])
    assert "<pre style=\"margin:0\">r: m</pre>" in failed._repr_html_()


def test_a_run_on_record_is_a_page(tmp_path: Path) -> None:
    report = AGENT.run({"text": HOSTILE}, model=[ECHO], store=ptc.Store())
    page = ptc.view(report)
    page.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == page.html
    data = re.search('id="data">(.*?)</script>', page.html, re.DOTALL)
    assert data is not None
    shown = json.loads(data[1])
    assert [it["run"] for it in shown["runs"]] == [report.run]
    assert "<img" not in page.html
    frame = re.fullmatch('<iframe sandbox="allow-scripts" srcdoc="([^"]*)" style="[^"]*"></iframe>', page._repr_html_())
    assert frame is not None
    assert html.unescape(frame[1]) == page.html


def test_a_run_without_a_record_has_no_page() -> None:
    report = AGENT.run({"text": "a"}, model=[ECHO])
    with pytest.raises(ValueError, match="the run is not on record"):
        ptc.view(report)
