"""Plain functions off the event loop, in daemon threads that a hung call cannot turn into a hung program.

asyncio's own pool is joined when the interpreter exits, so one function that never returns would keep it alive.
"""

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable
from typing import Any

_idle: list["_Worker"] = []


class _Worker:
    """A daemon thread that runs one job at a time and then offers itself again."""

    def __init__(self) -> None:
        self.jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="picolab-tool", daemon=True).start()

    def _work(self) -> None:
        while True:
            self.jobs.get()()
            _idle.append(self)


async def in_thread(function: Callable[..., Any], **arguments: Any) -> Any:
    """Await a plain function. If the wait is cancelled the thread runs on, and what it returns is dropped."""
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if not future.done():
            future.set_result((value, error))

    def job() -> None:
        value, error = None, None
        try:
            value = context.run(function, **arguments)
        except BaseException as raised:
            error = raised
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            pass  # the loop has closed: nobody is waiting

    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.jobs.put(job)
    value, error = await future
    if error is not None:
        raise error
    return value
