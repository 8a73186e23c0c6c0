"""What a lesson asks of its reader, and how it keeps its own word."""

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from html import escape
from typing import Any

from picolab.classroom import course
from picolab.classroom.display import BLUE, GREEN, ORANGE, card, paragraph, show_bundle
from picolab.events import Event

# Recall, predict, reveal --------------------------------------------------------------------------------------------


def recall(question: str, choices: Sequence[str], answer: str, why: str = "") -> None:
    """Ask something from an earlier lesson; the answer unfolds, and a choice is judged at once.

    Raises:
        ValueError: the answer is not among the choices.
    """
    if answer not in choices:
        raise ValueError(f"the answer {answer!r} is not among the choices {list(choices)}")
    told = paragraph(f"{answer}. {why}".strip())
    options = "".join(f"<li>{escape(choice)}</li>" for choice in choices)
    html = card(
        f"<strong>Recall.</strong> {escape(question)}<ul style='margin:2px 0'>{options}</ul>"
        f"<details><summary>Answer</summary>{told}</details>"
    )

    def judge(chosen: str) -> str:
        mark, colour = ("✔ Yes. ", GREEN) if chosen == answer else ("✖ Not that one. ", ORANGE)
        return card(
            paragraph(mark + (why if chosen == answer else "Try another.")),
            colour,
        )

    show_bundle(
        f"Recall. {question} ({' / '.join(choices)})", html, _choice(f"Recall. {question}", choices, judge)
    )


def predict(key: str, question: str, choices: Sequence[str] = (), mine: Any = None) -> None:
    """Ask for a prediction and store it, before the lesson shows what happens.

    Args:
        key: names the prediction; `reveal` takes the same.
        question: what to predict.
        choices: what may be predicted; any text or number if there are none.
        mine: a prediction made in code instead of by hand.
    """
    if mine is not None:
        _store(key, str(mine))
    options = "".join(f"<li>{escape(choice)}</li>" for choice in choices)
    hint = "Choose before you go on." if choices else f"Write it in code: predict({key!r}, …, mine=…)"
    html = card(
        f"<strong>Predict.</strong> {escape(question)}<ul style='margin:2px 0'>{options}</ul><small>{escape(hint)}</small>",
        ORANGE,
    )

    def keep(chosen: str) -> str:
        _store(key, chosen)
        return card(paragraph(f"Stored: {chosen}. You will see what happens further down."), GREEN)

    live = (
        _choice(f"Predict. {question}", choices, keep, chosen=_read().get(key))
        if choices
        else _field(question, keep)
    )
    show_bundle(f"Predict. {question}" + (f" ({' / '.join(choices)})" if choices else ""), html, live)


def reveal(key: str, value: Any, why: str = "") -> None:
    """Show what happened beside what was predicted."""
    mine = _read().get(key)
    if mine is None:
        said, colour = (
            "You made no prediction. Guessing first is what makes the answer stick: scroll up and try.",
            BLUE,
        )
    elif mine.strip().casefold() == str(value).strip().casefold():
        said, colour = f"✔ You predicted {mine}, and so it is.", GREEN
    else:
        said, colour = f"✖ You predicted {mine}.", ORANGE
    text = f"What happened: {value}. {why}".strip()
    folded = f"<details><summary><strong>What happened</strong></summary>{paragraph(f'{value}. {why}')}{paragraph(said)}</details>"
    show_bundle(f"{text}\n{said}", card(folded, colour))


def _choice(
    question: str, choices: Sequence[str], react: Callable[[str], str], chosen: str | None = None
) -> Any:
    """A question with buttons that the keyboard reaches."""
    import ipywidgets as widgets

    words = widgets.HTML(card(f"<strong>{escape(question)}</strong>"))
    start = chosen if chosen in choices else None
    buttons = widgets.RadioButtons(options=list(choices), value=start, layout=widgets.Layout(width="auto"))
    answer = widgets.HTML(react(chosen) if start else "")

    def changed(change: dict[str, Any]) -> None:
        if change["new"] is not None:
            answer.value = react(change["new"])

    buttons.observe(changed, names="value")
    return widgets.VBox([words, buttons, answer])


def _field(question: str, react: Callable[[str], str]) -> Any:
    """A question with a field to write in; Enter stores."""
    import ipywidgets as widgets

    field, answer = (
        widgets.Text(placeholder="your prediction, then Enter", continuous_update=False),
        widgets.HTML(""),
    )

    def changed(change: dict[str, Any]) -> None:
        if change["new"].strip():
            answer.value = react(change["new"].strip())

    field.observe(changed, names="value")
    return widgets.VBox(
        [widgets.HTML(card(f"<strong>Predict.</strong> {escape(question)}", ORANGE)), field, answer]
    )


def _read() -> dict[str, str]:
    path = course.state() / "predictions.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {str(k): str(v) for k, v in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError):
        with suppress(OSError):
            path.rename(path.with_name(f"predictions-damaged-{time.strftime('%Y%m%d-%H%M%S')}.json"))
        return {}


def _store(key: str, value: str) -> None:
    kept = _read() | {key: value}
    folder = course.state()
    folder.mkdir(parents=True, exist_ok=True)
    staged = folder / f"predictions.{os.getpid()}.partial"
    staged.write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
    staged.replace(folder / "predictions.json")


# Keeping its word ---------------------------------------------------------------------------------------------------


def said(text: str, value: Any) -> str:
    """Assert that a number or phrase used in the prose is what the lesson computed; returns the text.

    A number agrees to the digits that are written: "10.95" agrees with 10.9524, and "1.35 %" with 0.0135.

    Raises:
        AssertionError: they do not agree; the message has both.
    """
    if isinstance(value, str):
        agrees = text == value
    else:
        number = re.search(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", text.replace("\u202f", ""))
        if number is None:
            raise AssertionError(f"{text!r} has no number to compare with {value!r}")
        digits = number[0].replace(",", "")
        scale = 0.01 if "%" in text else 1.0
        mantissa, _, exponent = digits.partition("e")
        step = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) * scale
        agrees = abs(float(digits) * scale - float(value)) <= step / 2 * (1 + 1e-9)
    if not agrees:
        raise AssertionError(
            f"the text says {text!r}, but the lesson computed {value!r}; one of them is wrong"
        )
    return text


def compare(
    yours: Callable, ours: Callable, on: Iterable[Any], same: Callable[[Any], Any] = lambda value: value
) -> None:
    """Run two functions on the same inputs and show both; `same` says what of each result has to agree.

    Raises:
        AssertionError: they disagree; the message has the input and both results.
    """
    rows = []
    for case in on:
        arguments = case if isinstance(case, tuple) else (case,)
        first, second = same(yours(*arguments)), same(ours(*arguments))
        rows.append((case, first, second))
        if first != second:
            raise AssertionError(f"on {case!r} yours gives {first!r} and picolab's {second!r}")
    text = "\n".join(f"{_short(case)}: {_short(first)} = {_short(second)}" for case, first, second in rows)
    cells = "".join(
        f"<tr><td>{escape(_short(case))}</td><td>{escape(_short(first))}</td><td>{escape(_short(second))}</td></tr>"
        for case, first, second in rows
    )
    head = "<tr><th>input</th><th>yours</th><th>picolab's</th></tr>"
    show_bundle(
        f"{text}\nall {len(rows)} agree", f"<table>{head}{cells}</table><p>✔ all {len(rows)} agree</p>"
    )


def same_events(mine: Iterable[Event], theirs: Iterable[Event]) -> None:
    """Assert that two runs did the same things in the same order; times and step numbers may differ.

    The start and the stop of a run are left out: a loop without a front door has neither.

    Raises:
        AssertionError: they differ; the message names the first event that does.
    """
    first, second = [_gist(e) for e in mine if _counts(e)], [_gist(e) for e in theirs if _counts(e)]
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            raise AssertionError(f"event {at}: yours is {one}, picolab's is {other}")
    if len(first) != len(second):
        raise AssertionError(f"yours has {len(first)} events, picolab's has {len(second)}")
    print(f"✔ the same {len(first)} events, in the same order")


def _counts(event: Event) -> bool:
    return event.kind not in ("run_started", "run_stopped")


def _gist(event: Event) -> tuple:
    parts: tuple[Any, ...] = ()
    if event.kind == "model_replied":
        parts = tuple(event.reply.parts)
    elif event.kind == "tool_started":
        parts = (event.call,)
    elif event.kind == "tool_finished":
        parts = (event.name, event.result)
    return (event.kind, *parts)


def side_by_side(first: str, second: str, titles: tuple[str, str] = ("one", "other")) -> None:
    """Two texts beside each other."""
    columns = "".join(
        f"<div style='flex:1 1 300px;min-width:0'><strong>{escape(title)}</strong>"
        f"<pre style='white-space:pre-wrap;overflow-wrap:anywhere'>{escape(text)}</pre></div>"
        for title, text in zip(titles, (first, second), strict=True)
    )
    text = "\n".join(f"{title}:\n{body}" for title, body in zip(titles, (first, second), strict=True))
    show_bundle(text, f"<div style='display:flex;flex-wrap:wrap;gap:16px'>{columns}</div>")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
