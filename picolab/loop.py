"""The loop: ask, act, observe, until a proposed completion is accepted.

It does not know what a tool is, who may run one, what a budget is, or what makes an answer true. Whoever builds it
passes three functions in, wrapped in whatever those things need.
"""

from collections.abc import Awaitable, Callable

from picolab.history import History
from picolab.messages import Reply, ToolCall, ToolResult, results, user

Ask = Callable[[History], Awaitable[Reply]]
"""What does the model say to this history?"""
Act = Callable[[tuple[ToolCall, ...]], Awaitable[tuple[ToolResult, ...]]]
"""What came of these calls, in their order?"""
Review = Callable[[Reply], Awaitable[str | None]]
"""Why is this answer not the end? None accepts it."""


async def loop(ask: Ask, act: Act, review: Review, history: History) -> Reply:
    """Run until a reply without calls passes review, and return it.

    Raises:
        Stop: from any of the three, to end the run in another state.
    """
    while True:
        reply = await ask(history)
        history.add(reply.message())
        if calls := reply.calls:
            history.add(results(await act(calls)))
            continue
        objection = await review(reply)
        if objection is None:
            return reply
        history.add(user(objection))
