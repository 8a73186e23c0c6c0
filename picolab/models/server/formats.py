"""Three wire formats, from the server's side: a request read into messages, and a reply written as events.

Source: the types of the SDKs anthropic 2.17 and openai 3.63, against which every answer is validated in the tests.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from picolab.messages import Message, Reply, Text, ToolCall, ToolResult, Usage, results, system, user
from picolab.models.openai_chat import ERROR

Event = dict[str, Any]
PIECE = 7
"""Characters in one delta: short enough that words and keys are cut in the middle."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a format needs to write a reply down."""

    id: str
    model: str
    reply: Reply
    usage: Usage | None
    """None to leave it out."""


def pieces(text: str) -> list[str]:
    """A text in the pieces that a stream sends."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


# Anthropic Messages --------------------------------------------------------------------------------------------------


class Messages:
    """POST /v1/messages."""

    path, anthropic = "/v1/messages", True

    @staticmethod
    def read(body: dict[str, Any]) -> list[Message]:
        """The messages of a request."""
        opening = body.get("system") or []
        words = opening if isinstance(opening, str) else "\n\n".join(block["text"] for block in opening)
        found = [system(words)] if words else []
        for message in body["messages"]:
            content = message["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            found += Messages._read(message["role"], blocks)
        return found

    @staticmethod
    def _read(role: str, blocks: list[Event]) -> list[Message]:
        told = [block for block in blocks if block["type"] == "tool_result"]
        parts = [
            Text(block["text"])
            if block["type"] == "text"
            else ToolCall(block["id"], block["name"], json.dumps(block["input"], ensure_ascii=False))
            for block in blocks
            if block["type"] in ("text", "tool_use")
        ]
        made = [results(Messages._result(block) for block in told)] if told else []
        return [*made, *([Message(role, tuple(parts))] if parts else [])]

    @staticmethod
    def _result(block: Event) -> ToolResult:
        content = block.get("content") or ""
        text = content if isinstance(content, str) else "".join(each.get("text", "") for each in content)
        return ToolResult(block["tool_use_id"], text, bool(block.get("is_error")))

    @staticmethod
    def events(answer: Answer) -> Iterator[Event]:
        """The stream: every block is started, filled by deltas, and stopped."""
        yield {"type": "message_start", "message": Messages._message(answer, [], None)}
        for at, part in enumerate(answer.reply.parts):
            empty = {"type": "text", "text": ""} if isinstance(part, Text) else Messages._call(part, {})
            yield {"type": "content_block_start", "index": at, "content_block": empty}
            for piece in pieces(part.text if isinstance(part, Text) else part.arguments):
                kind = (
                    ("text_delta", "text") if isinstance(part, Text) else ("input_json_delta", "partial_json")
                )
                yield {"type": "content_block_delta", "index": at, "delta": {"type": kind[0], kind[1]: piece}}
            yield {"type": "content_block_stop", "index": at}
        stop = {"stop_reason": answer.reply.stop_reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": stop, "usage": Messages._counts(answer.usage)}
        yield {"type": "message_stop"}

    @staticmethod
    def whole(answer: Answer) -> Event:
        """The answer in one piece."""
        content = [
            {"type": "text", "text": part.text}
            if isinstance(part, Text)
            else Messages._call(part, _object(part))
            for part in answer.reply.parts
        ]
        return Messages._message(answer, content, answer.reply.stop_reason)

    @staticmethod
    def _call(part: ToolCall, value: Any) -> Event:
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": value}

    @staticmethod
    def _message(answer: Answer, content: list[Event], stop: str | None) -> Event:
        return {
            "id": f"msg_{answer.id}",
            "type": "message",
            "role": "assistant",
            "model": answer.model,
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": Messages._counts(answer.usage) or {},
        }

    @staticmethod
    def _counts(usage: Usage | None) -> Event:
        """Beside `input_tokens` stand the cached ones, not in it."""
        if usage is None:
            return {}
        return {
            "input_tokens": usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_input_tokens": usage.cache_read_tokens,
            "cache_creation_input_tokens": usage.cache_write_tokens,
        }

    @staticmethod
    def failed() -> Event:
        """An error in the middle of a stream."""
        return {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}

    @staticmethod
    def frame(event: Event) -> str:
        """An event as bytes on the wire, in the form of server-sent events."""
        return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"

    end = ""


CHAT_STOPS = {
    "end_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "refusal": "content_filter",
}

# OpenAI Chat Completions ---------------------------------------------------------------------------------------------


class Chat:
    """POST /v1/chat/completions."""

    path, anthropic = "/v1/chat/completions", False

    @staticmethod
    def read(body: dict[str, Any]) -> list[Message]:
        """The messages of a request; neighbouring results are one message here."""
        found: list[Message] = []
        for message in body["messages"]:
            if message["role"] == "tool":
                result = _unmarked(message["tool_call_id"], message["content"])
                before = found.pop().results if found and found[-1].role == "tool" else ()
                found.append(results([*before, result]))
                continue
            calls = [
                ToolCall(each["id"], each["function"]["name"], each["function"]["arguments"])
                for each in message.get("tool_calls") or ()
            ]
            text = [Text(message["content"])] if message.get("content") else []
            found.append(Message(message["role"], (*text, *calls)))
        return found

    @staticmethod
    def events(answer: Answer) -> Iterator[Event]:
        """The stream: every chunk has the same shape, and the last one has no choices."""
        chunk = {
            "id": f"chatcmpl-{answer.id}",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": answer.model,
        }

        def choice(delta: Event, stop: str | None = None) -> Event:
            return chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": stop}]}

        yield choice({"role": "assistant", "content": ""})
        index = 0
        for part in answer.reply.parts:
            if isinstance(part, Text):
                yield from (choice({"content": piece}) for piece in pieces(part.text))
                continue
            first = {
                "index": index,
                "id": part.id,
                "type": "function",
                "function": {"name": part.name, "arguments": ""},
            }
            yield choice({"tool_calls": [first]})
            for piece in pieces(part.arguments):
                yield choice({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
            index += 1
        yield choice({}, CHAT_STOPS[answer.reply.stop_reason])
        if answer.usage:
            yield chunk | {"choices": [], "usage": Chat._counts(answer.usage)}

    @staticmethod
    def whole(answer: Answer) -> Event:
        """The answer in one piece."""
        calls = [
            {"id": each.id, "type": "function", "function": {"name": each.name, "arguments": each.arguments}}
            for each in answer.reply.calls
        ]
        message = {"role": "assistant", "content": answer.reply.text or None, "refusal": None}
        choice = {
            "index": 0,
            "message": message | ({"tool_calls": calls} if calls else {}),
            "finish_reason": CHAT_STOPS[answer.reply.stop_reason],
            "logprobs": None,
        }
        made = {
            "id": f"chatcmpl-{answer.id}",
            "object": "chat.completion",
            "created": 0,
            "model": answer.model,
        }
        return made | {"choices": [choice]} | ({"usage": Chat._counts(answer.usage)} if answer.usage else {})

    @staticmethod
    def _counts(usage: Usage) -> Event:
        """In `prompt_tokens` stand the cached ones too."""
        return {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.total,
            "prompt_tokens_details": {
                "cached_tokens": usage.cache_read_tokens,
                "cache_write_tokens": usage.cache_write_tokens,
            },
        }

    @staticmethod
    def failed() -> Event:
        """An error in the middle of a stream."""
        return {
            "error": {"type": "server_error", "code": "overloaded", "message": "overloaded", "param": None}
        }

    @staticmethod
    def frame(event: Event) -> str:
        return f"data: {json.dumps(event)}\n\n"

    end = "data: [DONE]\n\n"


# OpenAI Responses ----------------------------------------------------------------------------------------------------


class Responses:
    """POST /v1/responses."""

    path, anthropic = "/v1/responses", False

    @staticmethod
    def read(body: dict[str, Any]) -> list[Message]:
        """The messages of a request: items of one turn are gathered into one message."""
        if isinstance(body["input"], str):
            return [user(body["input"])]
        found: list[Message] = []
        for item in body["input"]:
            made = Responses._message(item)
            if made is None:
                continue
            if found and made.role == found[-1].role and made.role in ("assistant", "tool"):
                found[-1] = Message(made.role, (*found[-1].parts, *made.parts))
            else:
                found.append(made)
        return found

    @staticmethod
    def _message(item: Event) -> Message | None:
        kind = item.get("type", "message")
        if kind == "function_call":
            return Message("assistant", (ToolCall(item["call_id"], item["name"], item["arguments"]),))
        if kind == "function_call_output":
            return results([_unmarked(item["call_id"], item["output"])])
        if kind != "message":
            return None
        content = item["content"]
        text = content if isinstance(content, str) else "".join(each.get("text", "") for each in content)
        return Message(item["role"], (Text(text),))

    @staticmethod
    def events(answer: Answer) -> Iterator[Event]:
        """The stream: every item is added, filled, and done, and the end repeats the whole."""
        number = iter(range(10**6))

        def event(kind: str, **fields: Any) -> Event:
            return {"type": f"response.{kind}", "sequence_number": next(number), **fields}

        begun = Responses._response(answer, [], "in_progress")
        yield event("created", response=begun)
        yield event("in_progress", response=begun)
        items = Responses._items(answer)
        for at, (item, part) in enumerate(zip(items, answer.reply.parts, strict=True)):
            place = {"output_index": at, "item_id": item["id"]}
            empty = item | ({"content": []} if isinstance(part, Text) else {"arguments": ""})
            yield event("output_item.added", output_index=at, item=empty | {"status": "in_progress"})
            if isinstance(part, Text):
                place["content_index"] = 0
                (text,) = item["content"]
                yield event("content_part.added", **place, part=text | {"text": ""})
                for piece in pieces(part.text):
                    yield event("output_text.delta", **place, delta=piece, logprobs=[])
                yield event("output_text.done", **place, text=part.text, logprobs=[])
                yield event("content_part.done", **place, part=text)
            else:
                for piece in pieces(part.arguments):
                    yield event("function_call_arguments.delta", **place, delta=piece)
                yield event("function_call_arguments.done", **place, arguments=part.arguments, name=part.name)
            yield event("output_item.done", output_index=at, item=item)
        last = Responses.whole(answer)
        yield event(last["status"], response=last)

    @staticmethod
    def whole(answer: Answer) -> Event:
        """The answer in one piece."""
        complete = answer.reply.stop_reason in ("end_turn", "tool_use")
        return Responses._response(
            answer, Responses._items(answer), "completed" if complete else "incomplete"
        )

    @staticmethod
    def _items(answer: Answer) -> list[Event]:
        made = []
        for at, part in enumerate(answer.reply.parts):
            id = f"item_{answer.id}_{at}"
            if isinstance(part, Text):
                text = {"type": "output_text", "text": part.text, "annotations": [], "logprobs": []}
                made.append(
                    {
                        "type": "message",
                        "id": id,
                        "role": "assistant",
                        "status": "completed",
                        "content": [text],
                    }
                )
            else:
                call = {"call_id": part.id, "name": part.name, "arguments": part.arguments}
                made.append({"type": "function_call", "id": id, "status": "completed", **call})
        return made

    @staticmethod
    def _response(answer: Answer, items: list[Event], status: str) -> Event:
        why = {"max_tokens": "max_output_tokens", "refusal": "content_filter"}.get(answer.reply.stop_reason)
        return {
            "id": f"resp_{answer.id}",
            "object": "response",
            "created_at": 0,
            "model": answer.model,
            "output": items,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "status": status,
            "error": None,
            "incomplete_details": {"reason": why} if status == "incomplete" else None,
            "usage": Responses._counts(answer.usage) if answer.usage and status != "in_progress" else None,
        }

    @staticmethod
    def _counts(usage: Usage) -> Event:
        return {
            "input_tokens": usage.input_tokens,
            "input_tokens_details": {
                "cached_tokens": usage.cache_read_tokens,
                "cache_write_tokens": usage.cache_write_tokens,
            },
            "output_tokens": usage.output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage.total,
        }

    @staticmethod
    def failed() -> Event:
        """An error in the middle of a stream."""
        return {
            "type": "error",
            "sequence_number": 0,
            "code": "overloaded",
            "message": "overloaded",
            "param": None,
        }

    @staticmethod
    def frame(event: Event) -> str:
        return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"

    end = ""


FORMATS = (Messages, Chat, Responses)


def _unmarked(call_id: str, text: str) -> ToolResult:
    return ToolResult(call_id, text.removeprefix(ERROR), text.startswith(ERROR))


def _object(part: ToolCall) -> Any:
    try:
        return json.loads(part.arguments)
    except ValueError:
        return {}
