"""Chat Completions: OpenAI's older API, and the one that most servers of one's own speak."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from picolab.errors import ModelError
from picolab.messages import Message, Reply, Text, Thought, ToolCall, ToolResult, Usage
from picolab.models.base import Request
from picolab.models.failures import cut_stream
from picolab.models.remote import Remote, estimated_usage
from picolab.tools.base import Tool

STOPS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}
ERROR = "ERROR: "
"""This wire cannot mark a result as an error, so the text says it."""


def to_wire(messages: Sequence[Message], tools: Sequence[Tool] = ()) -> dict[str, Any]:
    """The body of a request: each result is a message of its own, and arguments travel as text."""
    body: dict[str, Any] = {"messages": [made for message in messages for made in _messages(message)]}
    if tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
            }
            for tool in tools
        ]
    return body


def _messages(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [_result(result) for result in message.results]
    made: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        made["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return [made]


def _result(result: ToolResult) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": result.call_id, "content": marked(result)}


def marked(result: ToolResult) -> str:
    """A result's text, which says by itself that it is an error."""
    return ERROR + result.content if result.is_error else result.content


class Gathered:
    """A reply that arrives in chunks: text, and the arguments of each call, a few characters at a time."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.calls: dict[int, dict[str, str]] = {}
        self.usage: Mapping[str, Any] | None = None
        self.stop: str | None = None

    def add(self, chunk: Mapping[str, Any]) -> str:
        """Take one chunk in; returns the text that it brought, if any."""
        self.usage = chunk.get("usage") or self.usage
        for choice in chunk.get("choices") or ():
            self.stop = choice.get("finish_reason") or self.stop
            delta = choice.get("delta") or {}
            for at, piece in enumerate(delta.get("tool_calls") or ()):
                self._add_piece(piece.get("index", at), piece)
            if text := delta.get("content"):
                self.text.append(text)
                return text
        return ""

    def _add_piece(self, index: int, piece: Mapping[str, Any]) -> None:
        call = self.calls.setdefault(index, {"id": "", "name": "", "arguments": ""})
        function = piece.get("function") or {}
        call["id"] = call["id"] or piece.get("id") or ""
        call["name"] += function.get("name") or ""
        call["arguments"] += function.get("arguments") or ""

    def reply(self, request: Request, name: str) -> Reply:
        """The whole reply.

        Raises:
            ModelError: the stream ended early, or stopped for a reason that is not known here.
        """
        if self.stop is None:
            raise cut_stream(name, f"after {len(self.text)} pieces of text and {len(self.calls)} calls")
        if self.stop not in STOPS:
            raise ModelError(f"{name}: it stopped for an unknown reason, {self.stop!r}")
        text = "".join(self.text)
        calls = [
            ToolCall(call["id"] or f"call_{uuid.uuid4().hex[:12]}", call["name"], call["arguments"])
            for _, call in sorted(self.calls.items())
        ]
        parts: tuple[Text | ToolCall | Thought, ...] = (*((Text(text),) if text else ()), *calls)
        stop = STOPS[self.stop] if not calls or self.stop == "length" else "tool_use"
        return Reply(parts, _usage(self.usage, request, parts), stop)


def _usage(counts: Mapping[str, Any] | None, request: Request, parts: Sequence[Any]) -> Usage:
    """OpenAI counts what was cached in `prompt_tokens`, not beside it."""
    if not counts or counts.get("prompt_tokens") is None:
        return estimated_usage(request, parts)
    details = counts.get("prompt_tokens_details") or {}
    read, write = details.get("cached_tokens") or 0, details.get("cache_write_tokens") or 0
    return Usage(counts["prompt_tokens"], counts.get("completion_tokens") or 0, read, write)


class OpenAIChat(Remote):
    """A model behind Chat Completions: OpenAI's, or Ollama, vLLM, llama.cpp and others by their address."""

    provider, key_name, gathered = "openai-chat", "OPENAI_API_KEY", Gathered

    def _connect(self, **options: Any) -> Any:
        from openai import AsyncOpenAI

        return AsyncOpenAI(**options)

    async def _open(self, client: Any, request: Request) -> Any:
        limit = (
            "max_tokens" if self._own else "max_completion_tokens"
        )  # servers of one's own know the older name
        return await client.chat.completions.create(
            model=self.model,
            stream=True,
            stream_options={"include_usage": True},
            **{limit: self.max_tokens},
            **to_wire(request.messages, request.tools),
        )
