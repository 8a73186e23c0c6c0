"""What every widget shares: labelled inputs, a figure, the same content as text, and a way to drive it from code."""

from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from picolab.classroom.display import paragraph, show_bundle
from picolab.classroom.show import as_html

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABEL = "180px"


class Explorer:
    """A widget over one function.

    Args:
        title: what is explored.
        inputs: for each input of `compute` its label and its control: (low, high, step) for a slider, a list of
            choices for a menu, or a bool for a check box.
        values: the inputs to begin with.
        compute: from the inputs to a result; raises ValueError for inputs that make no sense.
        draw: from the result to a figure.
        tell: from the result to its text: everything that the figure shows, in words.
        alt: from the result to the figure's description in one sentence.
    """

    def __init__(
        self,
        title: str,
        inputs: Mapping[str, tuple[str, Any]],
        values: Mapping[str, Any],
        compute: Callable[..., Any],
        draw: Callable[[Any], "Figure"],
        tell: Callable[[Any], str],
        alt: Callable[[Any], str],
    ):
        self.title, self.inputs, self.values = title, dict(inputs), dict(values)
        self._compute, self._draw, self._tell, self._alt = compute, draw, tell, alt
        self._controls: dict[str, Any] = {}
        self._picture: Any = None
        self._words: Any = None
        self.result = self._compute(**self.values)

    @property
    def text(self) -> str:
        """What the figure shows, in words."""
        return self._tell(self.result)

    def set(self, **values: Any) -> "Explorer":
        """Move inputs from code; returns the explorer itself.

        Raises:
            ValueError: an input that there is not, or a value that makes no sense.
        """
        unknown = set(values) - set(self.inputs)
        if unknown:
            raise ValueError(
                f"there is no input {sorted(unknown)[0]!r}; the inputs are {', '.join(self.inputs)}"
            )
        self.result = self._compute(**(self.values | values))
        self.values |= values
        for name, value in values.items():
            if name in self._controls and self._controls[name].value != value:
                self._controls[name].value = value
        self._redraw()
        return self

    def html(self) -> str:
        """The figure and its text, without a widget."""
        return as_html(self._draw(self.result), alt=self._alt(self.result)) + self._words_html()

    def _words_html(self) -> str:
        return f"<div role='status' aria-live='polite' style='max-width:900px'>{paragraph(self.text)}</div>"

    def _ipython_display_(self) -> None:
        settings = ", ".join(f"{name}={value}" for name, value in self.values.items() if name in self.inputs)
        head = f"<strong>{escape(self.title)}</strong> <small>({escape(settings)})</small>"
        show_bundle(f"{self.title}\n{self.text}", head + self.html(), self._widget())

    def _widget(self) -> Any:
        import ipywidgets as widgets

        self._controls = {
            name: _control(label, kind, self.values[name]) for name, (label, kind) in self.inputs.items()
        }
        self._picture, self._words = widgets.HTML(), widgets.HTML()
        for name, control in self._controls.items():
            control.observe(lambda change, name=name: self._moved(name, change["new"]), names="value")
        self._redraw()
        columns = widgets.Layout(
            grid_template_columns="repeat(auto-fit, minmax(400px, 1fr))", width="100%", max_width="900px"
        )
        box = widgets.GridBox(list(self._controls.values()), layout=columns)
        return widgets.VBox(
            [widgets.HTML(f"<strong>{escape(self.title)}</strong>"), box, self._picture, self._words]
        )

    def _moved(self, name: str, value: Any) -> None:
        """A control was moved: draw anew, or say in its place why that is not possible."""
        if self.values.get(name) == value:
            return
        try:
            self.set(**{name: value})
        except ValueError as error:
            self._words.value = paragraph(f"✖ {error}")

    def _redraw(self) -> None:
        if self._picture is not None:
            self._picture.value = as_html(self._draw(self.result), alt=self._alt(self.result))
            self._words.value = self._words_html()


def _control(label: str, kind: Any, value: Any) -> Any:
    """An input with a visible label; every one takes the keyboard."""
    import ipywidgets as widgets

    style = {"description_width": LABEL}
    wide = widgets.Layout(width="98%")
    if isinstance(kind, bool):
        return widgets.Checkbox(value=value, description=label, style=style, layout=wide, indent=True)
    if isinstance(kind, list):
        return widgets.Dropdown(options=kind, value=value, description=label, style=style, layout=wide)
    low, high, step = kind
    slider = widgets.IntSlider if isinstance(step, int) else widgets.FloatSlider
    low, high = min(low, value), max(high, value)
    return slider(value=value, min=low, max=high, step=step, description=label, style=style, layout=wide)
