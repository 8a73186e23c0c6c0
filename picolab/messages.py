"""What passes between a harness and a model: messages made of parts.

Nothing here knows a provider's wire format; adapters translate at the edge.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Text:
    """Words, from anyone."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's proposal to run a tool. Nothing has been checked, and nothing has been run."""

    id: str
    name: str
    arguments: str
    """The JSON text exactly as the model wrote it, right or wrong."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of one call, as the model will read it."""

    call_id: str
    content: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning in a provider's own form: kept unread, and sent back to that provider only."""

    provider: str
    data: str
    """JSON text."""


Part = Text | ToolCall | ToolResult | Thought


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The words of this message, without its calls and results."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple([part for part in self.parts if type(part) is ToolCall])

    @property
    def results(self) -> tuple[ToolResult, ...]:
        return tuple([part for part in self.parts if type(part) is ToolResult])


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call, or of many added up."""

    input_tokens: int = 0
    """Everything the model read, cached or not."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    """The part of `input_tokens` that the provider already held."""
    cache_write_tokens: int = 0
    """The part of `input_tokens` that the provider stored for later."""

    @property
    def total(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered: text, tool calls, or both, and why it stopped. Thoughts may stand between them."""

    parts: tuple[Text | ToolCall | Thought, ...]
    usage: Usage = Usage()
    stop_reason: str = "end_turn"
    """end_turn, tool_use, max_tokens or refusal; an adapter maps its provider's names to these."""

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple([part for part in self.parts if type(part) is ToolCall])

    def message(self) -> Message:
        """This reply as the next message of the history."""
        return Message("assistant", self.parts)


def system(text: str) -> Message:
    """A message of standing instructions."""
    return Message("system", (Text(text),))


def user(text: str) -> Message:
    """A message from the person, or from the harness in the person's place."""
    return Message("user", (Text(text),))


def results(parts: Iterable[ToolResult]) -> Message:
    """The results of one turn's calls, in one message."""
    return Message("tool", tuple(parts))


def tool_call(id: str, name: str, /, **arguments: Any) -> ToolCall:
    """A well-formed call, its arguments written as JSON."""
    return ToolCall(id, name, json.dumps(arguments, ensure_ascii=False))
