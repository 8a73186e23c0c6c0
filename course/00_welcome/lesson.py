# %% [markdown]
# # Welcome
#
# You are going to build an **agent harness**: the program around a language model that lets it read files, run tests and repair
# code, and that stops it when it should be stopped. Nineteen small modules, each about an hour. At the end the harness is
# yours, because you will have written it.
#
# Before you build one, watch a finished one work.

# %% [markdown] tags=["goals"]
# **You will be able to** run the agent of this course on a broken repository, read the trace of what it did, and say which evidence
# you believe and why.
#
# **25 minutes. No key needed, no network.** You need some Python. Nothing here can harm your machine: the agent works on a fresh
# copy, and you cannot break these notebooks for good. `picolab build` makes them anew, and `picolab reset` archives whatever you wrote.

# %% [markdown]
# ## How a module works
#
# Run one cell at a time with **Shift-Enter**. When a cell asks for a prediction, make one *before* you run on. A guess that
# turns out wrong teaches more than an answer read.
#
# The outputs you see are stored in the file, so that it can be read anywhere. To work through a lesson, clear them first: *Edit → Clear
# Outputs of All Cells*. Some cells show only a question; their code is folded away, because it holds the answer.
#
# Each lesson has an exercise notebook beside it, in `exercises/`. You write there, and a check under each task tells you what it
# expected, what came, and on which input.

# %%

from picolab import explore
from picolab.classroom.course import kept_run, workspace
from picolab.classroom.lesson import predict, recall, reveal, said
from picolab.repair import repair

# %% tags=["recall"]
recall(
    "Each lesson opens with a question about an earlier one. There is none yet, so a warm-up: what does pytest print for a test that failed?",
    choices=["a dot", "the letter F", "nothing"],
    answer="the letter F",
    why="A dot is a pass. You will see both in the trace below.",
)

# %% [markdown]
# ## A repository that broke
#
# `broken-build` is a small program that prints reports for a community garden. Last week a library that it carries with it, `tabletop`,
# was updated. Since then its tests fail. Here is what it holds:

# %%
home = workspace("broken-build")
for path in sorted(home.rglob("*.*")):
    if "__pycache__" not in path.parts:
        print(path.relative_to(home).as_posix())

# %% [markdown]
# And here is what the authors of `tabletop` wrote about their update.

# %%
print((home / "vendor/tabletop/CHANGELOG.md").read_text(encoding="utf-8"))

# %% tags=["predict"]
predict(
    "00a",
    "Four things changed, in three files of the garden's program. A person would read, edit and test by turns. "
    "How many times will the agent run the tests before it says that it is done?",
    choices=["once", "two to four times", "five to eight times", "more than eight times"],
)

# %% [markdown]
# ## Watch it work
#
# One line runs the agent: on a fresh copy, with real files and the real `pytest`. It takes a few seconds.

# %% tags=["nbval-ignore-output"]
outcome, evidence = await repair(home, trace=kept_run("welcome"))
print(outcome.state, "after", outcome.steps, "steps")

# %%
from picolab.events import ToolFinished

runs = [event for event in outcome.trace if isinstance(event, ToolFinished) and event.name == "run_tests"]
times = (
    {1: "once"}
    | dict.fromkeys(range(2, 5), "two to four times")
    | dict.fromkeys(range(5, 9), "five to eight times")
)

# %% tags=["reveal"]
reveal(
    "00a",
    times.get(len(runs), "more than eight times"),
    why="Once to see what is broken, and once after each change it tried.",
)

# %% [markdown]
# ## The trace
#
# What happened is kept, event by event, while it happens. Unfold a step: what did the model say, what did it want, and what came back?

# %% tags=["nbval-ignore-output"]
outcome.trace

# %% [markdown]
# You just read the work of a **policy**: a program that stands where a language model would. It reads what it observes, so a different
# bug leads to a different repair. With a policy every lesson runs without a key, and does the same thing twice. What the *harness*
# does is the same for both, and the harness is what you are here for.
#
# Move the slider through the run. Find the step in which the model read the most. Why does it grow?

# %% tags=["widget", "nbval-ignore-output"]
explore.replay(outcome.trace, step=1)

# %% [markdown]
# Every request holds the whole history, so each step makes all later ones longer. Module 07 is about that.
#
# ## Whom do you believe?
#
# The agent ended with a sentence:

# %%
print(outcome.answer.splitlines()[0])

# %% tags=["predict"]
predict(
    "00b",
    "Suppose the model had only said that sentence, and changed nothing. What would the harness have reported?",
    choices=["completed", "not completed"],
)

# %% [markdown]
# ## Break it
#
# Try it. Here is a model that lies: it makes no call at all, and claims success four times over.

# %% tags=["break"]
from picolab import script

liar = script(*["All tests pass now."] * 4)
lie, no_evidence = await repair(home, model=liar)
print(lie.state)
print(lie.reason.splitlines()[0])

# %% tags=["reveal"]
reveal(
    "00b",
    "completed" if lie.state == "completed" else "not completed",
    why="A verifier that the model cannot reach ran the original tests itself, four times, and they failed.",
)

# %% [markdown]
# That is the most important line of this course: **a claim is not evidence.** The evidence of the real run is this.

# %% tags=["compare"]
evidence

# %% [markdown]
# Three things make it evidence. The tests are the original ones, put back byte for byte. They ran in a fresh copy, in a process that the
# agent did not start. And the change is there to read.

# %%
assert evidence.verified and not no_evidence.verified
said("14 tests", len(evidence.passes_now))

# %% [markdown]
# All 14 tests pass in the repaired copy. The original is untouched: its tests still fail.
#
# ## What picolab does differently
#
# Many demonstrations of agents end with the model's last message. picolab ends with a **stop state**, and `completed` is kept for
# answers that something outside the model has confirmed. Module 01 builds that loop.
#
# ## Is your machine all right?
#
# `picolab doctor` checks it line by line; each line is ok or says what to do. Run it in a terminal, or here with a `!` in front.
#
# ## With a real model (optional)
#
# A real model needs a key, which costs money: an account with a provider, and the key in an environment variable, never in a notebook.
# picolab takes any object with a `name` and an async `reply(request)`. Module 02 builds such adapters for two providers; it is
# not there yet, and no lesson needs it.

# %% [markdown] tags=["limits"]
# ## What this leaves out
#
# * The policy knows four kinds of break: names, modules, keywords and returned values. A language model knows more, and is sure of less.
# * One run on one repository shows that it works here. Module 16 is about how many runs a claim needs.
# * The token counts are estimates, at four characters a token.
# * Tests that pass show what the tests test, and no more.

# %% [markdown] tags=["elsewhere"]
# ## Where you meet it elsewhere
#
# The trace is a *run tree* in LangSmith, a *trace* with *spans* in the OpenAI Agents SDK (0.24.0, `agents.tracing`), an *event stream* in
# Google ADK (2.13.0, `Runner.run_async`), and *messages* of `query()` in the Claude Agent SDK (0.2.189).

# %% [markdown] tags=["summary"]
# ## Summary
#
# * A harness is the program around a model: it runs what the model asks for, and decides what to believe.
# * A trace holds what happened. A stop state says how it ended.
# * A claim is not evidence. Evidence is made by something the model cannot reach.
#
# Next, a warm-up in `exercises/00_welcome.ipynb`, then `notebooks/01_loop.ipynb`.

# %% [markdown] tags=["sources"]
# ## Sources
#
# * `broken-build` and its library were written for this course.
# * That predicting before seeing helps learning: "Teaching and Learning with Jupyter", Barba and others, chapter on pedagogical patterns.
