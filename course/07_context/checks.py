"""What judges the answers on context growth: the formulas of picolab, at inputs made up on the spot."""

import itertools
import json
import math

from picolab.budgets import Price
from picolab.calc import context as calc
from picolab.classroom import expect, judges


def some_run(rng, least=2):
    return rng.randrange(100, 9_000), rng.randrange(50, 4_000), rng.randint(least, 40)


# 07.1 ---------------------------------------------------------------------------------------------------------------


@judges("07.1")
def every_call_reads_everything(tokens_read, rng):
    totals = []
    for start, increment, steps in [(3_000, 1_500, 20), *[some_run(rng) for _ in range(5)]]:
        got, right = tokens_read(start, increment, steps), calc.processed(start, increment, steps)
        slip = ""
        if got == start + increment * (steps - 1):
            slip = "That is what the last call alone reads."
        elif got == right + increment * steps:
            slip = "The first call reads no increment: nothing has happened yet."
        elif got == steps * start:
            slip = "The history grows; nothing was added for that."
        elif got == start + increment * steps * (steps - 1) // 2:
            slip = "Every call reads the start again, not only the first."
        expect(
            got == right,
            f"for start={start}, increment={increment}, steps={steps} you returned {got!r}; expected {right}. {slip}",
        )
        totals.append(right)
    return totals


@judges("07.1")
def short_runs_too(tokens_read, rng):
    start, increment, _ = some_run(rng)
    for steps, right in ((0, 0), (1, start), (2, 2 * start + increment)):
        got = tokens_read(start, increment, steps)
        expect(
            got == right,
            f"for start={start}, increment={increment}, steps={steps} you returned {got!r}; expected {right}.",
        )
    return start, increment


# 07.2 ---------------------------------------------------------------------------------------------------------------


@judges("07.2")
def the_history_after_the_last_step(cache_gib, rng):
    sizes = []
    for start, increment, steps, kib in [
        (3_000, 1_500, 20, 128),
        *[(*some_run(rng), rng.choice([16, 40, 128, 320])) for _ in range(4)],
    ]:
        got = cache_gib(start, increment, steps, kib)
        right = calc.kv_bytes(calc.final_history(start, increment, steps), kib * calc.KIB) / calc.GIB
        short = (start + increment * (steps - 1)) * kib * 1024 / 1024**3
        decimal = (start + increment * steps) * kib * 1000 / 1e9
        slip = ""
        if math.isclose(got, short):
            slip = "That is the last input. The last step's own increment is in the history too."
        elif math.isclose(got, decimal):
            slip = "The length is right; the units are not. KiB and GiB are powers of 1,024."
        elif math.isclose(got, short * decimal / right):
            slip = "Both slips are still there: the last increment is missing, and the units are powers of 1,000."
        elif math.isclose(got, right * 1024):
            slip = "That is in MiB."
        expect(
            math.isclose(got, right, rel_tol=1e-9),
            f"for start={start}, increment={increment}, steps={steps} at {kib} KiB you returned {got!r}; expected {right:.6f} GiB. {slip}",
        )
        sizes.append(right)
    return sizes


# 07.3 ---------------------------------------------------------------------------------------------------------------


def _play(start, increment, steps, broken):
    held, work = 0, []
    for call in range(1, steps + 1):
        length = start + increment * (call - 1)
        held = 0 if call in broken else held
        work.append(length - held)
        held = length
    return work


@judges("07.3")
def an_unbroken_run_processes_each_position_once(positions, rng):
    start, increment, steps = some_run(rng)
    got = positions(start, increment, steps, set())
    right = calc.simulate(start, increment, steps)
    expect(
        isinstance(got, list),
        f"you returned {type(got).__name__}; return a list with one number for each call.",
    )
    expect(len(got) == steps, f"for {steps} calls you returned {len(got)} numbers.")
    slip = (
        "That is what each call reads; with reuse only what is new is processed."
        if got == calc.inputs(start, increment, steps)
        else ""
    )
    expect(
        got == right,
        f"for start={start}, increment={increment}, steps={steps} and nothing broken you returned {got[:4]} …; expected {right[:4]} …. {slip}",
    )
    return right


@judges("07.3")
def a_broken_call_processes_everything_and_the_next_one_does_not(positions, rng):
    start, increment, steps = some_run(rng, least=6)
    at = rng.randint(2, steps - 2)
    got, right = positions(start, increment, steps, {at}), _play(start, increment, steps, {at})
    expect(len(got) == steps, f"for {steps} calls you returned {len(got)} numbers.")
    shifted = got[at - 1] == increment and got[at] == start + increment * at
    expect(
        not shifted,
        f"broken at call {at}, but it is your call {at + 1} that processes everything. Calls are counted from 1.",
    )
    expect(
        got[at - 1] == right[at - 1],
        f"broken at call {at}: that call processes {right[at - 1]}, its whole request; you have {got[at - 1]}.",
    )
    expect(
        got[at] == right[at],
        f"broken at call {at}: call {at + 1} finds everything held again and processes {right[at]}; you have {got[at]}.",
    )
    expect(got == right, f"broken at call {at}: expected {right}, and you returned {got}.")
    return right


@judges("07.3")
def several_breaks_and_a_break_at_the_first_call(positions, rng):
    start, increment, steps = some_run(rng, least=8)
    broken = {1, *rng.sample(range(2, steps + 1), 3)}
    got, right = positions(start, increment, steps, set(broken)), _play(start, increment, steps, broken)
    expect(
        got == right,
        f"broken at {sorted(broken)} of {steps} calls: expected {right}, and you returned {got}.",
    )
    return right


# 07.4 ---------------------------------------------------------------------------------------------------------------

WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath"]


def _tools(rng):
    return [
        {"name": word, "description": f"Does {word}.", "timeout": rng.randint(1, 60)}
        for word in rng.sample(WORDS, 4)
    ]


def _shuffled(tools, rng):
    mixed = [dict(rng.sample(list(tool.items()), len(tool))) for tool in tools]
    rng.shuffle(mixed)
    return mixed


def _parts(rng):
    return (
        f"You are {rng.choice(WORDS)}.",
        _tools(rng),
        [f"step {n}: {rng.choice(WORDS)} {rng.random()}" for n in range(6)],
    )


@judges("07.4")
def a_later_request_begins_like_the_earlier_one(request, rng):
    system, tools, history = _parts(rng)
    first = request(system, tools, history[:3], "09:00:01")
    second = request(system, tools, history, "09:00:07")
    expect(isinstance(first, str), f"you returned {type(first).__name__}; a request is one text.")
    shared = calc.common_prefix(first, second)
    end = first.find(history[2]) + len(history[2])
    expect(
        end > len(history[2]) - 1,
        "the third message of the history is not in the request. Nothing may be lost.",
    )
    clock_early = first.find("09:00:01") < first.find(history[0])
    hint = (
        "The clock stands before the history, so everything behind it is new."
        if clock_early
        else "What changes must stand last."
    )
    expect(
        shared >= end,
        f"two requests of one run share only {shared} characters; the shorter history ends at {end}. {hint}",
    )
    return shared >= end, history


@judges("07.4")
def the_order_in_which_tools_arrive_does_not_matter(request, rng):
    system, tools, history = _parts(rng)
    for _ in range(5):
        mixed = _shuffled(tools, rng)
        same_keys = [dict(sorted(tool.items())) for tool in mixed]
        first, second = (
            request(system, t, history, "09:00:01")
            for t in ([dict(sorted(t.items())) for t in tools], same_keys)
        )
        expect(
            first == second,
            "the same tools in another order gave another request, so all of the history is new. Give them one order.",
        )
        first, second = (request(system, t, history, "09:00:01") for t in (tools, mixed))
        expect(
            first == second,
            "the same tools with their keys in another order gave another request. Write the keys in one order too.",
        )
    return history


@judges("07.4")
def nothing_is_lost(request, rng):
    system, tools, history = _parts(rng)
    clock = f"{rng.randint(10, 23)}:{rng.randint(10, 59)}:07"
    text = request(system, tools, history, clock)
    for what, part in (
        ("the system prompt", system),
        ("the clock", clock),
        *(("a message of the history", h) for h in history),
    ):
        expect(
            part in text,
            f"{what} ({part!r}) is not in the request. A prefix that is stable because it is empty helps nobody.",
        )
    for tool in tools:
        expect(
            tool["name"] in text and tool["description"] in text,
            f"the tool {json.dumps(tool)} is not in the request as a whole.",
        )
    places = [text.find(h) for h in history]
    expect(places == sorted(places), "the history is in the request, but not in its order.")
    return clock, system


# 07.5 ---------------------------------------------------------------------------------------------------------------


def _saving(start, increment, steps, price, premium):
    without = calc.cost(start, increment, steps, price, reuse=False)
    return without - calc.cost(start, increment, steps, price, write_premium=premium)


@judges("07.5")
def new_tokens_are_written_and_old_ones_read(saving, rng):
    found = []
    for _ in range(6):
        start, increment, steps = some_run(rng)
        price = Price(round(rng.uniform(1, 5), 2), 15.0, round(rng.uniform(0.1, 0.5), 2))
        premium = rng.choice([1.0, 1.25, 2.0])
        got, right = (
            saving(start, increment, steps, price, premium),
            _saving(start, increment, steps, price, premium),
        )
        total, new = (
            calc.processed(start, increment, steps),
            calc.processed_with_reuse(start, increment, steps),
        )
        slip = ""
        if math.isclose(got, (total - new) * (price.input - price.cache_read) / 1e6) and premium != 1.0:
            slip = "Writing to the cache has its premium; it was left out."
        elif math.isclose(got, (total * price.input - new * premium * price.input) / 1e6):
            slip = "Reading from the cache is cheap, and not free."
        elif math.isclose(got, right * 1e6, rel_tol=1e-6):
            slip = "Prices are for a million tokens."
        elif math.isclose(got, -right):
            slip = "The sign is turned round: a saving is positive."
        elif math.isclose(got, total * price.input / 1e6 - right):
            slip = "That is what the run costs with caching, not what is saved."
        expect(math.isclose(got, right, rel_tol=1e-9, abs_tol=1e-12), f"for start={start}, increment={increment}, steps={steps}, {price}, premium={premium} you returned "
               f"{got!r}; expected {right!r}. {slip}")  # fmt: skip
        found.append(right)
    return found


@judges("07.5")
def a_single_call_only_pays_the_premium(saving, rng):
    start, increment, _ = some_run(rng)
    price = Price(3.0, 15.0, 0.3)
    got, right = saving(start, increment, 1, price, 1.25), -start * 0.25 * 3.0 / 1e6
    expect(
        math.isclose(got, right, rel_tol=1e-9),
        f"one call of {start} tokens at $3, premium 1.25: nothing is ever read back, so caching costs money. You returned {got!r}; expected {right!r}.",
    )
    expect(
        saving(start, increment, 0, price, 1.25) == 0,
        f"a run of no calls gave {saving(start, increment, 0, price, 1.25)!r}; it saves nothing.",
    )
    return right


# 07.6 ---------------------------------------------------------------------------------------------------------------


def _total(start, order):
    return sum(itertools.accumulate([start, *order]))


@judges("07.6")
def no_other_order_reads_more(worst_order, rng):
    found = []
    for _ in range(5):
        start, observations = (
            rng.randrange(100, 4_000),
            [rng.randrange(10, 9_000) for _ in range(rng.randint(3, 6))],
        )
        got = worst_order(start, list(observations))
        expect(
            isinstance(got, tuple) and len(got) == 2,
            f"you returned {got!r}; return a pair: the order, and the tokens.",
        )
        order, total = list(got[0]), got[1]
        expect(
            sorted(order) == sorted(observations),
            f"of the observations {observations} you made {order}; keep each of them once.",
        )
        worst = max(itertools.permutations(observations), key=lambda each: _total(start, each))
        right = _total(start, worst)
        made = _total(start, order)
        slip = (
            "You put the largest last, where only one call reads it."
            if order == sorted(observations)
            else "An observation is read by every call after it."
        )
        expect(
            made == right,
            f"with start={start}, the order {order} reads {made} tokens; {list(worst)} reads {right}. {slip}",
        )
        short = (
            "The first call reads the start, before any observation."
            if total == right - start
            else "Add up the whole history once for each call."
        )
        expect(
            total == right,
            f"the order {order} is the worst, but it reads {right} tokens with start={start}; you say {total}. {short}",
        )
        found.append((order, right))
    return found


@judges("07.6")
def the_list_it_was_given_is_left_alone(worst_order, rng):
    observations = [rng.randrange(10, 900) for _ in range(5)]
    before = list(observations)
    worst_order(100, observations)
    expect(
        observations == before,
        "the list of observations was changed in place. Sort a copy: it is somebody else's.",
    )
    expect(
        worst_order(700, []) in (([], 700), [[], 700]),
        f"without observations you returned {worst_order(700, [])!r}; the one call reads the start: ([], 700).",
    )
    return before
