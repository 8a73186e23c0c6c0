"""Pictures of how the parts stand to each other, drawn by code."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EIGHT = {
    "policy": "what next?",
    "validation": "well-formed?",
    "authorisation": "permitted?",
    "execution": "do it",
    "observation": "what to tell?",
    "state": "what to keep?",
    "budget": "anything left?",
    "termination": "the end?",
}
"""The eight responsibilities of a harness, and the question that each one answers."""

PLACES = {
    "policy": (0, 1),
    "validation": (1, 1),
    "authorisation": (2, 1),
    "execution": (3, 1),
    "observation": (3, 0),
    "state": (2, 0),
    "budget": (1, 0),
    "termination": (0, 0),
}
BLUE, ORANGE, GREEN, INK = "#0072B2", "#E69F00", "#009E73", "#222222"
WIDTH, HEIGHT, ACROSS, DOWN = 1.5, 0.62, 2.1, 1.35
"""Box size and the distances between box centres, in the figure's own units."""


def eight_responsibilities() -> "Figure":
    """One turn of the loop: the model fills the first box, the harness the other seven."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.6, 2.9), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_xlim(-1.9, 3 * ACROSS + 0.95)
    axes.set_ylim(-1.0, DOWN + 0.5)
    for name in EIGHT:
        _box(axes, name)
    for start, end in zip([*EIGHT][:6], [*EIGHT][1:7], strict=True):
        _arrow(axes, start, end)
    _arrow(axes, "budget", "policy", label="ask again", at=(0.75 * ACROSS, DOWN * 0.55), ha="left")
    _arrow(axes, "policy", "termination", label="no calls", at=(-0.1, DOWN / 2), ha="right")
    _arrow(axes, "termination", "state", label="objection", at=(ACROSS, -0.62), ha="center", bend=0.25)
    axes.text(-1.62, 0, "stop\nstate", ha="center", va="center", size=9, style="italic", color=INK)
    axes.annotate(
        "", (-1.32, 0), (-WIDTH / 2 - 0.09, 0), arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.5}
    )
    return figure


def _centre(name: str) -> tuple[float, float]:
    column, row = PLACES[name]
    return column * ACROSS, row * DOWN


def _box(axes, name: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    x, y = _centre(name)
    colour = {"policy": ORANGE, "termination": GREEN}.get(name, BLUE)
    corner = (x - WIDTH / 2, y - HEIGHT / 2)
    style = "round,pad=0.06,rounding_size=0.12"
    axes.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, boxstyle=style, fc=colour + "22", ec=colour, lw=1.8))
    axes.text(x, y + 0.13, name, ha="center", va="center", weight="bold", color=INK)
    axes.text(x, y - 0.15, EIGHT[name], ha="center", va="center", size=9, color=INK)


def _arrow(
    axes, start: str, end: str, label: str = "", at=(0.0, 0.0), ha: str = "center", bend: float = 0.0
) -> None:
    from matplotlib.patches import FancyArrowPatch

    points = [_edge(start, end, bend), _edge(end, start, bend)]
    style = f"arc3,rad={bend}"
    axes.add_patch(
        FancyArrowPatch(
            *points, arrowstyle="-|>", mutation_scale=13, lw=1.5, color=INK, connectionstyle=style
        )
    )
    if label:
        axes.text(*at, label, ha=ha, va="center", size=9, style="italic", color=INK)


def _edge(name: str, towards: str, bend: float) -> tuple[float, float]:
    """Where an arrow touches a box: the side that faces the other box, or the underside for a bent one."""
    (x, y), (to_x, to_y) = _centre(name), _centre(towards)
    gap = 0.09
    if bend:
        return x, y - HEIGHT / 2 - gap
    if abs(to_y - y) > 0.01:
        return x + (0 if x == to_x else (0.35 if to_x > x else -0.35)), y + (1 if to_y > y else -1) * (
            HEIGHT / 2 + gap
        )
    return x + (1 if to_x > x else -1) * (WIDTH / 2 + gap), y
