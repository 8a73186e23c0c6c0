"""Reviews of a proposed completion: what must hold before "I am done" is believed.

A review hook is an async function of the run and the reply that returns an objection for the model to read, or None.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from picolab.errors import Failed
from picolab.events import CompletionRejected
from picolab.messages import Reply

if TYPE_CHECKING:
    from picolab.run import Run

ReviewHook = Callable[["Run", Reply], Awaitable[str | None]]


async def says_something(run: "Run", reply: Reply) -> str | None:
    """An empty reply, or one cut off, is not an answer."""
    if reply.stop_reason == "max_tokens":
        return "Your reply was cut off at its token limit. Give a shorter one."
    if not reply.text.strip():
        return "Your reply was empty. Call a tool, or say what the result is."
    return None


def verified_by(verify: Callable[[str, str], Awaitable[Any]]) -> ReviewHook:
    """Believe only what `verify(task, answer)` confirms: it returns a verdict with `ok` and `feedback`."""

    async def review(run: "Run", reply: Reply) -> str | None:
        verdict = await verify(run.task, reply.text)
        run.shared["verdict"] = verdict
        return None if verdict.ok else verdict.feedback or "The result was checked, and it does not hold."

    return review


async def review_all(run: "Run", reply: Reply, hooks: Sequence[ReviewHook], most: int) -> str | None:
    """The first objection of any hook, or None.

    Raises:
        Failed: objections were raised more than `most` times in this run.
    """
    for hook in hooks:
        objection = await hook(run, reply)
        if objection is not None:
            run.emit(CompletionRejected(run.step, run.clock(), objection))
            run.rejections += 1
            if run.rejections > most:
                raise Failed(f"its answer was rejected {run.rejections} times; the last reason: {objection}")
            return objection
    return None
