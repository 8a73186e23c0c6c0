"""Showing things so that they can be read everywhere: as text, as HTML, and as a widget where a kernel is alive."""

from html import escape
from typing import Any

WIDGET = "application/vnd.jupyter.widget-view+json"
CARD = (
    "font:14px/1.5 var(--jp-ui-font-family,system-ui,sans-serif);color:var(--jp-ui-font-color1,#1b1b1b);"
    "border-left:4px solid {colour};padding:6px 12px;margin:4px 0;max-width:900px"
)
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"


def show_bundle(text: str, html: str, widget: Any = None) -> None:
    """Display one thing in every form it has; a front end takes the richest it can show.

    Args:
        text: what it says, in words; compared when the notebook is tested.
        html: the same, for a page without a kernel.
        widget: an ipywidget that shows it live.
    """
    from IPython.display import display

    bundle: dict[str, Any] = {"text/plain": text, "text/html": html}
    if widget is not None:
        bundle[WIDGET] = {"model_id": widget._model_id, "version_major": 2, "version_minor": 0}
    display(bundle, raw=True)


def card(html: str, colour: str = BLUE) -> str:
    """HTML with a coloured edge, legible on light and dark."""
    return f"<div style='{CARD.format(colour=colour)}'>{html}</div>"


def paragraph(text: str) -> str:
    """Text as one HTML paragraph, its line ends kept."""
    return f"<p style='margin:2px 0'>{escape(text)}</p>".replace("\n", "<br>")
