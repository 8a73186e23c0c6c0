"""A model that says what it was told to say: for tests of a harness, where the replies are the input.

Every step must be used, and no more than there are may be asked for: a test that ends early has not tested.
"""

from collections.abc import Sequence

from picolab.errors import ModelError
from picolab.messages import Reply, Text, ToolCall
from picolab.models.base import Request
from picolab.models.policy import Wanted

Step = Reply | Wanted | ToolCall | str | Exception | Sequence
"""A reply, one call, a list of calls and texts, a final text, or an exception to raise."""


class UnusedScript(AssertionError):
    """A run completed before it asked for every step of its script."""


class Script:
    """The model that `script` makes."""

    def __init__(self, steps: Sequence[Step]):
        self.name = "script"
        self._all, self._next = list(steps), 0

    def begin(self) -> "Script":
        return Script(self._all)

    async def reply(self, request: Request) -> Reply:
        if self._next == len(self._all):
            raise ModelError(f"the script has {len(self._all)} steps and was asked for one more")
        step, self._next = self._all[self._next], self._next + 1
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, Reply) else self._as_reply(step)

    def finish(self) -> None:
        """Called when the run completed.

        Raises:
            UnusedScript: steps are left.
        """
        left = len(self._all) - self._next
        if left:
            raise UnusedScript(f"{left} of {len(self._all)} script steps were never asked for")

    def _as_reply(self, step: Step) -> Reply:
        items = step if isinstance(step, list | tuple) else [step]
        parts = [self._part(item, at) for at, item in enumerate(items)]
        called = any(isinstance(part, ToolCall) for part in parts)
        return Reply(tuple(parts), stop_reason="tool_use" if called else "end_turn")

    def _part(self, item: Step, at: int) -> Text | ToolCall:
        if isinstance(item, Wanted):
            return ToolCall(f"s{self._next}.{at}", item.name, item.arguments)
        return Text(item) if isinstance(item, str) else item


def script(*steps: Step) -> Script:
    """A model that gives these replies in turn."""
    return Script(steps)
