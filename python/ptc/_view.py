"""Reports and runs as HTML, for notebooks and files."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from typing import Any


class Page:
    """A page of HTML that needs nothing else. A notebook shows it."""

    __slots__ = ("html",)

    def __init__(self, html: str) -> None:
        self.html = html

    def __repr__(self) -> str:
        return f"<ptc.Page of {len(self.html)} characters>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        # The frame separates the page from the notebook: its script reaches nothing outside.
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(self.html)}" '
            'style="width:100%;height:600px;border:1px solid #ccc"></iframe>'
        )


def summary(fields: Mapping[str, Any]) -> str:
    """Returns the report of a run as a table of HTML."""
    usage = fields["usage"]
    tokens = f"{usage['input_tokens']} in, {usage['output_tokens']} out"
    cost = usage.get("cost")
    fail, error = fields.get("fail"), fields.get("error")
    rows = [
        ("run", fields["run"]),
        ("status", f"{fields['status']} ({fields['ended_by']})"),
        ("value", repr(fields["value"]) if fields["status"] == "returned" else None),
        ("failure", fail and f"{fail['reason']}: {fail['message']}"),
        ("error", error and f"{error['code']}: {error['message']}"),
        ("turns", fields["turns"]),
        ("tool calls", fields["tool_calls"]),
        ("tokens", tokens if cost is None else f"{tokens}, ${cost}"),
        ("warnings", "; ".join(it["message"] for it in fields.get("warnings", ())) or None),
    ]
    cells = "".join(
        f'<tr><th style="text-align:left">{name}</th>'
        f'<td style="text-align:left"><pre style="margin:0">{html.escape(_short(str(it)))}</pre></td></tr>'
        for name, it in rows
        if it is not None
    )
    return f"<table>{cells}</table>"


def _short(text: str, most: int = 2_000) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
