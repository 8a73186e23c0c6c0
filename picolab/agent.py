"""The agent: the loop, with everything wrapped around it. The one front door."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from picolab.budgets import Budget
from picolab.errors import ModelError, PicolabError, Stop
from picolab.events import Event, RunStarted, RunStopped
from picolab.history import History
from picolab.loop import loop
from picolab.messages import Message, Reply, ToolCall, Usage, system, user
from picolab.middleware.base import Middleware, compose
from picolab.middleware.retries import Retries
from picolab.models.base import Model
from picolab.models.catalogue import connect
from picolab.review import ReviewHook, review_all, says_something, verified_by
from picolab.run import Run, attempt
from picolab.tools.base import Tool, tool
from picolab.tools.dispatch import act, execute
from picolab.trace import Trace


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, and the evidence."""

    state: str
    """One of `picolab.errors.STATES`. Only `completed` means that the answer passed every review."""
    answer: str
    reason: str
    """Why the run is not `completed`; empty when it is."""
    steps: int
    usage: Usage
    seconds: float
    trace: Trace = field(repr=False)
    log: tuple[Message, ...] = field(repr=False)
    verdict: Any = None
    """What `verify` last returned; None when nothing was verified."""


class Agent:
    """A model, the tools it may ask for, and the rules of the run.

    Args:
        model: anything with a `name` and an async `reply(request)`, or a real model by name, like `anthropic:claude-haiku-5-5`.
        tools: Tools, or plain functions to make into tools.
        system: standing instructions, the first message of every request.
        budget: limits of one run; 50 steps if nothing is said.
        verify: async function of the task and the answer, returning a verdict with `ok` and `feedback`.
        middleware: outermost first. The budget stands outside them all, and sees every attempt.
        reviews: more conditions on a proposed completion, asked before `verify`.
        most_rejections: how often a proposed completion may be turned down before the run has failed.
        retries: further attempts at a model call that failed in a way that may pass, such as a rate limit.
        trace: a file that receives each event as it happens.

    Raises:
        PicolabError: two tools share a name.
    """

    def __init__(
        self,
        model: Model | str,
        tools: Sequence[Tool | Callable[..., Any]] = (),
        *,
        system: str = "",
        budget: Budget | None = None,
        verify: Callable[[str, str], Awaitable[Any]] | None = None,
        middleware: Sequence[Middleware] = (),
        reviews: Sequence[ReviewHook] = (),
        most_rejections: int = 3,
        retries: int = 2,
        trace: str | Path | None = None,
    ):
        self.model = connect(model) if isinstance(model, str) else model
        self.system, self.trace = system, trace
        self.tools = _by_name(tools)
        layers = (Retries(retries), budget or Budget(), *middleware)
        self._model_call = compose(layers, "model_call", attempt)
        self._tool_call = compose(layers, "tool_call", execute)
        self._reviews = (says_something, *reviews, *([verified_by(verify)] if verify else []))
        self._most_rejections = most_rejections

    async def ask(self, task: str) -> Outcome:
        """Run to the end and return the outcome. Cancelling this cancels the model call and the tools under way."""
        with Trace(self.trace) as trace:
            return await self._finish(task, trace, trace.append)

    async def run(self, task: str) -> AsyncIterator[Event]:
        """Yield events as they happen; the last one is a RunStopped. Leaving the iteration cancels the run."""
        events: asyncio.Queue[Event] = asyncio.Queue()
        with Trace(self.trace) as trace:

            def emit(event: Event) -> None:
                trace.append(event)
                events.put_nowait(event)

            work = asyncio.ensure_future(self._finish(task, trace, emit))
            try:
                while True:
                    event = await _next(events, work)
                    yield event
                    if isinstance(event, RunStopped):
                        break
                await work
            finally:
                work.cancel()
                with suppress(asyncio.CancelledError):
                    await work

    async def _finish(self, task: str, trace: Trace, emit: Callable[[Event], Any]) -> Outcome:
        opening = [system(self.system)] if self.system else []
        run = Run(task, self.model, self.tools, History([*opening, user(task)]), emit)
        emit(RunStarted(0, run.clock(), task, run.model.name))
        state, reason, answer = "failed", "cancelled", ""
        try:
            answer = (await self._loop(run)).text
            getattr(run.model, "finish", lambda: None)()
            state, reason = "completed", ""
        except Stop as stop:
            state, reason = stop.state, stop.reason
        except ModelError as error:
            reason = f"the model gave no reply: {error}"
        except Exception as error:
            reason = f"the harness broke: {type(error).__name__}: {error}"
            raise
        finally:
            run.history.close(f"not run: {reason}")
            if hasattr(run.model, "close"):
                await run.model.close()
            seconds = run.clock()
            emit(RunStopped(run.step, seconds, state, reason, answer, run.usage, seconds))
        log, verdict = tuple(run.history.log), run.shared.get("verdict")
        return Outcome(state, answer, reason, run.steps, run.usage, seconds, trace, log, verdict)

    async def _loop(self, run: Run) -> Reply:
        """The loop, with the run's functions bound: each line here is one of its three parts."""

        async def ask(history: History) -> Reply:
            run.step += 1
            reply = run.distinct(await self._model_call(run, run.request()))
            run.steps += 1
            return reply

        async def act_on(calls: tuple[ToolCall, ...]) -> Any:
            return await act(run, calls, self._tool_call)

        async def review(reply: Reply) -> str | None:
            return await review_all(run, reply, self._reviews, self._most_rejections)

        return await loop(ask, act_on, review, run.history)


def _by_name(tools: Sequence[Tool | Callable[..., Any]]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for each in tools:
        made = each if isinstance(each, Tool) else tool(each)
        if made.name in named:
            raise PicolabError(f"two tools are called {made.name!r}; give one of them another name")
        named[made.name] = made
    return named


async def _next(events: "asyncio.Queue[Event]", work: asyncio.Future) -> Event:
    """The next event; if the run breaks before there is one, its exception."""
    getting = asyncio.ensure_future(events.get())
    await asyncio.wait({getting, work}, return_when=asyncio.FIRST_COMPLETED)
    if getting.done():
        return getting.result()
    if not events.empty():
        getting.cancel()
        return events.get_nowait()
    getting.cancel()
    work.result()
    raise AssertionError("a run ended without a RunStopped event")
