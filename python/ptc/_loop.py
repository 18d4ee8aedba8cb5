"""The event loop and the threads of the package, for coroutines and functions that a run calls."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import os
import queue
import threading
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

from ptc import _ptc

_MAX_THREADS = 512

_lock = threading.Lock()
_own: tuple[int, asyncio.AbstractEventLoop] | None = None

# Without it, threads of the package may use Python while it ends.
atexit.register(_ptc.shutdown)


def start(
    coroutine: Coroutine[Any, Any, Any],
    loop: asyncio.AbstractEventLoop | None,
    context: Context | None,
) -> concurrent.futures.Future[Any]:
    """Starts a coroutine on an event loop, or on that of the package."""
    loop = loop or own()
    if context is None:
        return asyncio.run_coroutine_threadsafe(coroutine, loop)
    # The task gets the context that is current here.
    return context.copy().run(asyncio.run_coroutine_threadsafe, coroutine, loop)


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


class _Threads:
    """Threads for functions. A thread stays for further calls, and keeps no process from its end."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[tuple[concurrent.futures.Future[Any], Callable[[], Any]]]
        self._calls = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._count = 0

    def call(self, function: Callable[[], Any]) -> concurrent.futures.Future[Any]:
        done: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self._calls.put((done, function))
        if not self._idle.acquire(blocking=False):
            with _lock:
                is_full = self._count == _MAX_THREADS
                self._count += not is_full
            if not is_full:
                threading.Thread(target=self._work, name="ptc-tools", daemon=True).start()
        return done

    def _work(self) -> None:
        while True:
            try:
                call = self._calls.get_nowait()
            except queue.Empty:
                self._idle.release()
                call = self._calls.get()
            _answer(*call)
            del call


def _answer(done: concurrent.futures.Future[Any], function: Callable[[], Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        result = function()
    except BaseException as error:
        done.set_exception(error)
        # The traceback has this frame.
        del done
    else:
        done.set_result(result)


_threads = _Threads()


def call(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    context: Context | None,
) -> concurrent.futures.Future[Any]:
    """Calls a function on a thread of its own."""
    # A context serves one thread at a time.
    own_context = Context() if context is None else context.copy()
    return _threads.call(lambda: own_context.run(function, *args, **kwargs))


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
    global _lock, _threads
    _lock, _threads = threading.Lock(), _Threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
