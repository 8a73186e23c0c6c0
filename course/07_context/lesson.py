# %% [markdown]
# # Context growth
#
# A model keeps nothing between two calls. So an agent sends everything again: the instructions, the tools, the task, and all
# that happened since. This module counts what that costs. The counts are easy. What they *mean* is where most people slip, so each
# number here comes with what it leaves out.

# %% [markdown] tags=["goals"]
# **You will be able to** predict how many tokens a run processes, with and without reuse of its prefix; say what breaks the reuse; and
# tell a ratio of counts from a ratio of attention work, of money and of time.
#
# **60 minutes. No key needed, no network.** Builds on module 01, where you saw that each step adds messages and each call sends them all.

# %%
from itertools import accumulate

from picolab import explore
from picolab.calc import context as calc
from picolab.calc.prices import CHECKED, PRICES
from picolab.classroom.course import kept_run, workspace
from picolab.classroom.lesson import compare, predict, recall, reveal, said
from picolab.classroom.show import figure, show, style

# %% tags=["recall"]
recall(
    "In module 01, a run of five model calls read how many messages in all?",
    choices=["five", "nine", "twenty-five"],
    answer="twenty-five",
    why="1 + 3 + 5 + 7 + 9: every request holds the whole history.",
)

# %% [markdown]
# ## One run, counted by hand
#
# Take a run with round numbers. The first call reads the system prompt, the tool definitions and the task. Before each later call
# the last reply and its tool results are appended. The values are those of a published lecture (Sources, M18).

# %%
START, INCREMENT, STEPS = 3_000, 1_500, 20

reads = [START + INCREMENT * i for i in range(STEPS)]
print(reads[:4], "…", reads[-1])

# %% tags=["predict"]
predict(
    "07a",
    "The last call reads about thirty thousand tokens. How many tokens do all twenty calls read together?",
    choices=["about 30,000", "about 60,000", "about 345,000", "about 3,000,000"],
)

# %%
everything = sum(reads)
print(f"{everything:,} tokens read in all")

# %% tags=["reveal"]
reveal("07a", f"about {everything:,}", why="Twenty times the average of the first and the last request.")

# %% [markdown]
# There is a formula, because the requests are an arithmetic series: `n·start + increment·n·(n-1)/2`. The first part grows with the steps,
# the second with their **square**. A formula is a claim about every input, so test it on many.


# %%
def closed_form(start, increment, steps):
    return steps * start + increment * steps * (steps - 1) // 2


def played_through(start, increment, steps):
    history, total = start, 0
    for call in range(steps):
        total += history
        history += increment
    return total


compare(closed_form, played_through, on=[(3_000, 1_500, 20), (0, 1, 1), (17, 0, 9), (888, 4_500, 5)])

# %% [markdown]
# ## Reading again is not computing again
#
# A model turns each position into **keys and values**, the *KV cache*. Turning a prompt into them is called **prefill**; writing new tokens one at a
# time is **decode**. If a request begins exactly like the last one, a server that kept the keys and values can start where it left
# off. Only what is new has to be prefilled.

# %% tags=["predict"]
predict(
    "07b",
    "With the prefix reused at every call, how many positions are processed over the whole run?",
    choices=["1,500", "31,500", "172,500", "345,000"],
)

# %%
held, new = 0, []
for length in reads:
    new.append(length - held)
    held = length
print(new[:4], "…", new[-1], "together", f"{sum(new):,}")

# %% tags=["reveal"]
reused = sum(new)
reveal("07b", f"{reused:,}", why="The first request once, and nineteen increments.")

# %%
ratio = everything / reused
said("345,000", everything)
said("31,500", reused)
said("10.95", ratio)
print(f"{ratio:.4f}")

# %% [markdown]
# 345,000 against 31,500: a ratio of 10.95. Before you quote it, say *of what*. It is a ratio of **positions prefilled**. It holds for
# anything that costs the same for each position. Three things do not.
#
# ### Not of attention
#
# A position attends to all positions before it. New positions at the end of a long history are few, but each of them looks back over
# everything. Count the pairs.


# %%
def pairs(reads, reuse):
    total, held = 0, 0
    for length in reads:
        first = held if reuse else 0
        total += sum(range(first + 1, length + 1))
        held = length
    return total


anew, kept = pairs(reads, reuse=False), pairs(reads, reuse=True)
print(f"{anew:,} pairs without reuse, {kept:,} with: {anew / kept:.2f} times")

# %%
calls = range(1, STEPS + 1)
attended = [sum(range(length - n + 1, length + 1)) for length, n in zip(reads, new)]
made = figure(8.4, 2.8)
left, right = made.subplots(1, 2)
left.plot(calls, new, **style(1))
right.plot(calls, attended, **style(0))
left.set_title("new positions in a call, with reuse", fontsize=10)
right.set_title("pairs that they attend to", fontsize=10)
for axes in (left, right):
    axes.set_ylim(bottom=0)
    axes.set_xlabel("model call", fontsize=9)
show(made, alt="Two charts over twenty calls with reuse: new positions stay flat after the first call, the pairs they attend to rise steadily.")

# %%
assert kept == calc.attention_pairs(START, INCREMENT, STEPS, reuse=True)
said("7.5 times", anew / kept)

# %% [markdown]
# With reuse the pairs fall 7.5 times, not 10.95 times. And they still rise with every call: reuse takes away the repetition, not the quadratic term.
#
# ### Not of time
#
# We measured it once, on a model with 135 million parameters on two shared cores, at a tenth of these sizes (M135 in Sources). The positions
# fell 10.95 times. The prefill time fell 8.8 times, and the whole run only 6.6 times: decode and overhead do not shrink with reuse.

# %%
measured = {"positions": 34_500 / 3_150, "wall time": 136 / 20.6}
for what, times in measured.items():
    print(f"{what:<10} fell {times:.2f} times")
said("10.95", measured["positions"])
said("6.6", measured["wall time"])
said("8.8", 8.8)

# %% [markdown]
# Count positions and you may assert the result. Measure seconds and you may only report it.
#
# ### Not of the last step
#
# One more slip. How long is the history when the run is over? The last call read the twentieth input. But its own reply and result were appended after that.

# %%
after = calc.final_history(START, INCREMENT, STEPS)
cache = calc.kv_bytes(after) / calc.GIB
said("33,000", after)
said("128 KiB", calc.kv_bytes(1) / calc.KIB)
said("31,500", reads[-1])
said("4.03", cache)
print(f"last input {reads[-1]:,}, history afterwards {after:,} tokens, {cache:.4f} GiB of keys and values")

# %% [markdown]
# 33,000 tokens, not 31,500. (That the last input equals the positions processed with reuse is no accident: with reuse each position is processed once.) At 128 KiB a token, as a
# mid-sized model needs, the keys and values of this one run fill 4.03 GiB.
#
# Of those, the tokens the model *wrote* already have their keys and values: decode made them. Only what comes from outside, the results of tools, still has to be prefilled.
#
# ## What breaks the prefix
#
# A cache compares **literally**. One changed character, and everything behind it is new. Here is a request as text, and three innocent changes.

# %%
import json

TOOLS = [
    {"name": "read_file", "description": "Read a file."},
    {"name": "run_tests", "description": "Run the tests."},
]
HISTORY = [f"step {n}: " + "observed " * 40 for n in range(12)]


def request(system="You repair code.", tools=TOOLS, history=HISTORY):
    return "\n".join([system, json.dumps(tools), *history])


before = request()

# %% tags=["predict"]
predict(
    "07c",
    "Which change costs the least of the cache?",
    choices=["the tool list in another order", "a clock in the system prompt", "one more message at the end"],
)

# %%
CHANGES = {
    "one more message at the end": request(history=[*HISTORY, "step 12: observed"]),
    "the tool list in another order": request(tools=TOOLS[::-1]),
    "one early message shortened": request(history=["step 0: (cut)", *HISTORY[1:]]),
    "a clock in the system prompt": request(system="It is 14:03:07. You repair code."),
}
shares = {change: calc.common_prefix(before, text) / len(before) for change, text in CHANGES.items()}
for change, share in shares.items():
    print(f"{change:<31} keeps {share:6.1%} of the request")

# %% tags=["reveal"]
reveal(
    "07c",
    max(shares, key=shares.get),
    why="Appending is the only change that leaves everything before it as it was.",
)

# %% [markdown]
# So a harness that wants its cache keeps the tools in one order, puts whatever changes at the end, and never edits the past. Module 08 will have to edit the past, to shorten it. It pays for that here.
#
# ## Break it
#
# Break the prefix once, in the middle of the run, and look at the price. The cell breaks it at each call in turn.


# %% tags=["break"]
def broken_once(at):
    return sum(calc.simulate(START, INCREMENT, STEPS, reuse=True, broken_at=at))


costs = {at: broken_once(at) - reused for at in (1, 2, 10, 20)}
for at, extra in costs.items():
    print(f"broken at call {at:>2}: {extra:>6,} positions more")
assert costs[1] == 0

# %% [markdown]
# The same mistake costs ten times as much late in a run as early. And a clock in the system prompt makes it at *every* call: then nothing is reused at all.

# %% tags=["predict"]
predict(
    "07d",
    "You will move the break from call 2 to call 20 below. How does the extra work grow?",
    choices=["with the square", "in a straight line", "not at all"],
)

# %%
steps = [broken_once(at) - broken_once(at - 1) for at in range(3, STEPS + 1)]
straight = len(set(steps)) == 1

# %% tags=["reveal"]
reveal(
    "07d",
    "in a straight line" if straight else "with the square",
    why="A break makes one history be read anew, and histories grow by the same amount each step.",
)

# %% [markdown]
# ## Move it, with your own run on the plot
#
# In the welcome you ran the agent on a broken repository. Its trace was kept; if it is not there, the next cell makes one.

# %% tags=["nbval-ignore-output"]
from picolab import Trace
from picolab.repair import repair

if not kept_run("welcome").exists():
    await repair(workspace("broken-build"), trace=kept_run("welcome"))
mine = Trace.load(kept_run("welcome"))
print(len(mine.tokens_per_call()), "model calls in your own run")

# %% tags=["widget", "nbval-ignore-output"]
explore.context(start=3_000, increment=1_500, steps=20, trace=mine)

# %% [markdown]
# Your run does not grow in a straight line. Reading files makes steps; an edit hardly shows. The formula wants one increment, so take the average, and see how far it goes.

# %% tags=["nbval-ignore-output"]
own = mine.tokens_per_call()
average = (own[-1] - own[0]) // (len(own) - 1)
model = calc.processed(own[0], average, len(own))
print(
    f"read in all: {sum(own):,}; the formula with the average increment: {model:,} ({model / sum(own):.0%})"
)

# %% [markdown]
# The total depends on *when* the large observations come, not only on how large they are. What is read early is paid for in every later call.
#
# A real naive research run, reported by the author of PicoAgents (DIB), grew like this:

# %%
growth = calc.OBSERVED
print(growth, "increments", [b - a for a, b in zip(growth, growth[1:])], "read in all", f"{sum(growth):,}")
assert list(accumulate(b - a for a, b in zip(growth, growth[1:])))[-1] == growth[-1] - growth[0]

# %% [markdown]
# ## Money
#
# The same source puts a price on not forgetting: a run of 15 calls that read 120,000 tokens, at $15 for a million.

# %%
run = calc.tokens_cost(120_000, 15.0)
month = run * 50 * 30
said("$1.80", run)
said("$2,700", month)
said("15 calls", 15)
said("120,000", 120_000)
said("$15", 15.0)
print(f"${run:.2f} a run, ${month:,.0f} for fifty runs a day over a month")

# %% [markdown]
# $1.80 a run sounds like nothing. Fifty runs a day make it $2,700 a month.
#
# Providers sell reuse at a discount: reading from the cache costs a fraction, and writing to it may cost extra. And a cache **expires**, often after minutes. If a tool takes longer than that, the next call pays for everything.

# %%
price = PRICES["large model"]
SETTINGS = {
    "no reuse": {"reuse": False},
    "reuse": {},
    "reuse, writing costs a quarter more": {"write_premium": 1.25},
    "reuse, expired before call 11": {"write_premium": 1.25, "expires_before": 11},
}
dollars = {name: calc.cost(START, INCREMENT, STEPS, price, **how) for name, how in SETTINGS.items()}
for name, spent in dollars.items():
    print(f"{name:<36} ${spent:.4f}   {dollars['no reuse'] / spent:.2f} times cheaper")
print("prices last checked", CHECKED)

# %%
said("5.5 times", dollars["no reuse"] / dollars["reuse"])

# %% [markdown]
# 10.95 times fewer positions, but only 5.5 times less money, because the cached part is cheap and not free. Four ratios for one run: positions, attention, time, money. **Name the one you mean.**
#
# ## What picolab does differently, and why
#
# You wrote the series by hand. picolab's functions do the same for a break at any call, and refuse nonsense. Run both.


# %% tags=["compare"]
def my_simulation(start, increment, steps, broken_at):
    held, total = 0, 0
    for call in range(1, steps + 1):
        length = start + increment * (call - 1)
        held = 0 if call == broken_at else held
        total += length - held
        held = length
    return total


compare(
    my_simulation,
    calc.processed_with_reuse,
    on=[(3_000, 1_500, 20, 0), (3_000, 1_500, 20, 10), (888, 4_500, 5, 2), (0, 7, 1, 1)],
)

# %%
try:
    calc.processed(3_000, -1_500, 20)
except ValueError as refused:
    print(refused)

# %% [markdown]
# In a run, picolab keeps the count as messages arrive and never recounts the history. That keeps a step as cheap at the end of a long run as at its beginning.

# %% [markdown] tags=["limits"]
# ## What each number leaves out
#
# * **Positions** count prefill only. What the model writes is decoded, one token at a time, and is not in them.
# * **One increment for all steps** is a model. Your own run above shows how far off it can be.
# * **Full reuse** assumes that the server still holds the cache, that the request lands on the same server, and that it was not evicted.
# * **KV bytes** are for one model with one layout. Grouped heads or a quantised cache change the figure by factors.
# * **Dollars** use list prices of one day, with input only.
# * **Time** is none of these. Module 12 measures it.
# * Long contexts are also *read worse*: facts in the middle are missed more often than at the ends. That needs a real model to show; the one this course can run offline is not packaged yet, so it is not shown here.

# %% [markdown] tags=["elsewhere"]
# ## Where you meet it elsewhere
#
# Prefix reuse is *prompt caching* at Anthropic (`cache_control`, `usage.cache_read_input_tokens` in the SDK, anthropic 2.14) and at OpenAI (automatic, `usage.input_tokens_details.cached_tokens`, openai 3.57). In
# Google ADK (2.13.0) it is `ContextCacheConfig`; LangChain (1.5.2) reports it as `usage_metadata["input_token_details"]["cache_read"]`.

# %% [markdown] tags=["summary"]
# ## Summary
#
# * A run of n steps reads in proportion to n², because every call sends everything.
# * With the prefix reused, each position is prefilled once. Attention keeps its quadratic term.
# * Reuse breaks at the first changed character. Append; never edit.
# * Positions, attention, time and money shrink by different factors. Say which you mean.
#
# Now the exercises: `exercises/07_context.ipynb`.

# %% [markdown] tags=["sources"]
# ## Sources
#
# * M18: "Module 18. Agents and Tool Use", Modern LLMs course, edition 2026.10.25, section 7: the run of 20 calls, and its counts.
# * DIB: Victor Dibia, "Designing with AI", posts on PicoAgents: the observed growth, and the price of not forgetting.
# * M135: our own measurement of 1 December 2026 with SmolLM2-135M-Instruct (Q4_1) in llama.cpp on two shared cores, 20 histories of 300 + 150·i tokens, 16 new tokens a call: 34,500 positions in 136 s without reuse, 3,150 in 20.6 s with.
# * Prices: the agent-blueprint skill (OthmanAdi, Apache-2.0), cost section.
