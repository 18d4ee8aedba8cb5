"""Times the Python package beside pydantic-monty: `python bench/rivals/python.py [ROUNDS]`, with both packages installed.

Prints a table of least times and medians. The packages take turns in each round.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

COUNT = 1_000

RECORDS = [
    {"id": n, "name": f"item {n}", "price": n * 37 % 1000 / 10, "paid": n % 3 == 0, "tags": ["a", "b"]}
    for n in range(COUNT)
]
CHEAP = [it["id"] for it in RECORDS if it["paid"] and it["price"] < 50]


class Ptc:
    """The programs in PTC-Lisp."""

    name = "ptc"
    first = "import ptc; assert ptc.eval('(+ 1 2)') == 3"

    def __enter__(self) -> Ptc:
        import ptc

        self.ptc = ptc
        self.session = ptc.Session()
        self.calling = ptc.Session(tools={"double": lambda n: 2 * n})
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def small(self) -> list[Any]:
        return [self.session.eval(f"(+ (* {n} 2) 1)") for n in range(COUNT)]

    def alone(self) -> list[Any]:
        return [self.ptc.eval("(+ (* ctx/n 2) 1)", ctx={"n": n}) for n in range(COUNT)]

    def host_call(self) -> Any:
        return self.calling.eval("(tool/double {:n 21})")

    def records(self) -> Any:
        program = "(filter #(and (:paid %) (< (:price %) 50)) ctx/rows)"
        return self.ptc.eval(program, ctx={"rows": RECORDS})


class Monty:
    """The same programs in Python."""

    name = "pydantic-monty"
    first = """
import pydantic_monty
with pydantic_monty.Monty() as pool, pool.checkout() as session:
    assert session.feed_run('1 + 2') == 3
"""

    def __enter__(self) -> Monty:
        import pydantic_monty

        self.pool = pydantic_monty.Monty(max_processes=2)
        self.pool.__enter__()
        # Its default ends a session after a thousand host calls.
        self.checkout = self.pool.checkout(limits={"max_suspensions": 1_000_000})
        self.session = self.checkout.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.checkout.__exit__(None, None, None)
        self.pool.__exit__(None, None, None)

    def small(self) -> list[Any]:
        return [self.session.feed_run(f"{n} * 2 + 1") for n in range(COUNT)]

    def alone(self) -> list[Any]:
        found = []
        for n in range(COUNT):
            with self.pool.checkout() as session:
                found.append(session.feed_run("n * 2 + 1", inputs={"n": n}))
        return found

    def host_call(self) -> Any:
        return self.session.feed_run("double(n=21)", external_lookup={"double": lambda n: 2 * n})

    def records(self) -> Any:
        program = "[it for it in rows if it['paid'] and it['price'] < 50]"
        return self.session.feed_run(program, inputs={"rows": RECORDS})


def fresh(code: str) -> float:
    """Returns the seconds that code takes in a fresh process, without the start of Python."""
    timed = f"import time; start = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
    done = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)
    return float(done.stdout)


def timed(work: Callable[[], Any], expected: Any, times: int = 1) -> float:
    """Returns the seconds that work takes, and checks what it gives."""
    start = time.perf_counter()
    for _ in range(times):
        found = work()
    took = (time.perf_counter() - start) / times
    assert found == expected, (found, expected)
    return took


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 15
    odd = [n * 2 + 1 for n in range(COUNT)]
    cheap = [RECORDS[n] for n in CHEAP]
    rows: list[tuple[str, float, Callable[[Any], float]]] = [
        ("import, in a fresh process", 1e3, lambda it: fresh(f"import {it.name.replace('-', '_')}")),
        ("import and the first program", 1e3, lambda it: fresh(it.first)),
        ("1,000 small programs of one session", 1e3, lambda it: timed(it.small, odd)),
        ("1,000 small programs, each on its own", 1e3, lambda it: timed(it.alone, odd)),
        ("one host call", 1e6, lambda it: timed(it.host_call, 42, 100)),
        ("1,000 records in, filtered, out", 1e3, lambda it: timed(it.records, cheap)),
    ]
    with Ptc() as ptc, Monty() as monty:
        print("| work | ptc | median | pydantic-monty | median |")
        print("|---|---:|---:|---:|---:|")
        for name, scale, measure in rows:
            taken: dict[str, list[float]] = {ptc.name: [], monty.name: []}
            for side in (ptc, monty) * rounds:
                taken[side.name].append(measure(side) * scale)
            unit = "µs" if scale == 1e6 else "ms"
            cells = [
                f"{value:.3g} {unit}"
                for times in taken.values()
                for value in (min(times), statistics.median(times))
            ]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
