"""What happens in a run, one typed event at a time, and their exact form as JSON.

`from_json(to_json(event)) == event` for every event. A reader refuses what it does not know: a trace is evidence.
"""

import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from picolab.errors import PicolabError
from picolab.messages import Reply, Text, Thought, ToolCall, ToolResult, Usage

SCHEMA = 1
"""The version of the trace format; written in the first event of every trace."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in step `step`, `at` seconds after the run began."""

    kind: ClassVar[str] = ""
    step: int
    at: float


@dataclass(frozen=True, slots=True)
class RunStarted(Event):
    kind: ClassVar[str] = "run_started"
    task: str
    model: str
    schema: int = SCHEMA


@dataclass(frozen=True, slots=True)
class ModelAsked(Event):
    """A request goes to the model; every attempt has its own."""

    kind: ClassVar[str] = "model_asked"
    messages: int
    """How many messages the request holds."""
    tokens: int
    """The harness's own estimate of their tokens."""


@dataclass(frozen=True, slots=True)
class ModelReplied(Event):
    kind: ClassVar[str] = "model_replied"
    reply: Reply
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelFailed(Event):
    """An attempt that gave no reply."""

    kind: ClassVar[str] = "model_failed"
    error: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ToolStarted(Event):
    """A call passed validation and authorisation, and now runs."""

    kind: ClassVar[str] = "tool_started"
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolFinished(Event):
    """Every proposed call gets exactly one, whether it ran or was refused."""

    kind: ClassVar[str] = "tool_finished"
    name: str
    result: ToolResult
    seconds: float


@dataclass(frozen=True, slots=True)
class CompletionRejected(Event):
    """The model proposed to stop, and was told why not."""

    kind: ClassVar[str] = "completion_rejected"
    reason: str


@dataclass(frozen=True, slots=True)
class Noted(Event):
    """A remark by a part of the harness that has no event of its own."""

    kind: ClassVar[str] = "noted"
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class RunStopped(Event):
    kind: ClassVar[str] = "run_stopped"
    state: str
    reason: str
    answer: str
    usage: Usage
    seconds: float


EVENTS = (
    RunStarted,
    ModelAsked,
    ModelReplied,
    ModelFailed,
    ToolStarted,
    ToolFinished,
    CompletionRejected,
    Noted,
    RunStopped,
)
KINDS = {event.kind: event for event in EVENTS}
NESTED = {kind.__name__: kind for kind in (Text, Thought, ToolCall, ToolResult, Usage, Reply)}
FIELDS = {kind: tuple(f.name for f in fields(kind)) for kind in (*KINDS.values(), *NESTED.values())}
ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def to_json(event: Event) -> str:
    """One event as one line of ASCII JSON."""
    return ENCODER.encode({"kind": event.kind, **_unpack(event)})


def from_json(line: str) -> Event:
    """The event that `to_json` wrote.

    Raises:
        PicolabError: the line is not JSON, or not an event of a kind and shape known here.
    """
    try:
        data = json.loads(line)
        kind = KINDS[data.pop("kind")]
        if kind is RunStarted and data.get("schema") != SCHEMA:
            raise ValueError(f"it begins a trace of schema {data.get('schema')!r}")
        return _build(kind, data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise PicolabError(
            f"this is not a trace event of schema {SCHEMA}: {line[:80]!r} ({type(error).__name__}: {error}). "
            "Was the trace written by another version of picolab?"
        ) from None


def _unpack(value: Any) -> dict[str, Any]:
    return {name: _plain(getattr(value, name)) for name in FIELDS[type(value)]}


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in FIELDS:
        return {"type": kind.__name__, **_unpack(value)}
    return [_plain(item) for item in value] if kind is tuple else value


def _rich(value: Any) -> Any:
    if isinstance(value, dict):
        return _build(NESTED[value.pop("type")], value)
    return tuple(_rich(item) for item in value) if isinstance(value, list) else value


def _build(kind: type, data: dict[str, Any]) -> Any:
    if set(data) != set(FIELDS[kind]):
        raise TypeError(f"{kind.__name__} has the fields {FIELDS[kind]}, not {tuple(data)}")
    return kind(**{name: _rich(value) for name, value in data.items()})
