# %% [markdown]
# # Welcome: warm-up
#
# Four small tasks, about half an hour: read a trace with a program. A trace is a list of events. Every event has a `kind`, a `step`
# and a time `at`. These kinds are enough for the tasks:
#
# | event | what it holds |
# |---|---|
# | `ModelAsked` | a request went out: `messages`, `tokens` |
# | `ModelReplied` | a reply came: `reply` with `usage.input_tokens` |
# | `ModelFailed` | no reply came: `error` |
# | `ToolFinished` | a call is over: `name`, `result` with `is_error` |
# | `CompletionRejected` | the model said it was done, and was not believed |
# | `RunStopped` | the end: `state`, `reason`, `answer` |
#
# Run the first cell, write your answer under each task, and run the check below it.

# %%
from picolab.classroom import check
from picolab.events import CompletionRejected, ModelAsked, ModelFailed, ModelReplied, RunStopped, ToolFinished

# %% [markdown] task="00.1" points=1 level=1 minutes=5
# ## 00.1 How often did the model answer?
#
# **◆◇◇ · 5 minutes · 1 point · predict.** Write `replies(events)`: how many replies the model gave. A request that failed got none.
#
# <details><summary>Nudge</summary>
#
# Which kind of event stands for a reply that came?
# </details>
# <details><summary>Method</summary>
#
# Count the events that are a `ModelReplied`.
# </details>
# <details><summary>Nearly there</summary>
#
# `sum(isinstance(event, ModelReplied) for event in events)`
# </details>


# %% answer="00.1"
def replies(events) -> int:
    """How many replies the model gave."""
    # BEGIN SOLUTION
    return sum(isinstance(event, ModelReplied) for event in events)
    # END SOLUTION


# %% check="00.1"
await check("00.1", replies)

# %% [markdown] task="00.2" points=1 level=1 minutes=6
# ## 00.2 Which calls went wrong?
#
# **◆◇◇ · 6 minutes · 1 point · complete.** Write `failed_calls(events)`: the names of the tools whose calls ended in an error, in the order
# in which they ended. A tool that failed twice stands there twice.
#
# <details><summary>Nudge</summary>
#
# Whether a call went wrong is written in its result.
# </details>
# <details><summary>Method</summary>
#
# Go through the `ToolFinished` events, keep those whose `result.is_error` is true, and take their names.
# </details>
# <details><summary>Nearly there</summary>
#
# A list comprehension with two conditions: `isinstance(event, ToolFinished) and event.result.is_error`.
# </details>


# %% answer="00.2"
def failed_calls(events) -> list[str]:
    """Names of the tools whose calls ended in an error, in order."""
    # BEGIN SOLUTION
    return [event.name for event in events if isinstance(event, ToolFinished) and event.result.is_error]
    # END SOLUTION


# %% check="00.2"
await check("00.2", failed_calls)

# %% [markdown] task="00.3" points=2 level=2 minutes=8
# ## 00.3 Was it believed?
#
# **◆◆◇ · 8 minutes · 2 points · fix.** A colleague decides whether a run succeeded like this:
#
# ```python
# def believed(events):
#     return "pass" in events[-1].answer
# ```
#
# Fix it. A run counts only if it stopped in the state `completed`. A trace may also end early, because the process was killed: then
# there is no `RunStopped` at all, and the run does not count.
#
# <details><summary>Nudge</summary>
#
# The answer is what the model says. What is it that the harness says?
# </details>
# <details><summary>Method</summary>
#
# Look for a `RunStopped` event and compare its `state`. If there is none, the answer is `False`.
# </details>
# <details><summary>Nearly there</summary>
#
# `any(isinstance(event, RunStopped) and event.state == "completed" for event in events)`
# </details>


# %% answer="00.3"
def believed(events) -> bool:
    """Whether the harness accepted the run's answer."""
    # BEGIN SOLUTION
    return any(isinstance(event, RunStopped) and event.state == "completed" for event in events)
    # END SOLUTION


# %% check="00.3"
await check("00.3", believed)

# %% [markdown] task="00.4" points=2 level=2 minutes=10
# ## 00.4 The most expensive step
#
# **◆◆◇ · 10 minutes · 2 points · build.** Write `heaviest(events)`: the step whose reply cost the most input tokens, and how many, as a
# pair `(step, tokens)`. Use what the model's usage says, not the estimate in the request. If two steps cost the same, the earlier one. If no
# reply came at all, `None`.
#
# <details><summary>Nudge</summary>
#
# The number you want is in `event.reply.usage.input_tokens`, and the step is in the event itself.
# </details>
# <details><summary>Method</summary>
#
# Make a list of pairs `(step, tokens)`. If it is empty, return `None`. Otherwise take the maximum by tokens; `max` keeps the first of equals.
# </details>
# <details><summary>Nearly there</summary>
#
# `max(pairs, key=lambda pair: pair[1], default=None)`
# </details>


# %% answer="00.4"
def heaviest(events):
    """The step that read the most, and its input tokens; None if the model never replied."""
    # BEGIN SOLUTION
    pairs = [
        (event.step, event.reply.usage.input_tokens) for event in events if isinstance(event, ModelReplied)
    ]
    return max(pairs, key=lambda pair: pair[1], default=None)
    # END SOLUTION


# %% check="00.4"
await check("00.4", heaviest)
