"""Figures: one way to make them, and one way to show them."""

import base64
import io
from html import escape
from typing import TYPE_CHECKING

from picolab.classroom.display import show_bundle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, which colour-blind readers can tell apart."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
STYLES = ("-", "--", "-.", ":")
STYLE = (
    "<style>.pl-figure{margin:6px 0;max-width:100%}.pl-figure img{max-width:100%;height:auto;background:#fff;"
    "border-radius:6px}.pl-figure figcaption{font:13px/1.4 var(--jp-ui-font-family,system-ui,sans-serif);"
    "color:var(--jp-ui-font-color1,#333);padding-top:4px}[data-jp-theme-light='false'] .pl-figure img{"
    "filter:invert(.88) hue-rotate(180deg)}</style>"
)


def figure(width: float = 8.4, height: float = 3.4) -> "Figure":
    """An empty figure, in inches, that belongs to nobody else: nothing global is opened or left open.

    Its margins are fixed, and leave room for a title, labels and large numbers; working them out would double the time to draw.
    """
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height))
    made.set_facecolor("white")
    made.subplots_adjust(
        left=0.72 / width, right=1 - 0.15 / width, top=1 - 0.32 / height, bottom=0.5 / height, wspace=0.24
    )
    return made


def style(index: int) -> dict:
    """Colour, marker and line of the nth series, so that none is told by colour alone."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": STYLES[index % len(STYLES)],
        "markersize": 4.5,
    }


def whole_numbers(axes: "Axes") -> None:
    """Mark only whole numbers on the horizontal axis: there is no call 2.5."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def show(figure: "Figure", *, alt: str, caption: str = "") -> None:
    """Show a figure with a description that survives export; the description is what a test compares.

    Raises:
        ValueError: there is no description.
    """
    show_bundle(f"Figure: {alt}", as_html(figure, alt=alt, caption=caption))


def as_html(figure: "Figure", *, alt: str, caption: str = "") -> str:
    """A figure as HTML that needs no other file.

    Raises:
        ValueError: there is no description.
    """
    if not alt.strip():
        raise ValueError("a figure needs alt=…: say what a reader who cannot see it would want to know")
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    data = io.BytesIO()
    FigureCanvasAgg(figure).print_figure(data, format="png", dpi=100)
    image = base64.b64encode(data.getvalue()).decode("ascii")
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    source = f"data:image/png;base64,{image}"
    return f'{STYLE}<figure class="pl-figure"><img alt="{escape(alt, quote=True)}" src="{source}">{below}</figure>'
