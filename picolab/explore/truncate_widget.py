"""The widget of module 03: a test log, a limit, and what the model still sees."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picolab.classroom.show import COLOURS, figure
from picolab.explore.base import Explorer
from picolab.tools.cut import cut

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INPUTS = {
    "limit": ("characters the model gets", (0, 5_000, 50)),
    "head": ("share for the beginning", (0.0, 1.0, 0.05)),
}
MARKED = {
    "command": "$ pytest -x orders/",
    "first error": "E       TypeError: Client.get() got an unexpected keyword argument 'retries'",
    "last line": "1 failed, 76 passed in 4.21s",
}
"""The lines of the log that somebody who repairs it needs."""


def log() -> list[str]:
    """A made-up test log of 90 lines: the command first, the cause in the middle, the outcome last."""
    lines = [
        f"orders/test_{name}.py::test_case_{n:02} PASSED" for name in ("cart", "price") for n in range(22)
    ]
    trace = [f"    orders/{name}.py:{n * 7}: in {name}_{n}" for name in ("api", "http") for n in range(5)]
    rest = [f"DeprecationWarning: option {n} of the client is going away, see the manual" for n in range(33)]
    return [
        MARKED["command"],
        *lines,
        *trace[:5],
        MARKED["first error"],
        *trace[5:],
        *rest,
        MARKED["last line"],
    ]


@dataclass(frozen=True)
class Seen:
    """What is left of the log under one setting."""

    lines: list[str]
    kept: list[bool]
    """For each line of the log, whether the model sees all of it."""
    marked: dict[str, bool]
    text: str
    limit: int


def truncate(limit: int = 2_000, head: float = 0.5) -> Explorer:
    """Explore what a cut leaves of a test log.

    Args:
        limit: characters that reach the model.
        head: share of them that goes to the beginning, from 0 to 1.
    """
    return Explorer(
        "What the model still sees", INPUTS, {"limit": limit, "head": head}, shorten, draw, tell, alt
    )


def shorten(limit: int, head: float) -> Seen:
    """Cut the log.

    Raises:
        ValueError: a negative limit, or a share outside 0 to 1.
    """
    if limit < 0:
        raise ValueError(f"limit must be 0 or more characters, not {limit}")
    lines = log()
    left = cut("\n".join(lines), limit, head)
    present = set(left.split("\n"))
    kept = [line in present for line in lines]
    return Seen(lines, kept, {name: line in present for name, line in MARKED.items()}, left, limit)


def draw(seen: Seen) -> "Figure":
    """One bar a line, as long as the line: what is kept, what is cut, and the lines that matter."""
    made = figure(8.4, 3.0)
    axes = made.subplots()
    at = range(1, len(seen.lines) + 1)
    lengths = [len(line) for line in seen.lines]
    bars = axes.bar(at, lengths, width=0.9)
    for bar, kept in zip(bars, seen.kept, strict=True):
        bar.set_facecolor(COLOURS[0] if kept else "#d9d9d9")
        bar.set_hatch("" if kept else "////")
        bar.set_edgecolor("white")
    top = max(lengths) * 1.45
    for name, line in MARKED.items():
        place = seen.lines.index(line) + 1
        colour, mark = (COLOURS[2], "✔") if seen.marked[name] else (COLOURS[1], "✖")
        bars[place - 1].set_facecolor(colour)
        side = "left" if place < 20 else "right" if place > len(seen.lines) - 20 else "center"
        axes.annotate(
            f"{mark} {name}",
            (place, len(line)),
            (place, top * 0.88),
            fontsize=9,
            ha=side,
            color=colour,
            weight="bold",
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 1, "relpos": (0.5, 0)}
            | ({"relpos": (0, 0)} if side == "left" else {"relpos": (1, 0)} if side == "right" else {}),
        )
    axes.set_ylim(0, top)
    axes.set_xlim(0, len(seen.lines) + 1)
    axes.set_xlabel("line of the log (grey and hatched: cut)", fontsize=9)
    axes.set_ylabel("characters", fontsize=9)
    axes.set_title(f"{sum(seen.kept)} of {len(seen.lines)} lines reach the model", fontsize=10)
    axes.tick_params(labelsize=8)
    return made


def tell(seen: Seen) -> str:
    """The widget's content in words."""
    whole = sum(map(len, seen.lines)) + len(seen.lines) - 1
    there = [name for name, is_there in seen.marked.items() if is_there]
    gone = [name for name, is_there in seen.marked.items() if not is_there]
    return (
        f"The log has {whole:,} characters; the model gets {len(seen.text):,}: {sum(seen.kept)} of {len(seen.lines)} whole lines.\n"
        f"It sees: {', '.join(there) or 'none of the lines that matter'}. Cut: {', '.join(gone) or 'none of the lines that matter'}."
    )


def alt(seen: Seen) -> str:
    """The figure in one sentence."""
    fate = ", ".join(f"{name} {'kept' if there else 'cut'}" for name, there in seen.marked.items())
    return f"A bar for each of {len(seen.lines)} log lines, {sum(seen.kept)} of them kept; {fate}."
