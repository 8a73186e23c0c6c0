"""From a proposed call to an observation: validate, authorise, execute, observe.

Whatever goes wrong with a call becomes a result that the model can act on. Only a `Stop` and a cancellation pass.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from picolab.errors import Stop, ToolError
from picolab.events import ToolFinished, ToolStarted
from picolab.messages import ToolCall, ToolResult
from picolab.tools.base import Tool
from picolab.tools.cut import cut
from picolab.tools.parse import parse
from picolab.tools.threads import in_thread
from picolab.tools.values import plain

if TYPE_CHECKING:
    from picolab.run import Run


class _OutOfTime(Exception):
    """The tool's time is up; not to be confused with a TimeoutError of the tool's own."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call that passed validation: the tool it names, and its checked arguments."""

    call: ToolCall
    tool: Tool
    arguments: dict[str, Any]


Execute = Callable[["Run", Invocation], Awaitable[ToolResult]]


def validate(call: ToolCall, tools: Mapping[str, Tool]) -> Invocation:
    """The invocation that a call asks for.

    Raises:
        ToolError: no such tool, or arguments that its schema refuses.
    """
    tool = tools.get(call.name)
    if tool is None:
        known = ", ".join(sorted(tools)) or "none"
        raise ToolError(f"there is no tool {call.name!r}; the tools are: {known}")
    return Invocation(call, tool, parse(call.arguments, tool.schema, tool.max_payload))


async def execute(run: "Run", invocation: Invocation) -> ToolResult:
    """Run a tool, and make whatever comes of it into a result: the one broad `except` of the harness."""
    call, tool = invocation.call, invocation.tool
    values = tool.reader(invocation.arguments) if tool.reader else invocation.arguments
    run.emit(ToolStarted(run.step, run.clock(), call))
    try:
        value = await _finish(tool, values)
        return ToolResult(call.id, cut(_as_text(value), tool.max_output))
    except Stop:
        raise
    except ToolError as error:
        return failure(call, str(error))
    except _OutOfTime:
        return failure(
            call, f"{tool.name} was stopped after {tool.timeout:g} seconds; ask for less, or in parts"
        )
    except (Exception, SystemExit) as error:
        return failure(call, f"{tool.name} failed: {type(error).__name__}: {error}")


def failure(call: ToolCall, reason: str) -> ToolResult:
    """A result that tells the model, in one line, what went wrong."""
    return ToolResult(call.id, cut(" ".join(reason.split()), 2000), is_error=True)


async def act(run: "Run", calls: Sequence[ToolCall], execute: Execute) -> tuple[ToolResult, ...]:
    """The results of one turn's calls, in the order asked; neighbours that are safe together run together."""
    results: list[ToolResult] = []
    for group in _groups(calls, run.tools):
        if len(group) == 1:
            results.append(await _one(run, group[0], execute))
        else:
            results += await _together([_one(run, call, execute) for call in group])
    return tuple(results)


async def _one(run: "Run", call: ToolCall, execute: Execute) -> ToolResult:
    began = run.clock()
    try:
        if call.id in run.repeated:
            raise ToolError(
                "this call's id was used before, so it was not run; send it again with an id of its own"
            )
        result = await execute(run, validate(call, run.tools))
    except ToolError as error:
        result = failure(call, str(error))
    now = run.clock()
    run.emit(ToolFinished(run.step, now, call.name, result, now - began))
    return result


def _groups(calls: Sequence[ToolCall], tools: Mapping[str, Tool]) -> list[list[ToolCall]]:
    groups: list[list[ToolCall]] = []
    together = False
    for call in calls:
        parallel = call.name in tools and tools[call.name].parallel
        if parallel and together:
            groups[-1].append(call)
        else:
            groups.append([call])
        together = parallel
    return groups


async def _together(jobs: Sequence[Awaitable[ToolResult]]) -> list[ToolResult]:
    """All results, or the first exception after every other job has been cancelled."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _finish(tool: Tool, values: dict[str, Any]) -> Any:
    """The value of a tool, or _OutOfTime.

    An async tool that swallows its cancellation cannot be stopped from here; a plain function is simply left behind.
    """
    if tool.inline:
        return tool.function(**values)
    work = tool.function(**values) if tool.is_async else in_thread(tool.function, **values)
    limit = asyncio.timeout(tool.timeout)
    try:
        async with limit:
            return await work
    except TimeoutError as error:
        if limit.expired():
            raise _OutOfTime from error
        raise


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return "(no output)"
    try:
        return json.dumps(plain(value), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise ToolError(f"it returned a {type(value).__name__}, which is neither text nor JSON") from None
