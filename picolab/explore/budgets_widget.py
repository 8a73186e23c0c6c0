"""The widget of module 01: one small task, a model that fails on purpose, and budgets that cut the run off."""

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from picolab.agent import Agent, Outcome
from picolab.budgets import Budget
from picolab.classroom.show import COLOURS, figure, whole_numbers
from picolab.events import CompletionRejected, ModelReplied, ToolFinished
from picolab.explore.base import Explorer
from picolab.models.flaky import flaky
from picolab.models.policy import call, policy
from picolab.tools.base import tool

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INPUTS = {
    "p": ("a reply is faulty with p", (0.0, 1.0, 0.05)),
    "seed": ("seed", (0, 30, 1)),
    "steps": ("budget: steps", (1, 60, 1)),
    "tokens": ("budget: tokens", (200, 20_000, 200)),
}
FILES = {"app.log": 1200, "db.log": 5300, "web.log": 800, "old.log": 40, "new.log": 77}


@tool
async def list_files() -> str:
    """The names of all files, one a line."""
    return "\n".join(FILES)


@tool
async def size(path: str) -> str:
    """The size of one file in bytes."""
    return str(FILES[path])


@policy
def counter():
    """Add up the sizes of all files."""
    listing = yield call("list_files")
    total = 0
    for path in listing.content.split():
        total += int((yield call("size", path=path)).content)
    yield f"{total} bytes"


@dataclass(frozen=True)
class Cut:
    """One run under one setting."""

    outcome: Outcome
    spent: list[int]
    """Tokens used up to and with each step."""
    faulty: list[int]
    """Steps whose reply was refused or turned down."""
    steps: int
    tokens: int


def budgets(p: float = 0.3, seed: int = 1, steps: int = 20, tokens: int = 4_000) -> Explorer:
    """Explore where budgets cut off a run whose model fails on purpose.

    Args:
        p: probability that a reply is replaced by a faulty one.
        seed: which faults come when.
        steps: turns of the loop allowed.
        tokens: input and output tokens allowed, over the whole run.
    """
    values = {"p": p, "seed": seed, "steps": steps, "tokens": tokens}
    return Explorer("Where a run is cut off", INPUTS, values, attempt, draw, tell, alt)


def attempt(p: float, seed: int, steps: int, tokens: int) -> Cut:
    """Run the task once."""
    agent = Agent(
        flaky(counter(), p, seed),
        [list_files, size],
        budget=Budget(steps=steps, tokens=tokens),
        most_rejections=60,
    )
    outcome = _wait_for(agent.ask("How many bytes do the files hold?"))
    spent, faulty = [], set()
    for event in outcome.trace:
        if isinstance(event, ModelReplied):
            spent.append((spent[-1] if spent else 0) + event.reply.usage.total)
        elif isinstance(event, CompletionRejected) or (
            isinstance(event, ToolFinished) and event.result.is_error
        ):
            faulty.add(event.step)
    return Cut(outcome, spent, sorted(faulty), steps, tokens)


def _wait_for(work: Any) -> Any:
    """Run a coroutine to its end from plain code, also where a notebook's event loop is already turning."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(work)))
    thread.start()
    thread.join()
    return found[0]


def draw(cut: Cut) -> "Figure":
    """Tokens used by each step, with the limits as lines."""
    made = figure(8.4, 2.9)
    axes = made.subplots()
    steps = range(1, len(cut.spent) + 1)
    bad = set(cut.faulty)
    colours = [COLOURS[1] if step in bad else COLOURS[0] for step in steps]
    bars = axes.bar(steps, cut.spent, color=colours)
    for bar, step in zip(bars, steps, strict=True):
        bar.set_hatch("///" if step in bad else "")
        bar.set_edgecolor("white")
    axes.axhline(cut.tokens, color=COLOURS[6], linestyle="--", linewidth=1.2)
    axes.axvline(cut.steps + 0.5, color=COLOURS[2], linestyle="-.", linewidth=1.2)
    top = max(cut.tokens, *cut.spent, 1) * 1.15
    axes.set_ylim(0, top)
    whole_numbers(axes)
    axes.set_xlim(0.4, max(len(cut.spent), min(cut.steps, len(cut.spent) + 6)) + 0.9)
    axes.annotate("token budget", (0.45, cut.tokens), fontsize=8, va="bottom")
    if cut.steps <= len(cut.spent) + 6:
        place = (cut.steps + 0.35, 0.55)
        axes.annotate(
            f"step budget {cut.steps}", place, xycoords=("data", "axes fraction"), fontsize=8, ha="right"
        )
    axes.set_xlabel("step (hatched: a faulty reply)", fontsize=9)
    axes.set_title(f"tokens used so far; the run ended as {cut.outcome.state.replace('_', ' ')}", fontsize=10)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.tick_params(labelsize=8)
    return made


def tell(cut: Cut) -> str:
    """The widget's content in words."""
    outcome = cut.outcome
    faults = f"{len(cut.faulty)} of its replies were faulty" + (
        f" (steps {', '.join(map(str, cut.faulty))})" if cut.faulty else ""
    )
    return (
        f"The run ended as {outcome.state}: {outcome.answer or outcome.reason}.\n"
        f"It used {len(cut.spent)} steps of {cut.steps} and {outcome.usage.total:,} tokens of {cut.tokens:,}; {faults}."
    )


def alt(cut: Cut) -> str:
    """The figure in one sentence."""
    return (
        f"Bar chart of tokens used up to each of {len(cut.spent)} steps, reaching {cut.spent[-1] if cut.spent else 0:,}, under a token budget of "
        f"{cut.tokens:,} and a step budget of {cut.steps}; {len(cut.faulty)} steps are marked faulty."
    )
