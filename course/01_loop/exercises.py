# %% [markdown]
# # The loop: exercises
#
# Six tasks, about an hour. Write your answer in the cell under each task, then run the check below it. A failed check says what it
# expected, what came, and on which input; hints open in three steps. Run the first cell before you begin.

# %%
import asyncio
import json

from picolab import Request, call, policy
from picolab.classroom import check
from picolab.errors import BudgetExhausted, Failed
from picolab.history import History
from picolab.loop import Act, Ask, Review
from picolab.messages import Reply, ToolCall, ToolResult, results, user

# %% [markdown] task="01.1" points=1 level=1 minutes=5
# ## 01.1 What a run reads
#
# **◆◇◇ · 5 minutes · 1 point · predict.** The naive loop makes `calls` calls of the model. Each reply but the last asks for one
# tool. Write `messages_read(calls)`: how many messages the model reads, over all its calls together. The history begins with one
# message, the task.
#
# <details><summary>Nudge</summary>
#
# How many messages does the first request hold? The second?
# </details>
# <details><summary>Method</summary>
#
# Every step adds the reply and the message with its result. So the requests hold 1, 3, 5, … messages. Add them up.
# </details>
# <details><summary>Nearly there</summary>
#
# `sum(1 + 2 * i for i in range(…))`, and there is a shorter way to write it.
# </details>


# %% answer="01.1"
def messages_read(calls: int) -> int:
    """Messages that the model reads over a whole run of `calls` model calls."""
    # BEGIN SOLUTION
    return calls * calls
    # END SOLUTION


# %% check="01.1"
await check("01.1", messages_read)

# %% [markdown] task="01.2" points=2 level=2 minutes=12
# ## 01.2 Whatever goes wrong goes back
#
# **◆◆◇ · 12 minutes · 2 points · fix.** This is the line of the naive loop that crashed three times, as a function:
#
# ```python
# async def observe(wanted, tools):
#     return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
# ```
#
# Mend it. `tools` maps names to async functions that return text. For every call, right or wrong, return one `ToolResult` with the
# call's id. If anything is wrong with the call or in the tool, the result has `is_error=True` and says in **one line** what
# happened; for an unknown tool it names the tools there are. Only a cancellation passes through: it is meant for you, not for the
# model.
#
# <details><summary>Nudge</summary>
#
# Which three things can raise on that one line? Does each deserve the same answer?
# </details>
# <details><summary>Method</summary>
#
# Look the tool up first and answer for yourself if it is missing. Then put parsing and calling in one `try`. `asyncio.CancelledError`
# is not an `Exception`, so which `except` lets it pass?
# </details>
# <details><summary>Nearly there</summary>
#
# `except Exception as error:` and a text like `f"{type(error).__name__}: {error}"`. An error's text can hold line ends:
# `" ".join(text.split())` takes them out.
# </details>


# %% answer="01.2"
async def observe(wanted: ToolCall, tools: dict) -> ToolResult:
    """The result of one call; whatever goes wrong becomes a result that the model can act on."""
    # BEGIN SOLUTION
    if wanted.name not in tools:
        return ToolResult(
            wanted.id, f"no tool {wanted.name!r}; the tools are {', '.join(tools)}", is_error=True
        )
    try:
        arguments = json.loads(wanted.arguments)
        return ToolResult(wanted.id, await tools[wanted.name](**arguments))
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return ToolResult(wanted.id, reason, is_error=True)
    # END SOLUTION


# %% check="01.2"
await check("01.2", observe)

# %% [markdown] task="01.3" points=2 level=2 minutes=10
# ## 01.3 The loop itself
#
# **◆◆◇ · 10 minutes · 2 points · complete.** Write the loop of picolab. `ask(history)` gives a `Reply`. `act(calls)` gives the results
# of one reply's calls, in their order. `review(reply)` gives an objection, or `None` to accept. `history.add(message)` keeps a
# message; `reply.message()`, `results(…)` and `user(…)` make one. All results of one reply go into **one** message.
#
# <details><summary>Nudge</summary>
#
# There are only two kinds of reply: those with calls and those without. What happens after each?
# </details>
# <details><summary>Method</summary>
#
# For ever: ask, keep the reply. With calls: act, keep the results, go round. Without: review; accepted means return, an objection
# is kept as a user message.
# </details>
# <details><summary>Nearly there</summary>
#
# `history.add(results(await act(reply.calls)))`, and for the other branch `history.add(user(objection))`.
# </details>

# %% answer="01.3" source="picolab.loop:loop"

# %% check="01.3"
await check("01.3", loop)

# %% [markdown] task="01.4" points=2 level=2 minutes=12
# ## 01.4 A budget around `ask`
#
# **◆◆◇ · 12 minutes · 2 points · build.** The loop must not know about limits. Write `with_budget(ask, steps, tokens)`: it returns a
# function to be used in place of `ask`. Before each call it raises `BudgetExhausted` if `steps` calls were already made, or if the
# replies so far used `tokens` or more (`reply.usage.total`). The message says which limit it was. `None` means no limit. Two
# wrapped functions never share a count.
#
# <details><summary>Nudge</summary>
#
# Where can a number live that outlasts one call, but belongs to one wrapped function only?
# </details>
# <details><summary>Method</summary>
#
# A closure: two variables inside `with_budget`, an inner `async def` that declares them `nonlocal`, checks first, asks, then adds.
# </details>
# <details><summary>Nearly there</summary>
#
# `if tokens is not None and spent >= tokens: raise BudgetExhausted(f"tokens: …")`, then `reply = await ask(history)`, then
# `spent += reply.usage.total`.
# </details>


# %% answer="01.4"
def with_budget(ask, steps: int | None = None, tokens: int | None = None):
    """`ask`, but never more often than `steps` times, nor after `tokens` tokens were used."""
    # BEGIN SOLUTION
    made, spent = 0, 0

    async def limited(history):
        nonlocal made, spent
        if steps is not None and made >= steps:
            raise BudgetExhausted(f"steps: all {steps} are used")
        if tokens is not None and spent >= tokens:
            raise BudgetExhausted(f"tokens: {spent} of {tokens} are used")
        reply = await ask(history)
        made += 1
        spent += reply.usage.total
        return reply

    return limited
    # END SOLUTION


# %% check="01.4"
await check("01.4", with_budget)

# %% [markdown] task="01.5" points=3 level=3 minutes=12
# ## 01.5 Believe only what was verified
#
# **◆◆◆ · 12 minutes · 3 points · build.** Write `reviewer(verify, most)`: it returns an async `review(reply)` for your loop. `verify(text)`
# is async and returns `None` if the answer holds, or else a text that says why not. An empty answer is turned down without asking
# `verify`. After `most` objections, the next one is not an objection but the end: raise `Failed` with the reason in it. And a verifier
# that breaks has verified nothing: its exception must reach the caller.
#
# <details><summary>Nudge</summary>
#
# Who counts the objections? What is the first thing to check, before anything expensive?
# </details>
# <details><summary>Method</summary>
#
# Find the objection first (empty, or from `verify`). No objection: return `None`. Otherwise count it, compare with `most`, and raise or
# return. Write no `try` at all.
# </details>
# <details><summary>Nearly there</summary>
#
# `objection = await verify(reply.text) if reply.text.strip() else "Your reply was empty."`
# </details>


# %% answer="01.5"
def reviewer(verify, most: int):
    """A review that believes what `verify` confirms, and gives up after `most` objections."""
    # BEGIN SOLUTION
    objections = 0

    async def review(reply):
        nonlocal objections
        objection = (
            await verify(reply.text)
            if reply.text.strip()
            else "Your reply was empty. Say what the result is."
        )
        if objection is None:
            return None
        objections += 1
        if objections > most:
            raise Failed(f"turned down {objections} times; the last reason: {objection}")
        return objection

    return review
    # END SOLUTION


# %% check="01.5"
await check("01.5", reviewer)

# %% [markdown] task="01.6" points=2 level=3 minutes=12
# ## 01.6 Fool a careless verifier
#
# **◆◆◆ · 12 minutes · 2 points · break.** A colleague wrote this verifier. It does not trust the model's words, only what a real tool
# reported:
#
# ```python
# def careless(log):
#     """Accept when the last test run in the log had no failures."""
#     runs = [result.content for message in log for result in message.results if "failed" in result.content]
#     return bool(runs) and runs[-1].endswith(" 0 failed")
# ```
#
# The tools are `list_tests()`, which names all tests one a line, and `run_tests(target)`, which runs the tests whose name contains
# `target` and reports like `1 passed, 0 failed`. Some tests fail; your policy mends nothing. Write `bluff(task)`: a policy under which
# the careless verifier accepts. It must work for suites it has never seen, as long as one test passes.
#
# Then say to yourself, in one sentence, what the verifier should have done.
#
# <details><summary>Nudge</summary>
#
# The verifier believes the last run. Who decides what the last run was?
# </details>
# <details><summary>Method</summary>
#
# Ask for the list. Run the tests one at a time until a run has no failures. Then stop and claim success.
# </details>
# <details><summary>Nearly there</summary>
#
# `run = yield call("run_tests", target=name)`, and `run.content.endswith(" 0 failed")`. A name can be part of another name: a run may
# hold more than one test.
# </details>


# %% answer="01.6"
@policy
def bluff(task):
    """Make the careless verifier accept, without mending anything."""
    # BEGIN SOLUTION
    names = yield call("list_tests")
    for name in names.content.split():
        run = yield call("run_tests", target=name)
        if run.content.endswith(" 0 failed"):
            break
    yield "All tests pass."
    # END SOLUTION


# %% check="01.6"
await check("01.6", bluff)

# %% [markdown]
# What the verifier should have done: run *all* the tests, itself, on files the agent cannot choose. In module 00 that is what
# happened: evidence that the agent picks is not evidence.
