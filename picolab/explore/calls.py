"""When the calls of one turn ran: a bar for each, from a trace."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from picolab.events import Event, ToolFinished, ToolStarted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def spans(trace: Iterable[Event]) -> list[tuple[str, float, float, bool]]:
    """Name, beginning and end in seconds, and whether it is an error, for each call that ran, in the order of the results."""
    began, found = {}, []
    for event in trace:
        if isinstance(event, ToolStarted):
            began[event.call.id] = event.at
        elif isinstance(event, ToolFinished) and event.result.call_id in began:
            start = began[event.result.call_id]
            found.append((event.name, start, event.at, event.result.is_error))
    return sorted(found, key=lambda span: span[1])


def overlapping(trace: Iterable[Event]) -> int:
    """How many calls ran at the same time, at most."""
    found = spans(trace)
    return max((sum(s <= start < e for _, s, e, _ in found) for _, start, _, _ in found), default=0)


def calls_in_time(traces: dict[str, Iterable[Event]]) -> "Figure":
    """The calls of several runs beneath each other, each run from its own first call on."""
    from picolab.classroom.show import COLOURS, figure

    rows = [(title, *span) for title, trace in traces.items() for span in spans(trace)]
    zero: dict[str, float] = {}
    for title, _, start, _, _ in rows:
        zero[title] = min(start, zero.get(title, start))
    made = figure(8.4, 0.9 + 0.3 * len(rows))
    made.subplots_adjust(left=0.22)
    axes = made.subplots()
    for row, (title, _, start, end, failed) in enumerate(rows):
        colour = COLOURS[1] if failed else COLOURS[list(traces).index(title) * 2 % 7]
        axes.barh(
            row,
            (end - start) * 1000,
            left=(start - zero[title]) * 1000,
            color=colour,
            hatch="///" if failed else "",
            edgecolor="white",
        )
    axes.set_yticks(
        range(len(rows)),
        [title if title == name else f"{title}: {name}" for title, name, *_ in rows],
        fontsize=8,
    )
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds after the first call of the run (hatched: an error)", fontsize=9)
    axes.tick_params(labelsize=8)
    return made
