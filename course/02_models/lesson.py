# %% [markdown]
# # Models on the wire
#
# Between your harness and a language model lies a wire: JSON one way, a stream of small events the other. This module builds the
# adapter for it, twice, with the providers' real SDKs. The provider is a server on your own machine, so nothing costs anything, and
# it breaks when you tell it to.

# %% [markdown] tags=["goals"]
# **You will be able to** write a history down as two providers want it, put a streamed reply together, say what a cut-off tool call
# looks like and why it must not run, count tokens the way each provider does, and decide which failures are worth another attempt.
#
# **65 minutes. No key needed, no network.** You need module 01: a call is a proposal, a result belongs to a call.

# %%
import asyncio
import json

from picolab import Agent, History, Request, call, policy, script, tool
from picolab.classroom.lesson import compare, predict, recall, reveal, said, side_by_side
from picolab.classroom.show import COLOURS, figure, show
from picolab.messages import Message, Reply, Text, ToolCall, ToolResult, Usage, results, system, user
from picolab.models.server import serving

# %% tags=["recall"]
recall(
    "In module 01, what were the arguments of a tool call, before anybody checked them?",
    choices=["a Python dict", "text that the model wrote", "a validated object"],
    answer="text that the model wrote",
    why="Keep that in mind: one of the two providers below sends them as text, the other does not.",
)

# %% [markdown]
# ## A provider on your own machine
#
# The model is a policy again. This time a server stands before it, and speaks what the providers speak. The SDK in front of it cannot
# tell the difference.

# %%
SIZES = {"app.log": "1200", "db.log": "5300", "web.log": "800"}


@tool
async def size(path: str) -> str:
    """The size of one file in bytes."""
    return SIZES[path]


@policy
def counter(task):
    measured = yield [call("size", path=path) for path in SIZES]
    while any(each.is_error for each in measured):
        measured = yield [call("size", path=path) for path in SIZES]
    yield f"{sum(int(each.content) for each in measured)} bytes"


# %%
with serving(counter()) as server:
    agent = Agent(server.connect("anthropic"), [size], system="Answer with a number.")
    outcome = await agent.ask("How many bytes?")
print(outcome.state, "|", outcome.answer, "|", len(server.requests), "requests")

# %% [markdown]
# `server.connect("anthropic")` gives an adapter around the real `anthropic` SDK. With a key, `Agent("anthropic:…")` is the same code with
# another address. Here is what went over the wire, second request, as the server saw it:

# %%
body = server.requests[1].body
print(json.dumps(body["messages"], indent=1)[:1150], "…")

# %% [markdown]
# A request holds everything: a model keeps nothing between calls. So an adapter has one half that writes a whole history down, and one
# half that reads a reply. Build the first.
#
# ## Writing a history down
#
# Two providers, two forms. What differs is small, and each difference is a bug that somebody has shipped.
#
# | | Anthropic Messages | OpenAI Chat Completions |
# |---|---|---|
# | standing instructions | `system`, beside the messages | a message with the role `system` |
# | a call's arguments | an object | text |
# | the results of one turn | blocks in **one** user message | **one message each**, with the role `tool` |
# | a result that is an error | `is_error: true` | cannot be marked; the text has to say so |
# | a tool's schema | `input_schema` | `function.parameters` |

# %% tags=["predict"]
predict(
    "02a",
    "A history holds: a task, a reply with three calls, and their three results. How many messages is that on each wire, Anthropic first?",
    choices=["3 and 3", "3 and 5", "5 and 5"],
)


# %%
def my_block(part):
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, ToolCall):
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": json.loads(part.arguments)}
    done = {"type": "tool_result", "tool_use_id": part.call_id, "content": part.content}
    return done | {"is_error": part.is_error}


def my_anthropic(messages):
    roles = {"assistant": "assistant", "user": "user", "tool": "user"}
    rest = [m for m in messages if m.role != "system"]
    body = {"messages": [{"role": roles[m.role], "content": [my_block(p) for p in m.parts]} for m in rest]}
    words = [m.text for m in messages if m.role == "system"]
    return body | ({"system": "\n\n".join(words)} if words else {})


# %%
def my_call(each):
    return {"id": each.id, "type": "function", "function": {"name": each.name, "arguments": each.arguments}}


def my_chat(messages):
    found = []
    for message in messages:
        for each in message.results:
            text = "ERROR: " + each.content if each.is_error else each.content
            found.append({"role": "tool", "tool_call_id": each.call_id, "content": text})
        if not message.results:
            calls = [my_call(each) for each in message.calls]
            found.append({"role": message.role, "content": message.text} | ({"tool_calls": calls} if calls else {}))
    return {"messages": found}


# %%
asked = [ToolCall(f"c{n}", "size", json.dumps({"path": path})) for n, path in enumerate(SIZES)]
history = [
    user("How many bytes?"),
    Message("assistant", tuple(asked)),
    results(ToolResult(each.id, SIZES[json.loads(each.arguments)["path"]]) for each in asked),
]
on_the_wire = len(my_anthropic(history)["messages"]), len(my_chat(history)["messages"])
on_the_wire

# %% tags=["reveal"]
reveal(
    "02a",
    "{} and {}".format(*on_the_wire),
    why="Send the results to Anthropic in three messages and the model learns that it should ask for one thing at a time.",
)

# %% [markdown]
# One hole is left in `my_block`: `json.loads` raises for a call whose arguments are not JSON. Such a call is in the history, because the model
# made it and was told that it is wrong. The wire has no place for broken text, so picolab sends it as an object with one key that says what
# it is.
#
# ## A reply comes in pieces
#
# Nobody waits for a whole reply. The provider sends events as the model writes, and the adapter puts them together. Here are those of one
# call, from the server's own side.

# %%
from picolab.models.server.formats import Answer, Chat, Messages

wish = ToolCall("c1", "size", '{"path": "app.log"}')
sample = Answer("1", "local", Reply((Text("Let me look."), wish), stop_reason="tool_use"), Usage(90, 12))
events = list(Messages.events(sample))
for event in events:
    print(event["type"].ljust(20), json.dumps(event.get("delta") or event.get("content_block") or ""))

# %% [markdown]
# A block is started, filled by deltas, stopped; an index says which. A call's arguments come as `partial_json`: pieces of text, cut anywhere,
# also in the middle of a key. Put them together:


# %%
def my_part(block):
    if block["type"] == "text":
        return Text(block["written"])
    return ToolCall(block["id"], block["name"], block["written"])


# %%
def my_gather(events):
    blocks, stop, complete = {}, None, False
    for event in events:
        kind, delta = event["type"], event.get("delta", {})
        if kind == "content_block_start":
            blocks[event["index"]] = {"written": "", **event["content_block"]}
        elif kind == "content_block_delta":
            blocks[event["index"]]["written"] += delta.get("text", "") + delta.get("partial_json", "")
        elif kind == "message_delta":
            stop = delta["stop_reason"]
        complete = complete or kind == "message_stop"
    if not complete:
        raise ConnectionError("the stream was cut")
    return tuple(my_part(blocks[index]) for index in sorted(blocks)), stop


# %%
my_gather(events)

# %% [markdown]
# `message_stop` matters. A connection that breaks ends the stream as quietly as a finished reply does. Half a sentence is annoying; half a
# tool call is worse.
#
# ### Half a call
#
# Pieces invite a shortcut: read the arguments before they are complete, to show progress or to start early. The SDKs help with a lenient reader
# that closes open brackets. Think of a tool that deletes everything *except* what it is told to keep.

# %% tags=["predict"]
predict(
    "02b",
    "The model asks to keep thesis.md, notes.md and photos.zip. The reply is cut off at its token limit, in the middle of the list. "
    "What does the SDK's helper hand you?",
    choices=["an exception", "a call without arguments", "a call that keeps less"],
)

# %% tags=["break"]
from anthropic import AsyncAnthropic

KEEP = ["thesis.md", "notes.md", "photos.zip"]
said_by_user = [{"role": "user", "content": "Tidy up."}]
with serving(script(call("clean", keep=KEEP)), faults=["truncated"]) as server:
    async with AsyncAnthropic(api_key="none", base_url=server.url) as client:
        async with client.messages.stream(model="local", max_tokens=99, messages=said_by_user) as stream:
            handed = await stream.get_final_message()
print(handed.content[0].name, handed.content[0].input, "| stop reason:", handed.stop_reason)

# %% tags=["reveal"]
reveal(
    "02b",
    {True: "a call that keeps less", False: "a call without arguments"}[0 < len(handed.content[0].input["keep"]) < 3],
    why="A well-formed call, and nobody wrote it. The only warning is the stop reason, max_tokens.",
)

# %% [markdown]
# Your notes and photos would be gone. An adapter that keeps the arguments **as text, exactly as written**, cannot make this mistake: the text of a
# cut-off call is never valid JSON, because its last bracket is missing. So the first of the three layers refuses it, and the model is told.

# %%
kept = []


@tool
async def clean(keep: list[str]) -> str:
    """Delete every file but these."""
    kept.append(keep)
    return f"kept {len(keep)}"


with serving(script(call("clean", keep=KEEP), call("clean", keep=KEEP), "done"), faults=["truncated"]) as server:
    outcome = await Agent(server.connect("anthropic"), [clean]).ask("Tidy up.")
for message in outcome.log:
    for result in message.results:
        print(result.content)
assert kept == [KEEP]

# %% [markdown]
# ### Why did it stop?
#
# Each provider has its own words for the end of a reply. An adapter maps them to a few that the harness knows. It must not guess: a reason that it
# has never heard of is a failure, not an `end_turn`.

# %%
from picolab.models import anthropic, openai_chat

for ours in ("end_turn", "tool_use", "max_tokens", "refusal"):
    theirs = [[name for name, mapped in stops.items() if mapped == ours] for stops in (anthropic.STOPS, openai_chat.STOPS)]
    print(f"{ours:<11} Anthropic: {', '.join(theirs[0]):<45} OpenAI: {', '.join(theirs[1])}")

# %% [markdown]
# ## What did it cost?
#
# A reply reports its usage. Both providers can reuse the prefix of an earlier request, and both report how much. They do not mean the same by
# "input".

# %%
usage = Usage(input_tokens=10_000, output_tokens=200, cache_read_tokens=8_500, cache_write_tokens=1_500)
counted = Answer("1", "local", Reply((Text("x"),)), usage)
at_anthropic, at_openai = Messages.whole(counted)["usage"], Chat.whole(counted)["usage"]
side_by_side(
    json.dumps(at_anthropic, indent=1), json.dumps(at_openai, indent=1), titles=("Anthropic", "OpenAI Chat Completions")
)

# %% [markdown]
# The same call. Anthropic's `input_tokens` is what is left after the cache; OpenAI's `prompt_tokens` is everything. Take one for the other, and a
# budget believes that a long run costs nothing.

# %% tags=["predict"]
predict(
    "02c",
    "A harness adds up input_tokens over a run at Anthropic, and nothing else. The cache works well. What does its token budget see?",
    choices=["about the truth", "twice the truth", "a small part of the truth"],
)


# %%
@policy
def reader():
    for n in range(8):
        yield call("page", number=n)
    yield "read"


@tool
async def page(number: int) -> str:
    """One page of a long text."""
    return f"page {number}: " + "word " * 300


# %%
with serving(reader()) as server:
    outcome = await Agent(server.connect("anthropic"), [page]).ask("Read it all.")
calls = [event.reply.usage for event in outcome.trace if event.kind == "model_replied"]
naive = sum(each.input_tokens - each.cache_read_tokens - each.cache_write_tokens for each in calls)
print(f"read in all: {outcome.usage.input_tokens:,}; of that from the cache: {outcome.usage.cache_read_tokens:,}; the naive sum: {naive:,}")

# %% tags=["reveal"]
reveal(
    "02c",
    {True: "a small part of the truth"}[naive < outcome.usage.input_tokens / 5],
    why="Everything was either read from the cache or newly written to it, so the field called input_tokens stays at nothing.",
)

# %%
base = [each.cache_read_tokens for each in calls]
fresh = [each.input_tokens - each.cache_read_tokens for each in calls]
at = range(1, len(calls) + 1)

made = figure(8.4, 2.9)
axes = made.subplots()
axes.bar(at, base, color=COLOURS[0], label="read from the cache")
axes.bar(at, fresh, bottom=base, color=COLOURS[4], hatch="///", edgecolor="white", label="new, and written to it")
axes.set(xlabel="call", ylabel="input tokens")
axes.legend(fontsize=8, loc="upper left")
show(
    made,
    alt=f"Stacked bars for {len(calls)} calls: the part read from the cache grows by one page a call, from nothing to "
    f"{calls[-1].cache_read_tokens:,} tokens; the new part stays about one page.",
    caption="One run over the wire. Module 07 has the arithmetic; here it was reported by a provider.",
)

# %% [markdown]
# Some servers report nothing at all. A budget must not take that for zero. picolab then falls back on its own estimate.
#
# ## When the provider fails
#
# A provider is a busy machine far away. It refuses, overloads, and hangs up. The server here does so on command; each fault below hits the first
# request of a run. On the left the run may not try again, on the right it may, twice.

# %% tags=["break"]
FAULTS = ["401", "429:0.01", "500", "529", "cut", "error-event", "wrong-json", "no-usage"]


async def fate(fault, retries):
    with serving(counter(), faults=[fault]) as server:
        outcome = await Agent(server.connect("anthropic"), [size], retries=retries).ask("How many bytes?")
    return outcome.state, len(server.requests)


fates = {fault: [await fate(fault, retries) for retries in (0, 2)] for fault in FAULTS}
for fault, (once, again) in fates.items():
    print(f"{fault:<12} once: {once[0]:<10} with retries: {again[0]:<10} after {again[1]} requests")

# %% [markdown]
# Three kinds:
#
# * **Passing.** 429, 500, 529, a cut stream: the same request may succeed later. Try again.
# * **Lasting.** 401: the same request will fail for ever. Trying again only hides the message.
# * **Not the provider's at all.** Arguments that are no JSON: the request was fine. Dispatch tells the model, and the model asks again. That is a
#   turn of the loop, so it works where no retry is allowed.
#
# A provider that says when to come back (`retry-after`) is obeyed. One that does not say is given time: half a second, then twice as long, and so
# on. And the SDKs retry on their own unless they are told not to. picolab tells them not to: an attempt that nobody sees is not in the trace, and not
# in the budget.

# %%
said("401", 401)
said("429", 429)
said("500", 500)
said("529", 529)
with serving(counter(), faults=["529", "429:0.02"]) as server:
    outcome = await Agent(server.connect("anthropic"), [size]).ask("How many bytes?")
print([event.kind for event in outcome.trace][1:8])

# %% [markdown]
# ### Everybody at once
#
# Why is part of each wait chance? You are not the only client. When a provider fails, all its clients fail in the same second. If all of them
# wait exactly as long, they come back in the same second too, and the provider fails again.
#
# Move the outage so that it ends just before a spike. Then switch chance on.

# %% tags=["widget"]
from picolab import explore

explore.storm(clients=200, retries=5, first=0.5, outage=5.0, jitter=False)

# %%
together = explore.storm(jitter=False).result.result.busiest()
spread = explore.storm(jitter=True).result.result.busiest()
print(f"most retries within a tenth of a second: {together} without chance, {spread} with it")
assert spread < together / 2

# %% [markdown]
# ## With a key
#
# A real call costs money, so know what it can cost before it is made. A quote comes from the arithmetic of module 07 and from prices that carry a
# date. A hard cap refuses the call that *could* pass it, counting the longest reply there may be.

# %%
from picolab.models.catalogue import CHECKED, find
from picolab.models.cost import HardCap, quote

MODEL = "anthropic:claude-haiku-5-5"
expected = quote(MODEL, "Read it all.", [page], steps=9, observed=380, written=20)
print(expected)

# %% [markdown]
# To run the next cell for real, set `ANTHROPIC_API_KEY` before you start JupyterLab, and write `LIVE = MODEL`. As it stands it asks the server on
# your own machine. The cap holds either way.

# %%
LIVE = None

with serving(reader()) as server:
    model = LIVE or server.connect("anthropic")
    cap = HardCap(0.05, find(MODEL))
    outcome = await Agent(model, [page], middleware=[cap]).ask("Read it all.")
print(outcome.state)
print(expected.beside(outcome))

# %% [markdown]
# The quote was made before the first call, from two guesses: how much a result holds, and how much the model writes. Compare the columns, and see
# which guess was off. And a cap that is too small for even one call stops before anything is spent:

# %%
with serving(reader()) as server:
    strict = HardCap(0.000_1, find(MODEL))
    outcome = await Agent(server.connect("anthropic"), [page], middleware=[strict]).ask("Read it all.")
print(outcome.state, "after", len(server.requests), "requests:", outcome.reason)

# %% [markdown]
# ## What picolab does differently, and why
#
# Your two halves and picolab's, on the same histories and the same streams:

# %% tags=["compare"]
longer = [system("Be brief."), *history, Message("assistant", (Text("done"),)), user("Sure?")]
HISTORIES = [history, longer]
compare(lambda n: my_anthropic(HISTORIES[n]), lambda n: anthropic.to_wire(HISTORIES[n]), on=range(2))
compare(lambda n: my_chat(HISTORIES[n]), lambda n: openai_chat.to_wire(HISTORIES[n]), on=range(2))


def theirs(events):
    gathered = anthropic.Gathered()
    for event in events:
        gathered.add(event)
    return gathered.reply(Request([]), "local").parts


compare(lambda n: my_gather(events)[0], lambda n: theirs(events), on=range(1))

# %% [markdown]
# The same, where nothing goes wrong. picolab's also
#
# * sends broken arguments back as what they are, and never an empty message, which the API refuses;
# * keeps a model's *thoughts*, unread, and returns them to the provider they came from, and to no other;
# * takes a missing usage for unknown, an unknown stop reason for a failure, and a stream without its end for no reply;
# * gives each run its own connections, and closes them;
# * keeps keys out of messages, events and traces, also where a server repeats them;
# * speaks a third wire, OpenAI's Responses, where calls and results are items in one list.

# %% [markdown] tags=["limits"]
# ## What this leaves out
#
# * Nothing here was sent to a provider. The server was written from the SDKs' types, and its answers pass their strict validation; a provider may
#   still refuse a request that it accepts, or mean something else by it.
# * The cache of the server forgets nothing. A real one expires, needs a minimum length, and may be cold on another machine.
# * Tokens are estimated at four characters each, by the server too. A provider's count will differ, and its price changes. The catalogue says when it
#   was last checked.
# * The cap reckons with twice the estimate. A text in which tokens are shorter than two characters could pass it.
# * The outage hits everybody at one moment, and ends for everybody at one moment.
# * Images, files, citations, and everything else that providers offer beside text and tools.

# %% [markdown] tags=["elsewhere"]
# ## Where you meet it elsewhere
#
# | | its adapter | its retries |
# |---|---|---|
# | anthropic 2.17.0 | `messages.stream`, lenient reading of arguments | 2, inside the client |
# | openai 3.63.0 | `chat.completions.stream`, `responses.stream` | 2, inside the client |
# | OpenAI Agents SDK 0.24.0 | `Model`, `ModelProvider` | the client's |
# | LangChain 1.5.2 | `BaseChatModel`, one package a provider | `max_retries`, passed on |
# | Pydantic AI 2.78.0 | `Model`, one class a provider | the client's |
# | Agent Framework 1.26.0 | `ChatClient` | the client's |
#
# `stop_reason` is `finish_reason` in Chat Completions and `status` with `incomplete_details` in Responses. The pieces are *server-sent events*
# everywhere. A retry with chance in it is *exponential backoff with jitter*.

# %% [markdown] tags=["summary"]
# ## Summary
#
# * An adapter has two halves: a whole history out, a stream of pieces in. Both are pure functions, so both can be tested without a network.
# * What differs between providers is small: where the system text goes, object or text, one message or several, what "input" counts.
# * Keep arguments as text. A lenient reader turns half a call into a whole one that nobody wrote.
# * No end, no reply. An unknown reason is a failure. A missing count is not zero.
# * Passing failures are tried again, visibly; lasting ones are shown; broken arguments go to the model.
# * Know the worst case before the call.
#
# Now the exercises: `exercises/02_models.ipynb`.

# %% [markdown] tags=["sources"]
# ## Sources
#
# * The wire formats: the types of the Python SDKs anthropic 2.17.0 and openai 3.63.0, read and run.
# * Server-sent events: HTML Living Standard, section 9.2.
# * Backoff with chance: Marc Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
# * Prices: the providers' model pages, as dated in `picolab/models/catalogue.py`.
