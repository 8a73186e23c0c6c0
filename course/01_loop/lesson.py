# %% [markdown]
# # The loop
#
# An agent is a loop around a model. The model says what it wants done, a program does it, and the model is told what came of
# it. Everything else in this course wraps that loop. So this module builds it first, breaks it in six ways, and mends it
# until the loop itself holds nothing but the loop.

# %% [markdown] tags=["goals"]
# **You will be able to** write an agent loop that ends in a known state, say which of eight responsibilities each line of a
# harness carries, and show why "the model says it is done" is not "it is done".
#
# **60 minutes. No key needed, no network.** You need Python with `async` and `await`; nothing from an earlier module except a
# look at a trace in the welcome.

# %%
import asyncio
import json

from picolab import Agent, Budget, History, Price, Request, call, policy, script, tool
from picolab.classroom.lesson import predict, recall, reveal, said, same_events
from picolab.classroom.show import show
from picolab.errors import BudgetExhausted, Stop
from picolab.messages import ToolCall, ToolResult, results, user

# %% tags=["recall"]
recall(
    "In the welcome, who ran the tests that decided whether the repair counted?",
    choices=["the model", "a tool that the model called", "a verifier that the model cannot reach"],
    answer="a verifier that the model cannot reach",
    why="The agent also ran the tests, as a tool. But its word for the result was not taken.",
)

# %% [markdown]
# ## A model only proposes
#
# The task for this lesson is small enough to do in your head: how many bytes do some files hold? Two tools know the answer.

# %%
FILES = {"app.log": 1200, "db.log": 5300, "web.log": 800}


async def list_files() -> str:
    """The names of all files, one a line."""
    return "\n".join(FILES)


async def size(path: str) -> str:
    """The size of one file in bytes."""
    return str(FILES[path])


TOOLS = {"list_files": list_files, "size": size}

# %% [markdown]
# The model is a **policy**: a program that stands where a language model would. It yields what it wants done, and receives what
# was observed. It reads its observations, so other files give another answer.


# %%
@policy
def counter(task):
    listing = yield call("list_files")
    total = 0
    for path in listing.content.split():
        measured = yield call("size", path=path)
        total += int(measured.content)
    yield f"{total} bytes"


# %% [markdown]
# Ask it once, by hand.

# %%
reply = await counter().reply(Request([user("How many bytes?")]))
reply.calls[0]

# %% [markdown]
# That is a **tool call**: a name, an id, and arguments as text. Nothing has run. A language model does the same: it writes down
# a wish in a format that a program can read. Whether the wish is granted is the program's decision. The program is called the
# **harness**, and you are about to write one.
#
# ## The naive loop
#
# Here is what most first versions look like. Read it before you run it: where does it trust the model?


# %%
async def naive_loop(model, tools, task):
    history = [user(task)]
    while True:
        reply = await model.reply(Request(history))
        history.append(reply.message())
        if not reply.calls:
            return reply.text
        observed = []
        for wanted in reply.calls:
            value = await tools[wanted.name](**json.loads(wanted.arguments))
            observed.append(ToolResult(wanted.id, value))
        history.append(results(observed))


# %%
await naive_loop(counter(), TOOLS, "How many bytes?")

# %% [markdown]
# It works. A model keeps nothing between calls, so each call sends the whole history again. Before you count, guess.

# %% tags=["predict"]
predict(
    "01a",
    "The policy asked for one listing and three sizes, then answered: five calls of the model. "
    "How many messages did it read, over all five together?",
    choices=["five", "nine", "twenty-five"],
)


# %%
class Counted:
    """A model that remembers how many messages each request held."""

    def __init__(self, model):
        self.name, self.model, self.seen = model.name, model, []

    async def reply(self, request):
        self.seen.append(len(request.messages))
        return await self.model.reply(request)


counted = Counted(counter())
await naive_loop(counted, TOOLS, "How many bytes?")
print(counted.seen, "together", sum(counted.seen))

# %% tags=["reveal"]
reveal(
    "01a",
    {25: "twenty-five"}[sum(counted.seen)],
    why="Each step adds two messages, and each call sends them all: 1 + 3 + 5 + 7 + 9, a square number.",
)

# %% [markdown]
# The work grows with the square of the steps. Module 07 puts prices on that. Here, keep one consequence in mind: a loop that does
# not stop is not only slow. It gets more expensive with every turn.
#
# ## Break it
#
# A real model misspells a tool, forgets an argument, falls silent, repeats itself, and lies with confidence. A `script` is a model
# that says exactly what we tell it to, so each of these can be had on demand.


# %%
@policy
def never_satisfied():
    while True:
        yield call("list_files")


def wish(name, arguments):
    return ToolCall("c1", name, arguments)


FAULTS = {
    "cut-off arguments": lambda: script(wish("size", '{"path": "app.l'), "about 7300 bytes"),
    "no such tool": lambda: script(call("file_size", path="app.log"), "about 7300 bytes"),
    "tool that raises": lambda: script(call("size", path="gone.log"), "about 7300 bytes"),
    "never satisfied": lambda: never_satisfied(),
    "empty reply": lambda: script("", "7300 bytes"),
    "confident and wrong": lambda: script("9999 bytes", "7300 bytes"),
}

# %% tags=["predict"]
predict(
    "01b",
    "Of these six faults, how many will the naive loop report as an answer?",
    choices=["none", "two", "four"],
)

# %% [markdown]
# The next two cells run each fault for at most a fifth of a second.


# %%
async def fate(run):
    """What became of a run, in a few words."""
    try:
        async with asyncio.timeout(0.2):
            return f"answered {await run!r}"
    except TimeoutError:
        return "never ended"
    except Exception as error:
        return f"crashed with {type(error).__name__}"


# %% tags=["break"]
async def patient_listing() -> str:
    await asyncio.sleep(0.001)
    return await list_files()


SLOW = TOOLS | {"list_files": patient_listing}
naive = {name: await fate(naive_loop(make(), SLOW, "How many bytes?")) for name, make in FAULTS.items()}
for name, outcome in naive.items():
    print(f"{name:<20} {outcome}")

# %% tags=["reveal"]
reveal(
    "01b",
    {2: "two"}[sum(outcome.startswith("answered") for outcome in naive.values())],
    why="Three crash, one never ends. The two that answer are the dangerous ones: nobody would look again.",
)

# %% [markdown]
# A crash wakes somebody. An empty string in a report does not. Keep the order in mind: **a false success is worse than a crash,
# and a crash is worse than a fault the model could have mended itself.**
#
# **Try it:** `patient_listing` sleeps for a millisecond. Take that line out and run the cell again, then interrupt the kernel
# (press `i` twice). Why can the timeout not fire?
#
# <details><summary>Why</summary>
#
# A coroutine gives way only where it really waits. Without the sleep nothing ever waits, so the event loop never gets the chance
# to look at its clock. A limit that has to be granted by the thing it limits is no limit; step budgets do not have this hole.
# </details>
#
# ## Eight responsibilities
#
# The naive loop does eight jobs in twelve lines. That is why one fault brings down the rest. Take them apart:

# %%
from picolab.explore.diagrams import EIGHT, eight_responsibilities

show(
    eight_responsibilities(),
    alt="One turn of the loop as a ring of eight boxes: "
    + ", ".join(f"{name} ({what})" for name, what in EIGHT.items()),
    caption="One turn of the loop. The model is asked for the first box only.",
)

# %% [markdown]
# Each of the eight can be right while the others are wrong. A call may be well-formed and forbidden. It may be permitted and
# fail. It may succeed and tell the model too much. The answer may be fluent and false. So each gets its own place, and its own
# way to say no.
#
# ### Validation, execution, observation: what goes wrong with a call goes back
#
# Three of the six faults are things the model can mend, if it is told. So they must not be exceptions. They must be
# **observations**.


# %%
async def observe(wanted: ToolCall, tools) -> ToolResult:
    """Run one call; whatever goes wrong becomes a result that the model can act on."""
    if wanted.name not in tools:
        return ToolResult(wanted.id, f"no tool {wanted.name!r}; there are {', '.join(tools)}", is_error=True)
    try:
        arguments = json.loads(wanted.arguments)
        return ToolResult(wanted.id, await tools[wanted.name](**arguments))
    except Exception as error:
        return ToolResult(wanted.id, f"{type(error).__name__}: {error}", is_error=True)


for wanted in (
    wish("size", '{"path": "app.l'),
    wish("file_size", "{}"),
    wish("size", '{"path": "gone.log"}'),
):
    print((await observe(wanted, TOOLS)).content)

# %% [markdown]
# Read the last line as the model would. `KeyError: 'gone.log'` is true and useless: it does not say what to do instead. Module 03
# is about errors that a model can act on.
#
# ### The loop, with nothing else in it
#
# What is left when validation, execution and observation move out? Three questions: what does the model say, what came of its
# calls, and is its answer the end? The loop asks them and knows nothing about how they are answered.


# %%
async def my_loop(ask, act, review, history):
    while True:
        reply = await ask(history)
        history.add(reply.message())
        if reply.calls:
            history.add(results(await act(reply.calls)))
            continue
        objection = await review(reply)
        if objection is None:
            return reply
        history.add(user(objection))


# %% [markdown]
# `review` is the new idea. A reply without calls is a **proposal** to stop. The loop does not take it for the end until somebody
# has looked. An objection becomes the next message, and the model goes on.
#
# ### Budgets: a limit that nothing inside can argue with
#
# The policy that is never satisfied needs a limit from outside. A limit is not the loop's business either. It wraps `ask`:


# %%
def with_step_limit(ask, most):
    used = 0

    async def limited(history):
        nonlocal used
        if used == most:
            raise BudgetExhausted(f"steps: all {most} are used")
        used += 1
        return await ask(history)

    return limited


# %% [markdown]
# Now the front door, which puts the pieces together and turns every end into a **stop state**.


# %%
async def not_empty(reply):
    return None if reply.text.strip() else "Your reply was empty. Say what the result is."


async def my_agent(model, tools, task, review=not_empty, most=50):
    async def ask(history):
        return await model.reply(Request(history.view))

    async def act(calls):
        return [await observe(wanted, tools) for wanted in calls]

    try:
        reply = await my_loop(with_step_limit(ask, most), act, review, History([user(task)]))
        return "completed", reply.text
    except Stop as stop:
        return stop.state, stop.reason


# %%
mended = {name: await my_agent(make(), TOOLS, "How many bytes?") for name, make in FAULTS.items()}
for name, outcome in mended.items():
    print(f"{name:<20} {outcome}")

# %% [markdown]
# Nothing crashes, and nothing runs for ever. The loop did not change for any of it. But look at the last line: a confident wrong
# answer is still `completed`.

# %%
assert mended["confident and wrong"] == ("completed", "9999 bytes")
assert mended["never satisfied"][0] == "budget_exhausted"

# %% [markdown]
# ## A proposal is not a verified completion
#
# A model cannot vouch for itself: the text "done" costs it nothing. What counts is a check that does not go through the model. For
# our task that is one line, because we own the files.

# %% tags=["predict"]
predict(
    "01c",
    "The model first says “9999 bytes”. A verifier rejects it and says why. What does the script do next?",
    choices=["the run fails", "the run completes with 9999", "the model gets another turn"],
)


# %%
async def verified(reply):
    if reply.text == f"{sum(FILES.values())} bytes":
        return None
    return f"You said {reply.text!r}. The files do not add up to that. Measure again."


state, answer = await my_agent(FAULTS["confident and wrong"](), TOOLS, "How many bytes?", review=verified)
state, answer

# %% tags=["reveal"]
said("7300 bytes", answer)
reveal(
    "01c",
    {"completed": "the model gets another turn"}[state],
    why="The objection became a message, the model spoke again, and its second answer passed.",
)

# %% [markdown]
# A verifier that never accepts would make the loop run until its budget is gone. Exercise 01.5 gives it a limit of its own.
#
# Notice what the verifier may *not* be: the model's own opinion of its answer, or a search for the word "passed" in it.
# Exercise 01.6 has you fool one of that kind.
#
# ## Five ways to end
#
# A run of picolab ends in exactly one of five stop states. `completed` is the only good one, and it is reserved for answers that
# passed review. The other four say who has to move next.

# %%
from picolab.errors import Blocked, NeedsUser


@tool
async def ask_owner(question: str) -> str:
    """Ask the owner of the files."""
    raise NeedsUser(question)


@tool
async def stop_here(reason: str) -> str:
    """Say that there is no way on, and why."""
    raise Blocked(reason)


# %%
ENDS = [
    script("7300 bytes"),
    script(call("stop_here", reason="the disk is not mounted")),
    script(call("ask_owner", question="Do links count?")),
    never_satisfied(),
    script(RuntimeError("502 from the provider")),
]
for model in ENDS:
    outcome = await Agent(model, [list_files, size, ask_owner, stop_here], budget=Budget(steps=5)).ask(
        "How many bytes?"
    )
    print(f"{outcome.state:<17} {outcome.answer or outcome.reason}")

# %% [markdown]
# `blocked` is for the model to say, `needs_user` for a person to answer, `budget_exhausted` for whoever pays, `failed` for whoever
# maintains. A harness with one word for all four sends every problem to the same desk.
#
# ### Five budgets
#
# Steps are not the only thing a run can waste. A **step** is a turn of the loop. An **attempt** is one try at a model call; a step
# that is retried costs several. **Tokens** grow with the square of the steps, as you saw. **Time** runs even when nothing else
# does. **Money** is tokens times a price. Each needs its own limit, because each can run out while the others look fine.


# %%
@policy
def thorough():
    for _ in range(40):
        yield call("list_files")
    yield "done"


LIMITS = {
    "nothing": Budget(steps=None),
    "steps": Budget(steps=10),
    "attempts": Budget(steps=None, attempts=12),
    "tokens": Budget(steps=None, tokens=3_000),
    "time": Budget(steps=None, seconds=0.0),
    "money": Budget(steps=None, dollars=0.01, price=Price(input=3, output=15)),
}

# %%
for name, budget in LIMITS.items():
    outcome = await Agent(thorough(), [list_files, size], budget=budget).ask("How many bytes?")
    print(f"{name:<9} {outcome.state:<17} after {outcome.steps:>2} steps, {outcome.usage.total:>6,} tokens")

# %% [markdown]
# ## What happened, as typed events
#
# A state says how a run ended. To see *why*, you need what happened on the way, in a form that a program can check. picolab emits
# one typed event for each thing that happens.

# %%
outcome = await Agent(counter(), [list_files, size]).ask("How many bytes?")
for event in list(outcome.trace)[:6]:
    print(f"step {event.step}  {event.kind}")

# %% [markdown]
# `model_replied` holds the proposal. `tool_started` appears only when a call passed validation and authorisation. `tool_finished`
# follows every proposal, run or refused. So the question "was this ever executed?" has an answer that does not depend on what the
# model says about it.

# %% tags=["nbval-ignore-output"]
outcome.trace

# %% [markdown]
# ## Move it
#
# The same task, with a model that fails on purpose with probability *p*, under a seed. Move the sliders. Find a seed at which the
# run completes with *p* at one half, and a step budget that cuts the same run off.

# %% tags=["widget"]
from picolab import explore

explore.budgets(p=0.3, seed=1, steps=20, tokens=4_000)

# %% [markdown]
# ## What picolab does differently, and why
#
# Your loop and picolab's are the same ten lines. Run both on one script and compare the events. Yours emits none yet, so wrap
# `ask` and `act` once more: that is all that tracing is.

# %%
from picolab.events import ModelAsked, ModelReplied, ToolFinished, ToolStarted


def traced(ask, act, events):
    async def traced_ask(history):
        events.append(ModelAsked(0, 0.0, len(history.view), history.tokens))
        reply = await ask(history)
        events.append(ModelReplied(0, 0.0, reply, 0.0))
        return reply

    async def traced_act(calls):
        return [await act(wanted) for wanted in calls]

    return traced_ask, traced_act


# %%
async def my_events(model):
    events = []

    async def ask(history):
        return await model.reply(Request(history.view))

    async def act(wanted):
        events.append(ToolStarted(0, 0.0, wanted))
        result = await observe(wanted, TOOLS)
        events.append(ToolFinished(0, 0.0, wanted.name, result, 0.0))
        return result

    await my_loop(*traced(ask, act, events), not_empty, History([user("How many bytes?")]))
    return events


# %% tags=["compare"]
mine = await my_events(counter())
theirs = (await Agent(counter(), [list_files, size]).ask("How many bytes?")).trace
same_events(mine, theirs)

# %% [markdown]
# Same events, in the same order, for a run in which nothing goes wrong. Now the difference. Give both a call that names no tool:

# %%
misnamed = lambda: script(call("file_size", path="app.log"), "I could not measure it")
mine = [event.kind for event in await my_events(misnamed())]
theirs = [event.kind for event in (await Agent(misnamed(), [list_files, size]).ask("go")).trace]
print("yours:  ", mine[2:4])
print("picolab:", theirs[3:5])
assert "tool_started" in mine
assert "tool_started" not in theirs

# %% [markdown]
# Yours says that a tool started which does not exist. picolab validates first, then asks who may, then starts. It also
#
# * gives every call a time limit, and runs plain functions in threads it can leave behind;
# * catches `SystemExit` from a tool, but never a cancellation;
# * refuses a call whose id was used before, because two results with one id cannot be told apart;
# * keeps two histories, so that module 08 can shorten one and leave the other whole;
# * stops believing after a few rejected answers.
#
# The loop itself grew by nothing. It is worth reading now: `picolab/loop.py`.

# %%
import inspect

from picolab import loop as package

print(inspect.getsource(package.loop))

# %% [markdown] tags=["limits"]
# ## What this leaves out
#
# * The policy here is a program, not a language model. It shows how a harness behaves, and nothing about how well a model chooses.
# * Tokens are estimated at four characters each. The shape of the growth is exact; the size is not.
# * The verifier knows the true answer. Most tasks have no such oracle; module 16 is about what to do then.
# * A step limit ends a run that goes nowhere, and just as well one that was about to arrive. Which it was, the state cannot say.
# * The time limit works because the tools give way. A tool that computes without a pause has to run in a thread or a process.

# %% [markdown] tags=["elsewhere"]
# ## Where you meet it elsewhere
#
# The same limit has many names, and very different defaults. Looked at in the installed packages:
#
# | | the limit on turns | its default | what else it bounds |
# |---|---|---|---|
# | OpenAI Agents SDK 0.24.0 | `max_turns` | 10 | `MaxTurnsExceeded` is raised |
# | LangGraph 1.2.24 | `recursion_limit` | 10,007 | counts graph steps, not model calls |
# | Deep Agents 0.7.32 | `recursion_limit` | 9,999 | set on the LangGraph graph it builds |
# | Agent Framework 1.23.0 | `max_iterations` | 40 | also `max_function_calls`, `max_duration_seconds` |
# | Google ADK 2.13.0 | `max_llm_calls` | 500 | per run, in `RunConfig` |
# | Claude Agent SDK 0.2.189 | `max_turns` | none | `max_budget_usd`; `ResultMessage.subtype` is the stop state |
#
# picolab's `review` is a *guardrail on the output* in the OpenAI SDK, an `after_agent` hook with a jump in LangChain's middleware,
# and a *stop hook* in the Claude Agent SDK.

# %% [markdown] tags=["summary"]
# ## Summary
#
# * A model proposes. A harness decides, does, and reports back.
# * Eight responsibilities, eight places: policy, validation, authorisation, execution, observation, state, budget, termination.
# * What the model can mend is an observation. What ends the run is a stop state. Nothing is both.
# * A reply without calls is a proposal to stop. It counts when something outside the model agrees.
# * The loop knows none of this. It asks three questions.
#
# Now the exercises: `exercises/01_loop.ipynb`.

# %% [markdown] tags=["sources"]
# ## Sources
#
# * The separation of policy, validation, authorisation, execution, observation and termination: "Module 18. Agents and Tool
#   Use", Modern LLMs course, edition 2026.10.25, taken further here.
# * The shape of a loop that fits one screen: SWE-agent/mini-swe-agent, `agents/default.py`, read for its size.
# * Defaults in the table above: read in the packages named, at the versions named.
