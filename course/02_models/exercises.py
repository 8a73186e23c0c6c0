# %% [markdown]
# # Models on the wire: exercises
#
# Six tasks, about an hour. Write your answer in the cell under each task, then run the check below it. No server is needed: both halves of an
# adapter are pure functions. Run the first cell before you begin.

# %%
import json

from jiter import from_json

from picolab.classroom import check
from picolab.messages import Message, Text, ToolCall, ToolResult, results, system, user

# %% [markdown] task="02.1" points=1 level=1 minutes=6
# ## 02.1 What "input" counts
#
# **◆◇◇ · 6 minutes · 1 point · predict.** Write `tokens_read(usage)`: how many input tokens a call read in all, cached or not. `usage` is a dict as
# a provider sends it. From Anthropic it has `input_tokens` and may have `cache_read_input_tokens` and `cache_creation_input_tokens`. From
# OpenAI's Chat Completions it has `prompt_tokens` and may have `prompt_tokens_details` with `cached_tokens`. What may be there can also be `None`.
#
# <details><summary>Nudge</summary>
#
# In one of the two the cached tokens stand beside the input, in the other inside it.
# </details>
# <details><summary>Method</summary>
#
# If `prompt_tokens` is there, that is already everything. Otherwise add up three numbers.
# </details>
# <details><summary>Nearly there</summary>
#
# `usage.get("cache_read_input_tokens") or 0` covers a missing number and `None`.
# </details>


# %% answer="02.1"
def tokens_read(usage: dict) -> int:
    """Input tokens of one call in all, cached or not."""
    # BEGIN SOLUTION
    if "prompt_tokens" in usage:
        return usage["prompt_tokens"]
    cached = ("cache_read_input_tokens", "cache_creation_input_tokens")
    return usage["input_tokens"] + sum(usage.get(name) or 0 for name in cached)
    # END SOLUTION


# %% check="02.1"
await check("02.1", tokens_read)

# %% [markdown] task="02.2" points=2 level=2 minutes=10
# ## 02.2 One turn, one message
#
# **◆◆◇ · 10 minutes · 2 points · fix.** This writes a history down for Anthropic:
#
# ```python
# def anthropic_messages(history):
#     made = []
#     for message in history:
#         for part in message.parts:
#             if isinstance(part, Text):
#                 made.append({"role": message.role, "content": [{"type": "text", "text": part.text}]})
#             elif isinstance(part, ToolCall):
#                 block = {"type": "tool_use", "id": part.id, "name": part.name, "input": part.arguments}
#                 made.append({"role": "assistant", "content": [block]})
#             else:
#                 block = {"type": "tool_result", "tool_use_id": part.call_id, "content": part.content}
#                 made.append({"role": "user", "content": [block]})
#     return made
# ```
#
# Mend it: one message for each message of the history, with all its parts as blocks, in order. `input` is an object. A result says `is_error`,
# true or false. Messages of the role `system` are left out: they travel beside the messages. All arguments here are valid JSON objects.
#
# <details><summary>Nudge</summary>
#
# Which loop should make a message, and which a block?
# </details>
# <details><summary>Method</summary>
#
# One function that makes a block from a part; then a list of messages, each with a list of blocks. The role of results is `user`.
# </details>
# <details><summary>Nearly there</summary>
#
# `"input": json.loads(part.arguments)`, and `"role": "assistant" if message.role == "assistant" else "user"`.
# </details>


# %% answer="02.2"
def anthropic_messages(history: list[Message]) -> list[dict]:
    """The messages of a history as Anthropic wants them, without the system text."""

    # BEGIN SOLUTION
    def block(part):
        if isinstance(part, Text):
            return {"type": "text", "text": part.text}
        if isinstance(part, ToolCall):
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": json.loads(part.arguments)}
        return {
            "type": "tool_result",
            "tool_use_id": part.call_id,
            "content": part.content,
            "is_error": part.is_error,
        }

    return [
        {
            "role": "assistant" if message.role == "assistant" else "user",
            "content": [block(part) for part in message.parts],
        }
        for message in history
        if message.role != "system"
    ]
    # END SOLUTION


# %% check="02.2"
await check("02.2", anthropic_messages)

# %% [markdown] task="02.3" points=2 level=2 minutes=10
# ## 02.3 The other wire
#
# **◆◆◇ · 10 minutes · 2 points · build.** Write `chat_messages(history)` for Chat Completions. A system, user or assistant message is one message
# with its `role` and its words as `content`. Calls go into `tool_calls`, each with `id`, `type` `"function"`, and `function` with `name` and
# `arguments`, **as text**. A message without calls has no `tool_calls`. Each result is a message of its own: role `tool`, `tool_call_id`,
# `content`. An error cannot be marked here, so its content begins with `ERROR: `.
#
# <details><summary>Nudge</summary>
#
# One message of the history can become several here. Which one?
# </details>
# <details><summary>Method</summary>
#
# Go through the history. A message with results gives one message for each of them; any other gives one. `message.text`, `message.calls` and
# `message.results` sort the parts for you.
# </details>
# <details><summary>Nearly there</summary>
#
# `arguments` is `call.arguments` as it is: no `json.loads`, no `json.dumps`.
# </details>


# %% answer="02.3"
def chat_messages(history: list[Message]) -> list[dict]:
    """The messages of a history as Chat Completions wants them."""
    # BEGIN SOLUTION
    made = []
    for message in history:
        for result in message.results:
            content = "ERROR: " + result.content if result.is_error else result.content
            made.append({"role": "tool", "tool_call_id": result.call_id, "content": content})
        if message.results:
            continue
        each = {"role": message.role, "content": message.text}
        if message.calls:
            each["tool_calls"] = [
                {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
                for c in message.calls
            ]
        made.append(each)
    return made
    # END SOLUTION


# %% check="02.3"
await check("02.3", chat_messages)

# %% [markdown] task="02.4" points=3 level=2 minutes=15
# ## 02.4 Out of pieces
#
# **◆◆◇ · 15 minutes · 3 points · build.** Write `gather(events)` for Anthropic's stream. `events` is a list of dicts. It returns `(parts, stop)`: a
# list with a `Text` or a `ToolCall` for each block, by index, and the stop reason.
#
# | type | what it holds |
# |---|---|
# | `content_block_start` | `index`, and `content_block` with `type` `text`, or `tool_use` with `id` and `name` |
# | `content_block_delta` | `index`, and `delta` with `type` `text_delta` and `text`, or `input_json_delta` and `partial_json` |
# | `message_delta` | `delta` with `stop_reason` |
# | `message_stop` | nothing: the stream is complete |
#
# Deltas of two blocks may alternate. Types that are not in the table are passed over. A call's arguments stay text, and are `{}` if no piece
# came. A stream without `message_stop` raises `ConnectionError`.
#
# <details><summary>Nudge</summary>
#
# A dict from index to what is known of that block so far.
# </details>
# <details><summary>Method</summary>
#
# Start puts an entry in, a delta adds text to it, the end sorts the entries by index and makes parts of them. Do not parse anything.
# </details>
# <details><summary>Nearly there</summary>
#
# `ToolCall(block["id"], block["name"], "".join(pieces) or "{}")`
# </details>


# %% answer="02.4"
def gather(events: list[dict]) -> tuple[list, str]:
    """The parts of a streamed reply by index, and why it stopped."""
    # BEGIN SOLUTION
    blocks, written, stop, complete = {}, {}, None, False
    for event in events:
        if event["type"] == "content_block_start":
            blocks[event["index"]] = event["content_block"]
            written[event["index"]] = []
        elif event["type"] == "content_block_delta":
            delta = event["delta"]
            piece = {"text_delta": "text", "input_json_delta": "partial_json"}.get(delta["type"])
            if piece:
                written[event["index"]].append(delta[piece])
        elif event["type"] == "message_delta":
            stop = event["delta"]["stop_reason"]
        elif event["type"] == "message_stop":
            complete = True
    if not complete:
        raise ConnectionError("the stream was cut")
    parts = []
    for index, block in sorted(blocks.items()):
        text = "".join(written[index])
        if block["type"] == "text":
            parts.append(Text(text))
        elif block["type"] == "tool_use":
            parts.append(ToolCall(block["id"], block["name"], text or "{}"))
    return parts, stop
    # END SOLUTION


# %% check="02.4"
await check("02.4", gather)

# %% [markdown] task="02.5" points=2 level=3 minutes=12
# ## 02.5 Again, or not, and when
#
# **◆◆◆ · 12 minutes · 2 points · build.** Write `wait_before(attempt, status, headers, chance)`: seconds to wait before trying again, or `None` for
# not at all. `attempt` counts the failures so far, from 1; after the third there is no other. `status` is the HTTP status, or `None` when no answer
# came. Worth another attempt are: no answer, 408, 409, 429, and 500 or more. If `headers` (a dict, names in lower case) has a `retry-after` that is
# a number, wait exactly that long, but not longer than 30 seconds: beyond that, do not try again. Otherwise wait
# `0.5 * 2 ** (attempt - 1) * chance`; `chance` is a number from 0.5 to 1.
#
# <details><summary>Nudge</summary>
#
# First decide *whether*, then *when*. A `retry-after` can also be a date, which is no number.
# </details>
# <details><summary>Method</summary>
#
# Return `None` early for the fourth attempt and for a status that lasts. Then try `float(...)` on the header and catch `ValueError`.
# </details>
# <details><summary>Nearly there</summary>
#
# `float("nan")` and `float("-3")` are numbers to Python. Neither is a wait.
# </details>


# %% answer="02.5"
def wait_before(attempt: int, status: int | None, headers: dict, chance: float) -> float | None:
    """Seconds to wait before the next attempt; None if there should be none."""
    # BEGIN SOLUTION
    passing = status is None or status in (408, 409, 429) or status >= 500
    if attempt >= 3 or not passing:
        return None
    try:
        asked = float(headers.get("retry-after", ""))
    except ValueError:
        asked = -1.0
    if asked >= 0:
        return asked if asked <= 30 else None
    return 0.5 * 2 ** (attempt - 1) * chance
    # END SOLUTION


# %% check="02.5"
await check("02.5", wait_before)

# %% [markdown] task="02.6" points=2 level=3 minutes=12
# ## 02.6 A cut that says something else
#
# **◆◆◆ · 12 minutes · 2 points · break.** A colleague reads arguments while they arrive, with the lenient reader that the Anthropic SDK uses:
#
# ```python
# def so_far(text):
#     return from_json(text.encode(), partial_mode=True)
# ```
#
# The tool `clean(keep)` deletes every file that is not in `keep`. Write `cut_call(files)`: it returns `(text, length)`. `text` is the whole
# call, valid JSON for `{"keep": files}`. Cut to its first `length` characters, the lenient reader must make of it a call that keeps **all files but
# the last**. There are at least two files. Their names are plain, or not: any text.
#
# Then say to yourself, in one sentence, which check would have stopped it.
#
# <details><summary>Nudge</summary>
#
# The reader drops a string that has no end yet. Try `from_json(b'{"keep": ["a", "b', partial_mode=True)`.
# </details>
# <details><summary>Method</summary>
#
# Cut anywhere inside the last name. Where does that begin?
# </details>
# <details><summary>Nearly there</summary>
#
# `json.dumps({"keep": files})` ends with `"]}`. One character less than that, and the last string is open. Then no search is needed.
# </details>


# %% answer="02.6"
def cut_call(files: list[str]) -> tuple[str, int]:
    """The text of a call, and where to cut it so that it keeps all files but the last."""
    # BEGIN SOLUTION
    text = json.dumps({"keep": files})
    return text, len(text) - len('"]}')
    # END SOLUTION


# %% check="02.6"
await check("02.6", cut_call)

# %% [markdown]
# What would have stopped it: reading the arguments only when the stream is complete, with a reader that takes all or nothing. The whole text of a
# call is valid JSON; no proper beginning of it is.
