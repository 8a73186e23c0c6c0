# %% [markdown]
# # Context growth: exercises
#
# Six tasks, about an hour. A run makes `steps` model calls. The first reads `start` tokens; before each later call `increment` tokens are
# appended. Write your answer in the cell under each task, then run the check below it.

# %%
import json

from picolab.budgets import Price
from picolab.classroom import check

# %% [markdown] task="07.1" points=1 level=1 minutes=6
# ## 07.1 What a run reads
#
# **◆◇◇ · 6 minutes · 1 point · predict.** Write `tokens_read(start, increment, steps)`: how many tokens all calls read together, when every call
# reads everything. A run of no steps reads nothing.
#
# <details><summary>Nudge</summary>
#
# Write down what the first three calls read.
# </details>
# <details><summary>Method</summary>
#
# Call number i (from 0) reads `start + increment * i`. Add them up.
# </details>
# <details><summary>Nearly there</summary>
#
# `sum(start + increment * i for i in range(steps))`
# </details>


# %% answer="07.1"
def tokens_read(start: int, increment: int, steps: int) -> int:
    """Tokens that all calls of a run read together."""
    # BEGIN SOLUTION
    return steps * start + increment * steps * (steps - 1) // 2
    # END SOLUTION


# %% check="07.1"
await check("07.1", tokens_read)

# %% [markdown] task="07.2" points=1 level=1 minutes=6
# ## 07.2 What is left when it is over
#
# **◆◇◇ · 6 minutes · 1 point · fix.** A colleague sizes the KV cache for a finished run like this:
#
# ```python
# def cache_gib(start, increment, steps, kib_per_token):
#     last_input = start + increment * (steps - 1)
#     return last_input * kib_per_token * 1000 / 1e9
# ```
#
# Two things are wrong: the history after the last step is longer than its input, and KiB and GiB are powers of 1,024. Fix both.
#
# <details><summary>Nudge</summary>
#
# What happens after the last call has been answered?
# </details>
# <details><summary>Method</summary>
#
# After `steps` calls, `steps` increments have been appended. A KiB is 1,024 bytes, a GiB is 1,024 · 1,024 · 1,024.
# </details>
# <details><summary>Nearly there</summary>
#
# `(start + increment * steps) * kib_per_token * 1024 / 1024**3`
# </details>


# %% answer="07.2"
def cache_gib(start: int, increment: int, steps: int, kib_per_token: float) -> float:
    """GiB of keys and values that the history holds after the last step."""
    # BEGIN SOLUTION
    return (start + increment * steps) * kib_per_token * 1024 / 1024**3
    # END SOLUTION


# %% check="07.2"
await check("07.2", cache_gib)

# %% [markdown] task="07.3" points=2 level=2 minutes=12
# ## 07.3 A run with a broken prefix
#
# **◆◆◇ · 12 minutes · 2 points · build.** Write `positions(start, increment, steps, broken)`: a list with the positions that each call processes
# when the prefix is reused. `broken` is a set of call numbers, counted from 1: at those calls the prefix has changed, so everything is
# processed anew. What was processed at a broken call is held for the next one.
#
# <details><summary>Nudge</summary>
#
# Keep one number beside the history: how much of it the server holds.
# </details>
# <details><summary>Method</summary>
#
# For each call: how long is the request, how much of it is held (nothing, if this call is broken), and the difference is processed. Afterwards
# all of it is held.
# </details>
# <details><summary>Nearly there</summary>
#
# `held = 0 if call in broken else held`, then `work.append(length - held)`, then `held = length`.
# </details>


# %% answer="07.3"
def positions(start: int, increment: int, steps: int, broken: set[int]) -> list[int]:
    """Positions that each call processes, with reuse, when the prefix changes at the calls in `broken`."""
    # BEGIN SOLUTION
    held, work = 0, []
    for call in range(1, steps + 1):
        length = start + increment * (call - 1)
        if call in broken:
            held = 0
        work.append(length - held)
        held = length
    return work
    # END SOLUTION


# %% check="07.3"
await check("07.3", positions)

# %% [markdown] task="07.4" points=2 level=2 minutes=12
# ## 07.4 A request that keeps its prefix
#
# **◆◆◇ · 12 minutes · 2 points · complete.** Write `request(system, tools, history, clock)`: one text, as a server would compare it. `tools` is a list of
# dicts that arrives in any order, and so do the keys in each dict. `history` is a list of texts that only grows. `clock` is different
# each time and has to be in the text. Two requests of one run must share everything up to the end of the shorter history.
#
# <details><summary>Nudge</summary>
#
# What changes between two requests, and where in the text may it stand?
# </details>
# <details><summary>Method</summary>
#
# Give the tools one order, whatever order they come in, and write their keys in one order too. Put what changes every time last.
# </details>
# <details><summary>Nearly there</summary>
#
# `json.dumps(sorted(tools, key=lambda tool: tool["name"]), sort_keys=True)`, and `[system, tools_text, *history, clock]` joined by line ends.
# </details>


# %% answer="07.4"
def request(system: str, tools: list[dict], history: list[str], clock: str) -> str:
    """A request whose beginning stays the same while the run goes on."""
    # BEGIN SOLUTION
    listed = json.dumps(sorted(tools, key=lambda tool: tool["name"]), sort_keys=True)
    return "\n".join([system, listed, *history, clock])
    # END SOLUTION


# %% check="07.4"
await check("07.4", request)

# %% [markdown] task="07.5" points=3 level=3 minutes=14
# ## 07.5 When does caching pay?
#
# **◆◆◆ · 14 minutes · 3 points · build.** A provider stores a prefix for a premium: a token written to the cache costs `premium` times the input price. A token
# read from the cache costs `price.cache_read`. Prices are in dollars for a million tokens. Write `saving(start, increment, steps, price, premium)`: the dollars
# that caching saves over a whole run, negative if it costs more. Without caching every token of every call costs `price.input`. With caching the
# new tokens of each call are written, and the rest is read.
#
# <details><summary>Nudge</summary>
#
# Split each call's input in two: what is new, and what was there before.
# </details>
# <details><summary>Method</summary>
#
# Without: all tokens read, times the input price. With: `start` plus the increments of the later calls at `premium` times the input price, all
# the rest at the cache price. The difference is the saving.
# </details>
# <details><summary>Nearly there</summary>
#
# `new = start + increment * (steps - 1)` for at least one step, `old = total - new`, and
# `(total * price.input - new * premium * price.input - old * price.cache_read) / 1e6`.
# </details>


# %% answer="07.5"
def saving(start: int, increment: int, steps: int, price: Price, premium: float) -> float:
    """Dollars that caching saves over a run; negative if it costs more."""
    # BEGIN SOLUTION
    total = steps * start + increment * steps * (steps - 1) // 2
    new = start + increment * (steps - 1) if steps else 0
    with_cache = new * premium * price.input + (total - new) * price.cache_read
    return (total * price.input - with_cache) / 1_000_000
    # END SOLUTION


# %% check="07.5"
await check("07.5", saving)

# %% [markdown] task="07.6" points=2 level=3 minutes=12
# ## 07.6 The worst place for a long observation
#
# **◆◆◆ · 12 minutes · 2 points · break.** A run makes `steps` calls and reads everything each time. The first call reads `start` tokens. Before each later
# call one observation is appended; `observations` holds their sizes, one for each later call. Somebody may put them in another order. Write
# `worst_order(start, observations)`: the order that makes the run read the most, and how many tokens that is, as a pair `(order, total)`.
#
# <details><summary>Nudge</summary>
#
# How many calls read an observation that comes first? And one that comes last?
# </details>
# <details><summary>Method</summary>
#
# An observation is read by every call after it. So the largest ones do the most harm at the beginning. The total is the sum of all histories, the first one
# included.
# </details>
# <details><summary>Nearly there</summary>
#
# `order = sorted(observations, reverse=True)`, then keep a running `history` and add it up once for each call.
# </details>


# %% answer="07.6"
def worst_order(start: int, observations: list[int]) -> tuple[list[int], int]:
    """The order of observations that makes a run read the most, and how much that is."""
    # BEGIN SOLUTION
    order = sorted(observations, reverse=True)
    history = total = start
    for size in order:
        history += size
        total += history
    return order, total
    # END SOLUTION


# %% check="07.6"
await check("07.6", worst_order)

# %% [markdown]
# Now open the widget of the lesson again and find each of these six answers in it. Which one does it not show?
