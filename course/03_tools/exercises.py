# %% [markdown]
# # Tools: exercises
#
# Seven tasks, a little over an hour. Write your answer in the cell under each task, then run the check below it. A failed check says what it
# expected, what came, and on which input. Run the first cell before you begin.

# %%
import asyncio
import dataclasses
import json
import math
import types
import typing

from picolab.classroom import check
from picolab.messages import ToolCall, ToolResult

# %% [markdown] task="03.1" points=1 level=1 minutes=5
# ## 03.1 What a vague error costs
#
# **◆◇◇ · 5 minutes · 1 point · predict.** A model's call has `mistakes` wrong arguments. Each refusal names at most `told` of them, and the
# model mends exactly those. Write `calls_needed(mistakes, told)`: how many calls the model makes, the accepted one included.
#
# <details><summary>Nudge</summary>
#
# How many calls does it make when nothing is wrong?
# </details>
# <details><summary>Method</summary>
#
# Each refusal takes away up to `told` mistakes. Count the refusals, then add the call that passes.
# </details>
# <details><summary>Nearly there</summary>
#
# `math.ceil(mistakes / told)` refusals.
# </details>


# %% answer="03.1"
def calls_needed(mistakes: int, told: int) -> int:
    """Calls until one is accepted, when each refusal names up to `told` mistakes."""
    # BEGIN SOLUTION
    return 1 + math.ceil(mistakes / told)
    # END SOLUTION


# %% check="03.1"
await check("03.1", calls_needed)

# %% [markdown] task="03.2" points=2 level=2 minutes=10
# ## 03.2 One text, one meaning
#
# **◆◆◇ · 10 minutes · 2 points · fix.** This reader accepts texts that another reader would take differently:
#
# ```python
# def read_strictly(text):
#     return json.loads(text)
# ```
#
# Mend it. It raises `ValueError` for whatever is not JSON, for a key that stands twice **in one object** (the message names the key), for
# `NaN`, `Infinity` and `-Infinity`, and for a number so large that a float cannot hold it. Everything else comes through as before.
#
# <details><summary>Nudge</summary>
#
# `json.loads` takes functions that it calls while it reads. Which ones see a pair, a constant, a number?
# </details>
# <details><summary>Method</summary>
#
# `object_pairs_hook` gets the pairs of one object, doubles and all. `parse_constant` gets the three words. `parse_float` gets the digits.
# </details>
# <details><summary>Nearly there</summary>
#
# `1e309` is a float to the reader: `float("1e309")` is infinite, and `math.isfinite` says so.
# </details>


# %% answer="03.2"
def read_strictly(text: str):
    """The value in a JSON text; ValueError for whatever two readers could take differently."""

    # BEGIN SOLUTION
    def pairs(found):
        kept = {}
        for key, value in found:
            if key in kept:
                raise ValueError(f"the key {key!r} stands twice")
            kept[key] = value
        return kept

    def constant(name):
        raise ValueError(f"{name} is not JSON")

    def number(digits):
        if not math.isfinite(float(digits)):
            raise ValueError(f"{digits} is too large")
        return float(digits)

    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=number)
    # END SOLUTION


# %% check="03.2"
await check("03.2", read_strictly)

# %% [markdown] task="03.3" points=2 level=2 minutes=10
# ## 03.3 Cut, and say so
#
# **◆◆◇ · 10 minutes · 2 points · build.** Write `truncate(text, limit)`. A text of at most `limit` characters comes back unchanged. A longer one
# keeps its beginning and its end, about equally, with a note between them that says **exactly how many characters are missing**. The result is
# never longer than `limit`, whatever `limit` is. If the note does not fit, leave it out.
#
# <details><summary>Nudge</summary>
#
# The note takes room too. How long is it, if you do not know yet which number will stand in it?
# </details>
# <details><summary>Method</summary>
#
# Make the note with the largest number it could hold, `len(text)`. What is left of `limit` is the room for the two ends. Negative room: no note.
# </details>
# <details><summary>Nearly there</summary>
#
# `text[-tail:]` with `tail == 0` is the whole text. `text[len(text) - tail:]` is not.
# </details>


# %% answer="03.3"
def truncate(text: str, limit: int) -> str:
    """Both ends of a text, with a note of how many characters are missing; never longer than `limit`."""
    # BEGIN SOLUTION
    if len(text) <= limit:
        return text
    note = "\n[… {} characters cut …]\n"
    room = limit - len(note.format(len(text)))
    if room < 0:
        return text[:limit]
    head = room // 2
    tail = room - head
    return text[:head] + note.format(len(text) - room) + text[len(text) - tail :]
    # END SOLUTION


# %% check="03.3"
await check("03.3", truncate)

# %% [markdown] task="03.4" points=3 level=2 minutes=15
# ## 03.4 A type, as JSON Schema
#
# **◆◆◇ · 15 minutes · 3 points · complete.** Write `schema_of_type(hint)` for: `str`, `int`, `float`, `bool`, `None`; `list[X]`; `dict[str, X]`;
# `Literal`; unions, written `X | Y`; and dataclasses. A dataclass is an object that takes its fields and **nothing else**; a field with a
# default may be left out. Anything else raises `TypeError`. The simple types are done.
#
# The check runs a JSON Schema validator on values that should fit and values that should not. How your schema says it is up to you.
#
# <details><summary>Nudge</summary>
#
# `typing.get_origin(list[int])` is `list`, and `typing.get_args` has the rest. What does a schema for a union look like?
# </details>
# <details><summary>Method</summary>
#
# One branch for each origin, and the function calls itself for the inner types: `items`, `additionalProperties`, `anyOf`, `enum`.
# `dataclasses.fields(hint)` has names, types and defaults.
# </details>
# <details><summary>Nearly there</summary>
#
# A field may be left out if its `default` or its `default_factory` is not `dataclasses.MISSING`. Close the object with
# `"additionalProperties": False`.
# </details>

# %% answer="03.4"
SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", None: "null"}


def schema_of_type(hint) -> dict:
    """JSON Schema of one type."""
    if typing.get_origin(hint) is None and hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    # BEGIN SOLUTION
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return {"type": "array", "items": schema_of_type(args[0])}
    if origin is dict and args[0] is str:
        return {"type": "object", "additionalProperties": schema_of_type(args[1])}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [schema_of_type(arg) for arg in args]}
    if dataclasses.is_dataclass(hint):
        missing = dataclasses.MISSING
        fields = dataclasses.fields(hint)
        return {
            "type": "object",
            "properties": {field.name: schema_of_type(field.type) for field in fields},
            "required": [f.name for f in fields if f.default is missing and f.default_factory is missing],
            "additionalProperties": False,
        }
    raise TypeError(f"{hint!r} has no JSON Schema")
    # END SOLUTION


# %% check="03.4"
await check("03.4", schema_of_type)

# %% [markdown] task="03.5" points=2 level=3 minutes=12
# ## 03.5 The mask
#
# **◆◆◆ · 12 minutes · 2 points · build.** A model may write one of `words` and nothing else. `prefix` is what it has written so far. Write
# `allowed(tokens, words, prefix)`: the numbers (positions in the list) of the tokens that may come next, as a set. A token may come if what
# is written then still begins one of the words. The token `"<end>"` may come exactly when `prefix` is a whole word. An empty token would change
# nothing, so it may never come.
#
# <details><summary>Nudge</summary>
#
# Write down what stands there after the token. Which words begin with that?
# </details>
# <details><summary>Method</summary>
#
# For each number and token: the end token has its own rule; an empty one is out; otherwise some word must start with `prefix + token`.
# </details>
# <details><summary>Nearly there</summary>
#
# `any(word.startswith(prefix + token) for word in words)`
# </details>


# %% answer="03.5"
def allowed(tokens: list[str], words: list[str], prefix: str) -> set[int]:
    """Numbers of the tokens that keep the text inside one of the words."""
    # BEGIN SOLUTION
    found = set()
    for number, token in enumerate(tokens):
        if token == "<end>":
            if prefix in words:
                found.add(number)
        elif token and any(word.startswith(prefix + token) for word in words):
            found.add(number)
    return found
    # END SOLUTION


# %% check="03.5"
await check("03.5", allowed)

# %% [markdown] task="03.6" points=3 level=3 minutes=15
# ## 03.6 Together, in order, and never for ever
#
# **◆◆◆ · 15 minutes · 3 points · build.** Write `run_together(calls, tools, seconds)`. All calls run at the same time; `tools` maps names to async
# functions that return text. It returns a list with one `ToolResult` for each call, **in the order of the calls**. A tool that raises, or that takes
# longer than `seconds`, gives a result with `is_error=True`, and costs the others nothing. When `run_together` is over, nothing that it
# started still runs: not after a time-out, and not when it is cancelled itself. A cancellation passes through.
#
# <details><summary>Nudge</summary>
#
# Write an inner function that runs *one* call and always returns a `ToolResult`. What is then left to do?
# </details>
# <details><summary>Method</summary>
#
# `async with asyncio.timeout(seconds)` cancels what is inside. `asyncio.gather` keeps the order, and cancels its children when it is cancelled.
# </details>
# <details><summary>Nearly there</summary>
#
# Inside: `except TimeoutError` first, then `except Exception`. `asyncio.CancelledError` is neither, so it passes by itself.
# </details>


# %% answer="03.6"
async def run_together(calls: list[ToolCall], tools: dict, seconds: float) -> list[ToolResult]:
    """One result for each call, in their order; all run at the same time, each for at most `seconds`."""

    # BEGIN SOLUTION
    async def one(wanted):
        try:
            async with asyncio.timeout(seconds):
                return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
        except TimeoutError:
            reason = f"{wanted.name} was stopped after {seconds} seconds; ask for less"
        except Exception as error:
            reason = f"{wanted.name} failed: {type(error).__name__}: {error}"
        return ToolResult(wanted.id, reason, is_error=True)

    return list(await asyncio.gather(*(one(wanted) for wanted in calls)))
    # END SOLUTION


# %% check="03.6"
await check("03.6", run_together)

# %% [markdown] task="03.7" points=2 level=3 minutes=12
# ## 03.7 A call with two faces
#
# **◆◆◆ · 12 minutes · 2 points · break.** A colleague knows about doubled keys, and guards a tool like this:
#
# ```python
# def looked_at(text):
#     """The path that a call names, or None if it does not name exactly one."""
#     found = re.findall(r'"path"\s*:\s*"([^"]*)"', text)
#     return found[0] if len(found) == 1 else None
#
# def opened(text):
#     """The path that is really opened."""
#     return json.loads(text)["path"]
# ```
#
# Write `two_faced(seen, done)`: a text for which `looked_at` gives `seen` and `opened` gives `done`. Both are plain file names.
#
# Then say to yourself, in one sentence, what your strict reader from 03.2 would have done, and whether that is enough.
#
# <details><summary>Nudge</summary>
#
# The guard looks at the letters of the text. `json.loads` looks at what they mean. In which ways can one key be written?
# </details>
# <details><summary>Method</summary>
#
# In JSON every letter of a string, also of a key, may be written as an escape: `\u0061` is the letter a. The last key wins.
# </details>
# <details><summary>Nearly there</summary>
#
# `{"path": "…", "p\u0061th": "…"}`. In Python source the backslash has to be doubled, or the string be raw.
# </details>


# %% answer="03.7"
def two_faced(seen: str, done: str) -> str:
    """A JSON text that the guard reads as `seen` and the tool as `done`."""
    # BEGIN SOLUTION
    return f'{{"path": {json.dumps(seen)}, "p\\u0061th": {json.dumps(done)}}}'
    # END SOLUTION


# %% check="03.7"
await check("03.7", two_faced)

# %% [markdown]
# Your strict reader refuses the escaped double, because it compares keys after they are read. It does not refuse a decoy in an inner object;
# the schema does, since the form is closed. And a guard that reads the text its own way is always a second reader. Check what was
# parsed, and run what was checked: one reading, one meaning.
