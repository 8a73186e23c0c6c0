"""The widget of module 02: many clients, one outage, and the moment when all of them come back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picolab.calc.backoff import Comeback, comeback
from picolab.classroom.show import COLOURS, figure
from picolab.explore.base import Explorer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INPUTS = {
    "clients": ("clients", (10, 1_000, 10)),
    "retries": ("retries each", (0, 8, 1)),
    "first": ("first wait, seconds", (0.1, 3.0, 0.1)),
    "outage": ("outage, seconds", (0.0, 20.0, 0.5)),
    "jitter": ("half of each wait is chance", True),
}


@dataclass(frozen=True)
class Storm:
    """One setting, and what came of it."""

    result: Comeback
    clients: int
    outage: float
    jitter: bool


def storm(
    clients: int = 200, retries: int = 5, first: float = 0.5, outage: float = 5.0, jitter: bool = False
) -> Explorer:
    """Explore how clients come back after an outage.

    Args:
        clients: how many ask at the moment in which the outage begins.
        retries: attempts of each after the first one.
        first: seconds before the first retry; each later wait is twice as long.
        outage: seconds for which every attempt fails.
        jitter: whether half of each wait is chance.
    """
    values = {"clients": clients, "retries": retries, "first": first, "outage": outage, "jitter": jitter}
    return Explorer("The moment when everybody comes back", INPUTS, values, play, draw, tell, alt)


def play(clients: int, retries: int, first: float, outage: float, jitter: bool) -> Storm:
    """Play one outage through."""
    return Storm(comeback(clients, retries, first, outage, jitter), clients, outage, jitter)


def draw(seen: Storm) -> "Figure":
    """Attempts by the tenth of a second; those that fall into the outage are hatched."""
    import numpy as np

    made = figure(8.4, 2.9)
    axes = made.subplots()
    last = max(float(seen.result.arrivals.max()), seen.outage, 1.0)
    edges = np.arange(0, last + 0.2, max(0.1, last / 200))
    counts, _ = np.histogram(seen.result.arrivals, edges)
    middle, width = edges[:-1], edges[1] - edges[0]
    inside = middle < seen.outage
    axes.bar(
        middle[inside],
        counts[inside],
        width,
        align="edge",
        color=COLOURS[1],
        hatch="///",
        edgecolor="white",
        linewidth=0,
    )
    axes.bar(middle[~inside], counts[~inside], width, align="edge", color=COLOURS[0])
    axes.axvspan(0, seen.outage, color=COLOURS[1], alpha=0.10, linewidth=0)
    if seen.outage:
        axes.annotate(
            "outage", (seen.outage / 2, 0.92), xycoords=("data", "axes fraction"), ha="center", fontsize=9
        )
    axes.set_xlim(0, last + width)
    axes.set_ylim(0, max(1, counts.max()) * 1.15)
    axes.set_xlabel("seconds after the outage began (hatched: attempts that fail)", fontsize=9)
    axes.set_ylabel("attempts", fontsize=9)
    axes.tick_params(labelsize=8)
    return made


def tell(seen: Storm) -> str:
    """The widget's content in words."""
    result = seen.result
    return (
        f"{seen.clients:,} clients made {result.arrivals.size:,} attempts; {result.gave_up:,} gave up before the outage ended.\n"
        f"At the busiest moment {result.busiest():,} retries arrived within a tenth of a second."
    )


def alt(seen: Storm) -> str:
    """The figure in one sentence."""
    shape = "spread out" if seen.jitter else "in a few spikes that hold every client"
    return (
        f"Attempts over time around an outage of {seen.outage:g} seconds, {shape}; {seen.result.gave_up:,} of "
        f"{seen.clients:,} clients gave up, and at most {seen.result.busiest():,} retries came within a tenth of a second."
    )
