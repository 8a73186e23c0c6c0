"""The Responses API: OpenAI's newer one, where a conversation is a list of items rather than of messages."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from picolab.errors import ModelError
from picolab.messages import Message, Reply, Text, Thought, ToolCall, Usage
from picolab.models.base import Request
from picolab.models.failures import cut_stream
from picolab.models.openai_chat import marked
from picolab.models.remote import Remote, estimated_usage
from picolab.tools.base import Tool


def to_wire(messages: Sequence[Message], tools: Sequence[Tool] = ()) -> dict[str, Any]:
    """The body of a request: words, calls, results and reasoning are items beside each other, in order."""
    body: dict[str, Any] = {"input": [item for message in messages for item in _items(message)]}
    if tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.schema,
                "strict": False,
            }
            for tool in tools
        ]
    return body


def _items(message: Message) -> Iterator[dict[str, Any]]:
    for part in message.parts:
        if isinstance(part, Text):
            yield {"role": message.role, "content": part.text}
        elif isinstance(part, ToolCall):
            yield {
                "type": "function_call",
                "call_id": part.id,
                "name": part.name,
                "arguments": part.arguments,
            }
        elif not isinstance(part, Thought):
            yield {"type": "function_call_output", "call_id": part.call_id, "output": marked(part)}
        elif part.provider == "openai":
            yield json.loads(part.data)


class Gathered:
    """A reply that arrives as typed events; each item is announced, filled, and done."""

    def __init__(self) -> None:
        self.items: dict[int, dict[str, Any]] = {}
        self.final: Mapping[str, Any] | None = None

    def add(self, event: Mapping[str, Any]) -> str:
        """Take one event in; returns the text that it brought, if any.

        Raises:
            ModelError: the event reports a failure.
        """
        kind = event["type"]
        if kind in ("response.output_item.added", "response.output_item.done"):
            self.items[event["output_index"]] = {"delta": "", **event["item"]}
        elif kind in ("response.output_text.delta", "response.function_call_arguments.delta"):
            self.items[event["output_index"]]["delta"] += event["delta"]
            return event["delta"] if kind == "response.output_text.delta" else ""
        elif kind in ("response.completed", "response.incomplete"):
            self.final = event["response"]
        elif kind in ("error", "response.failed"):
            self._failed(event)
        return ""

    @staticmethod
    def _failed(event: Mapping[str, Any]) -> None:
        told = event if event["type"] == "error" else event["response"].get("error") or {}
        passing = told.get("code") in ("server_error", "rate_limit_exceeded", "overloaded")
        raise ModelError(f"the provider failed: {told.get('code')}: {told.get('message')}", retry=passing)

    def reply(self, request: Request, name: str) -> Reply:
        """The whole reply.

        Raises:
            ModelError: the stream ended early.
        """
        if self.final is None:
            raise cut_stream(name, f"after {len(self.items)} items")
        parts = tuple(part for _, item in sorted(self.items.items()) for part in _parts(item))
        return Reply(parts, _usage(self.final.get("usage"), request, parts), self._stop(parts))

    def _stop(self, parts: Sequence[Any]) -> str:
        reason = ((self.final or {}).get("incomplete_details") or {}).get("reason")
        if reason:
            return "refusal" if reason == "content_filter" else "max_tokens"
        return "tool_use" if any(isinstance(part, ToolCall) for part in parts) else "end_turn"


def _parts(item: Mapping[str, Any]) -> Iterator[Text | ToolCall | Thought]:
    if item["type"] == "function_call":
        yield ToolCall(item["call_id"], item["name"], item.get("arguments") or item["delta"])
    elif item["type"] == "message":
        pieces = [piece.get("text") or piece.get("refusal") or "" for piece in item.get("content") or ()]
        if text := "".join(pieces) or item["delta"]:
            yield Text(text)
    elif item["type"] == "reasoning":
        kept = {key: value for key, value in item.items() if key != "delta" and value is not None}
        yield Thought("openai", json.dumps(kept))


def _usage(counts: Mapping[str, Any] | None, request: Request, parts: Sequence[Any]) -> Usage:
    if not counts or counts.get("input_tokens") is None:
        return estimated_usage(request, parts)
    details = counts.get("input_tokens_details") or {}
    read, write = details.get("cached_tokens") or 0, details.get("cache_write_tokens") or 0
    return Usage(counts["input_tokens"], counts.get("output_tokens") or 0, read, write)


class OpenAIResponses(Remote):
    """A model behind the Responses API. Nothing is stored at the provider: the whole history is sent each time."""

    provider, key_name, gathered = "openai", "OPENAI_API_KEY", Gathered

    def _connect(self, **options: Any) -> Any:
        from openai import AsyncOpenAI

        return AsyncOpenAI(**options)

    async def _open(self, client: Any, request: Request) -> Any:
        return await client.responses.create(
            model=self.model,
            max_output_tokens=self.max_tokens,
            include=["reasoning.encrypted_content"],
            store=False,
            stream=True,
            **to_wire(request.messages, request.tools),
        )
