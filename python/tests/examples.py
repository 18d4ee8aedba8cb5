"""The examples in the guide: `python examples.py FOLDER` writes them as files, for type checks."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/python.md"]


def examples(page: str) -> list[tuple[int, str]]:
    """Returns the blocks of Python of a page, each with its line."""
    found: list[tuple[int, str]] = []
    block: list[str] | None = None
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        if block is None:
            block = [] if line == "```python" else None
        elif line == "```":
            found.append((number - len(block), "\n".join(block) + "\n"))
            block = None
        else:
            block.append(line)
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir()
    for page in PAGES:
        for line, text in examples(page):
            (folder / f"{Path(page).stem}_{line}.py").write_text(text)
