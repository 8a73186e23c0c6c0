"""The widget of module 00: step through a run, and see what each call read, wanted and learnt."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picolab.classroom.show import COLOURS, figure, whole_numbers
from picolab.events import ModelReplied, ToolFinished
from picolab.explore.base import Explorer
from picolab.timeline import call_text, gist, one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from picolab.trace import Trace


@dataclass(frozen=True)
class Moment:
    """One step of a run among all of them."""

    step: int
    tokens: list[int]
    """Tokens read by each call of the run."""
    said: str
    wanted: list[str]
    learnt: list[str]


def replay(trace: "Trace", step: int = 1) -> Explorer:
    """Step through a run.

    Args:
        trace: the run; it needs at least one model call.
        step: the step to begin with, counted from 1.

    Raises:
        ValueError: the trace holds no model call.
    """
    tokens = trace.tokens_per_call()
    if not tokens:
        raise ValueError("this trace holds no model call, so there is nothing to step through")

    def compute(step: int) -> Moment:
        replies = [event for event in trace if isinstance(event, ModelReplied) and event.step == step]
        results = [event for event in trace if isinstance(event, ToolFinished) and event.step == step]
        reply = replies[-1].reply if replies else None
        wanted = [call_text(call, 110) for call in reply.calls] if reply else []
        learnt = [
            ("✖ " if e.result.is_error else "") + one_line(gist(e.result.content), 140) for e in results
        ]
        return Moment(step, tokens, one_line(reply.text, 300) if reply else "", wanted, learnt)

    inputs = {"step": ("step", (1, max(2, len(tokens)), 1))}
    return Explorer("Step through the run", inputs, {"step": step}, compute, draw, tell, alt)


def draw(moment: Moment) -> "Figure":
    """Tokens read by each call, the present one marked."""
    made = figure(8.4, 2.2)
    axes = made.subplots()
    calls = range(1, len(moment.tokens) + 1)
    bars = axes.bar(calls, moment.tokens, color=COLOURS[5])
    if moment.step <= len(moment.tokens):
        bars[moment.step - 1].set_color(COLOURS[1])
        axes.annotate(
            "▼ here", (moment.step, moment.tokens[moment.step - 1]), ha="center", va="bottom", fontsize=8
        )
    axes.set_ylim(0, max(moment.tokens) * 1.2)
    whole_numbers(axes)
    axes.set_xlabel("step", fontsize=9)
    axes.set_title("tokens that the model read in each step", fontsize=10)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.tick_params(labelsize=8)
    return made


def tell(moment: Moment) -> str:
    """What the model read, said, wanted and learnt in this step."""
    if moment.step > len(moment.tokens):
        return f"The run ended before step {moment.step}."
    lines = [
        f"Step {moment.step} of {len(moment.tokens)}. The model read about {moment.tokens[moment.step - 1]:,} tokens."
    ]
    lines += [f"It said: {moment.said}"] if moment.said else []
    lines += [f"It wanted: {wanted}" for wanted in moment.wanted[:4]]
    lines += [f"… and {len(moment.wanted) - 4} more calls"] if len(moment.wanted) > 4 else []
    lines += [f"It learnt: {learnt}" for learnt in moment.learnt[:4]]
    return "\n".join(lines)


def alt(moment: Moment) -> str:
    """The figure in one sentence."""
    return (
        f"Bar chart of the tokens read in each of {len(moment.tokens)} steps, from {moment.tokens[0]:,} to {moment.tokens[-1]:,}; "
        f"step {moment.step} is marked."
    )
