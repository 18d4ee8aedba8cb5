"""The event loop of coroutines that are called from code without one."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from ptc import _ptc

_lock = threading.Lock()
_own: tuple[int, asyncio.AbstractEventLoop] | None = None

# Without it, threads of the package may use Python while it ends.
atexit.register(_ptc.shutdown)


def start(
    coroutine: Coroutine[Any, Any, Any], loop: asyncio.AbstractEventLoop | None
) -> concurrent.futures.Future[Any]:
    """Starts a coroutine on an event loop, or on that of the package."""
    return asyncio.run_coroutine_threadsafe(coroutine, loop or own())


def own() -> asyncio.AbstractEventLoop:
    """Returns the event loop of the package, which runs on a thread of its own."""
    global _own
    with _lock:
        # A forked process has no thread of its parent.
        if _own is None or _own[0] != os.getpid():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="ptc-events", daemon=True).start()
            _own = (os.getpid(), loop)
        return _own[1]


async def finish(start: Callable[[Callable[[], object]], _ptc.Work]) -> Any:
    """Starts work on the threads of the package, and waits on the event loop for its result.

    Cancelling the task ends the work early.
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    work = start(lambda: loop.call_soon_threadsafe(ended.set))
    try:
        await ended.wait()
    except asyncio.CancelledError:
        work.cancel()
        # It ends soon, and frees what it uses.
        await ended.wait()
        raise
    return work.result()


def _forked() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
