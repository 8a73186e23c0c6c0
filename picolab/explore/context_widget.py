"""The widget of module 07: how the context of a run grows, and what it costs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from picolab.calc import context as calc
from picolab.calc.prices import PRICES
from picolab.classroom.show import figure, style, whole_numbers
from picolab.explore.base import Explorer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INPUTS = {
    "start": ("first call (tokens)", (0, 20_000, 500)),
    "increment": ("added each step (tokens)", (0, 6_000, 100)),
    "steps": ("model calls", (1, 60, 1)),
    "reuse": ("reuse the prefix", True),
    "break_at": ("break the prefix at call", (0, 60, 1)),
    "kib_per_token": ("KV cache (KiB per token)", (1, 512, 1)),
    "price": ("prices of a", list(PRICES)),
}


@dataclass(frozen=True)
class Growth:
    """One setting of the widget, worked out."""

    inputs: list[int]
    """Tokens read by each call."""
    work: list[int]
    """Positions processed by each call."""
    again: int
    """Positions that a run without any reuse would process."""
    history: int
    gib: float
    dollars: float
    reuse: bool
    break_at: int
    real: tuple[int, ...]
    """Tokens read by each call of a real run; empty if there is none to show."""


def context(
    start: int = 3000,
    increment: int = 1500,
    steps: int = 20,
    reuse: bool = True,
    break_at: int = 0,
    kib_per_token: int = 128,
    price: str = "large model",
    trace: Any = None,
) -> Explorer:
    """Explore how a context grows.

    Args:
        start: tokens that the first call reads.
        increment: tokens appended before each later call.
        steps: model calls.
        reuse: whether an unchanged prefix is reused.
        break_at: the call at which the prefix changes; 0 for never.
        kib_per_token: size of the KV cache for one token, in KiB.
        price: a name in `picolab.calc.prices.PRICES`.
        trace: a run whose calls are drawn beside the model's; what a `Trace` gives as tokens_per_call().
    """
    real = tuple(trace.tokens_per_call()) if trace is not None else ()

    def compute(**values: Any) -> Growth:
        return grow(real=real, **values)

    values = {"start": start, "increment": increment, "steps": steps, "reuse": reuse, "break_at": break_at}
    values |= {"kib_per_token": kib_per_token, "price": price}
    return Explorer("How a context grows", INPUTS, values, compute, draw, tell, alt)


def grow(
    start: int,
    increment: int,
    steps: int,
    reuse: bool,
    break_at: int,
    kib_per_token: int,
    price: str,
    real: tuple[int, ...] = (),
) -> Growth:
    """Everything the widget shows, for one setting."""
    if price not in PRICES:
        raise ValueError(f"there are no prices for {price!r}; there are some for {', '.join(PRICES)}")
    broken = break_at if reuse else 0
    history = calc.final_history(start, increment, steps)
    return Growth(
        calc.inputs(start, increment, steps),
        calc.simulate(start, increment, steps, reuse, broken),
        calc.processed(start, increment, steps),
        history,
        calc.kv_bytes(history, kib_per_token * calc.KIB) / calc.GIB,
        calc.cost(start, increment, steps, PRICES[price], reuse=reuse, broken_at=broken),
        reuse,
        broken,
        real,
    )


def draw(growth: Growth) -> "Figure":
    """Tokens per call on the left, added up on the right."""
    made = figure(8.4, 3.1)
    left, right = made.subplots(1, 2)
    calls = range(1, len(growth.inputs) + 1)
    every = max(1, len(growth.inputs) // 12)
    left.plot(calls, growth.inputs, label="read by the call", markevery=every, **style(0))
    left.plot(calls, growth.work, label="processed anew", markevery=every, **style(1))
    right.plot(calls, _added_up(growth.inputs), label="everything anew", markevery=every, **style(0))
    right.plot(calls, _added_up(growth.work), label="as set", markevery=every, **style(1))
    if growth.real:
        own, step = range(1, len(growth.real) + 1), max(1, len(growth.real) // 12)
        left.plot(own, growth.real, label="your run", markevery=step, **style(2))
        right.plot(own, _added_up(growth.real), label="your run", markevery=step, **style(2))
    for axes, title in ((left, "tokens per call"), (right, "added up over the run")):
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("model call", fontsize=9)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.tick_params(labelsize=8)
        axes.grid(alpha=0.3)
        axes.set_ylim(bottom=0)
        whole_numbers(axes)
        axes.legend(fontsize=8, frameon=False, loc="upper left")
    return made


def _added_up(values: Any) -> list[int]:
    total, sums = 0, []
    for value in values:
        total += value
        sums.append(total)
    return sums


def tell(growth: Growth) -> str:
    """The widget's content in words."""
    calls, work = len(growth.inputs), sum(growth.work)
    how = "the prefix is reused" if growth.reuse else "nothing is reused"
    if growth.break_at:
        how += f", but breaks at call {growth.break_at}"
    lines = [
        f"{calls} calls; {how}. The last call reads {growth.inputs[-1]:,} tokens.",
        f"Processed: {work:,} positions; with everything anew it would be {growth.again:,}, or {_times(growth.again, work)}.",
        f"The history after the last step holds {growth.history:,} tokens; its KV cache is {growth.gib:.4f} GiB.",
        f"Input costs ${growth.dollars:.4f} at these prices.",
    ]
    if growth.real:
        lines.append(
            f"Your run made {len(growth.real)} calls and read {sum(growth.real):,} tokens in all, from {growth.real[0]:,} to {growth.real[-1]:,} a call."
        )
    return "\n".join(lines)


def _times(more: int, less: int) -> str:
    return f"{more / less:.4f} times as many" if less else "the same"


def alt(growth: Growth) -> str:
    """The figure in one sentence."""
    real = f" A third line shows a real run of {len(growth.real)} calls." if growth.real else ""
    return (
        f"Two line charts over {len(growth.inputs)} model calls: tokens per call rise from {growth.inputs[0]:,} to "
        f"{growth.inputs[-1]:,}; added up they reach {growth.again:,} read and {sum(growth.work):,} processed anew.{real}"
    )
