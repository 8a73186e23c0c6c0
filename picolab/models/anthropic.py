"""The Anthropic Messages API: from messages to its wire format, and from its stream to a reply."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from picolab.errors import ModelError
from picolab.messages import Message, Reply, Text, Thought, ToolCall, Usage
from picolab.models.base import Request
from picolab.models.failures import cut_stream
from picolab.models.remote import Remote, estimated_usage
from picolab.tools.base import Tool

STOPS = {
    "end_turn": "end_turn",
    "stop_sequence": "end_turn",
    "pause_turn": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "refusal": "refusal",
}
UNREADABLE = "unreadable_arguments"
"""The wire has a call's arguments as an object. Text that is none is sent under this one key, so that the model sees it."""


def to_wire(messages: Sequence[Message], tools: Sequence[Tool] = ()) -> dict[str, Any]:
    """The body of a request: system text apart, tools by `input_schema`, all results of a turn in one user message."""
    body: dict[str, Any] = {"messages": []}
    for message in messages:
        if message.role == "system" and not body["messages"]:
            body["system"] = "\n\n".join(filter(None, (body.get("system"), message.text)))
        else:
            role = "assistant" if message.role == "assistant" else "user"
            body["messages"].append({"role": role, "content": _content(message)})
    if tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in tools
        ]
    return body


def _content(message: Message) -> list[dict[str, Any]]:
    blocks = [block for part in message.parts if (block := _block(part))]
    return blocks or [{"type": "text", "text": "(nothing)"}]  # the API refuses an empty message


def _block(part: Any) -> dict[str, Any] | None:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text} if part.text.strip() else None
    if isinstance(part, ToolCall):
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": _object(part.arguments)}
    if isinstance(part, Thought):
        return json.loads(part.data) if part.provider == "anthropic" else None
    return {
        "type": "tool_result",
        "tool_use_id": part.call_id,
        "content": part.content,
        "is_error": part.is_error,
    }


def _object(arguments: str) -> dict[str, Any]:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {UNREADABLE: arguments}


class Gathered:
    """A reply that arrives in pieces: each event of the stream is added, in order."""

    def __init__(self) -> None:
        self.blocks: dict[int, dict[str, Any]] = {}
        self.usage: dict[str, Any] = {}
        self.stop: str | None = None
        self.complete = False

    def add(self, event: Mapping[str, Any]) -> str:
        """Take one event in; returns the text that it brought, if any."""
        kind = event["type"]
        if kind == "message_start":
            self._count(event["message"].get("usage"))
        elif kind == "content_block_start":
            self.blocks[event["index"]] = {"json": "", **event["content_block"]}
        elif kind == "content_block_delta":
            return self._add_delta(self.blocks[event["index"]], event["delta"])
        elif kind == "message_delta":
            self.stop = event["delta"].get("stop_reason")
            self._count(event.get("usage"))
        elif kind == "message_stop":
            self.complete = True
        return ""

    def _add_delta(self, block: dict[str, Any], delta: Mapping[str, Any]) -> str:
        for field in ("text", "thinking", "signature"):
            if delta["type"] == f"{field}_delta":
                block[field] = (block.get(field) or "") + delta[field]
        if delta["type"] == "input_json_delta":
            block["json"] += delta["partial_json"]
        return delta["text"] if delta["type"] == "text_delta" else ""

    def _count(self, usage: Mapping[str, Any] | None) -> None:
        """Later numbers replace earlier ones: they are totals so far, not increments."""
        self.usage |= {name: count for name, count in (usage or {}).items() if count is not None}

    def reply(self, request: Request, name: str) -> Reply:
        """The whole reply.

        Raises:
            ModelError: the stream ended early, or stopped for a reason that is not known here.
        """
        if not self.complete or self.stop is None:
            raise cut_stream(name, f"after {len(self.blocks)} blocks")
        if self.stop not in STOPS:
            raise ModelError(f"{name}: it stopped for an unknown reason, {self.stop!r}")
        parts = tuple(part for _, block in sorted(self.blocks.items()) if (part := _part(block)))
        return Reply(parts, _usage(self.usage, request, parts), STOPS[self.stop])


def _part(block: Mapping[str, Any]) -> Text | ToolCall | Thought | None:
    if block["type"] == "text":
        return Text(block["text"]) if block["text"] else None
    if block["type"] == "tool_use":
        return ToolCall(block["id"], block["name"], block["json"] or json.dumps(block.get("input") or {}))
    kept = {key: value for key, value in block.items() if key != "json" and value is not None}
    return Thought("anthropic", json.dumps(kept)) if "thinking" in block["type"] else None


def _usage(counts: Mapping[str, int], request: Request, parts: Sequence[Any]) -> Usage:
    """Anthropic counts what was cached beside `input_tokens`, not in it: everything read is the sum of three."""
    if "input_tokens" not in counts or "output_tokens" not in counts:
        return estimated_usage(request, parts)
    read, write = (counts.get(f"cache_{way}_input_tokens", 0) for way in ("read", "creation"))
    return Usage(counts["input_tokens"] + read + write, counts["output_tokens"], read, write)


class Anthropic(Remote):
    """A model behind the Anthropic Messages API."""

    provider, key_name, gathered = "anthropic", "ANTHROPIC_API_KEY", Gathered

    def _connect(self, **options: Any) -> Any:
        from anthropic import AsyncAnthropic

        return AsyncAnthropic(**options)

    async def _open(self, client: Any, request: Request) -> Any:
        return await client.messages.create(
            model=self.model,
            max_tokens=self.max_tokens,
            cache_control={"type": "ephemeral"},
            stream=True,
            **to_wire(request.messages, request.tools),
        )
