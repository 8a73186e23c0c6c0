"""The shape of a middleware, and the one place where middlewares are composed."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from picolab.messages import Reply, ToolResult
    from picolab.models.base import Request
    from picolab.run import Run
    from picolab.tools.dispatch import Invocation


class Middleware:
    """Wraps model calls, tool calls, or both: override the one you need, and await `next` to go on.

    A middleware serves many runs at once, so what belongs to a run is kept in `run`, not in `self`. It may change
    what goes in or comes out, answer without calling `next`, call it again, or raise a `Stop` to end the run or, around
    a tool call, a `ToolError` to refuse it. Any other exception ends the run as `failed`.
    """

    async def model_call(
        self, run: "Run", request: "Request", next: "Callable[[Run, Request], Awaitable[Reply]]"
    ) -> "Reply":
        return await next(run, request)

    async def tool_call(
        self, run: "Run", invocation: "Invocation", next: "Callable[[Run, Invocation], Awaitable[ToolResult]]"
    ) -> "ToolResult":
        return await next(run, invocation)


def compose(
    layers: Sequence[Middleware], method: str, core: Callable[..., Awaitable[Any]]
) -> Callable[..., Any]:
    """`core` wrapped in every layer that overrides `method`; the first layer is the outermost."""
    call = core
    for layer in reversed(layers):
        if getattr(type(layer), method) is not getattr(Middleware, method):
            call = partial(getattr(layer, method), next=call)
    return call
