"""The one thing a model must do: answer a request with a reply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from picolab.context.tokens import tokens_of
from picolab.messages import Message, Reply

if TYPE_CHECKING:
    from picolab.tools.base import Tool


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a model is given for one reply."""

    messages: Sequence[Message]
    """Oldest first. It is the harness's own list: read it, do not keep it, do not change it."""
    tools: "tuple[Tool, ...]" = ()
    known_tokens: int | None = None
    """An estimate of the tokens in `messages` and `tools`, kept as they arrived; None if nobody counted."""

    @property
    def tokens(self) -> int:
        """Estimated input tokens of this request."""
        if self.known_tokens is not None:
            return self.known_tokens
        return sum(map(tokens_of, self.messages)) + sum(tool.tokens for tool in self.tools)


class Model(Protocol):
    """What the loop asks for its next move.

    `reply` may take as long as it likes and is cancelled when the run is. Any exception it raises ends the run as
    `failed`, unless a middleware retries. A model that keeps state between calls also has `begin() -> Model`, which
    gives a fresh one for a new run, and may have `finish()`, called when a run completed, and an async `close()`, called
    when a run has ended in any way.
    """

    name: str

    async def reply(self, request: Request) -> Reply: ...
