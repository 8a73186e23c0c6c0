"""Two histories of one run: the log, which keeps everything, and the view, which is what the next call sees.

They are the same until something compacts the view. Tokens are counted once, as messages arrive.
"""

from collections.abc import Iterable

from picolab.context.tokens import tokens_of
from picolab.messages import Message, ToolResult, results


class History:
    """The log and the view, and the estimated tokens of the view."""

    def __init__(self, messages: Iterable[Message] = ()):
        self.log: list[Message] = []
        self.view: list[Message] = []
        self.tokens = 0
        for message in messages:
            self.add(message)

    def add(self, message: Message) -> None:
        """Append to both."""
        self.log.append(message)
        self.view.append(message)
        self.tokens += tokens_of(message)

    def replace_view(self, messages: Iterable[Message]) -> None:
        """Let the next call see these messages instead; the log is not touched."""
        self.view = list(messages)
        self.tokens = sum(map(tokens_of, self.view))

    def close(self, reason: str) -> None:
        """Answer calls that will never run, so that no call is left without its result."""
        if self.log and self.log[-1].calls:
            self.add(results(ToolResult(call.id, reason, is_error=True) for call in self.log[-1].calls))
