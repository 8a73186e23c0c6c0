"""Every figure that the course computes: what it is, its inputs, its value, its unit, its source, its lesson."""

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from picolab.calc import context, language
from picolab.errors import PicolabError

BOOK = '"Module 18. Agents and Tool Use", Modern LLMs course, edition 2026.10.25'
M18 = f"{BOOK}, section 7"
DIB = 'Victor Dibia, "Designing with AI", posts on PicoAgents'


@dataclass(frozen=True)
class Fact:
    """One figure, computed by the function that the lesson uses."""

    id: str
    what: str
    function: Callable[..., Any]
    inputs: dict[str, Any]
    unit: str
    source: str
    lesson: str
    published: float
    """The value in the source; where it differs from ours, the lesson says why."""

    def at(self, **changed: Any) -> Any:
        """The value with some inputs changed.

        Raises:
            PicolabError: an input that this figure does not have, or a value that makes no sense.
        """
        unknown = set(changed) - set(self.inputs)
        if unknown:
            raise PicolabError(
                f"{self.id} has no input {sorted(unknown)[0]!r}; its inputs are {', '.join(self.inputs)}"
            )
        try:
            return self.function(**(self.inputs | changed))
        except (ValueError, TypeError, ZeroDivisionError, OverflowError) as error:
            raise PicolabError(f"{self.id}: {error}") from None

    @property
    def value(self) -> Any:
        return self.at()

    def as_json(self) -> dict[str, Any]:
        value = self.value
        shown = {"id": self.id, "what": self.what, "inputs": self.inputs, "value": value, "unit": self.unit}
        differs = abs(value - self.published) > 0.5 * 10 ** -_digits(self.published)
        return shown | {
            "source": self.source,
            "lesson": self.lesson,
            "published": self.published if differs else None,
        }


def _digits(number: float) -> int:
    """Decimals that a published number was given with."""
    text, _, exponent = f"{number!r}".partition("e")
    if exponent:
        return len(text.partition(".")[2]) - int(exponent)
    return len(text.partition(".")[2]) if "." in text and not text.endswith(".0") else 0


def _kv_gib(tokens: int, kib_per_token: float) -> float:
    return context.kv_bytes(tokens, kib_per_token * context.KIB) / context.GIB


def _monthly(dollars_per_run: float, runs_per_day: int, days: int) -> float:
    context._check(runs_per_day=runs_per_day, days=days)
    if not dollars_per_run >= 0:
        raise ValueError(f"dollars_per_run must be 0 or more, not {dollars_per_run!r}")
    return dollars_per_run * runs_per_day * days


RUN = {"start": 3000, "increment": 1500, "steps": 20}
LESSON = "07_context"
FACTS = [
    Fact("context.processed", "positions processed, full reprocessing", context.processed, RUN, "positions", M18, LESSON, 345_000),
    Fact("context.reused", "positions processed, prefix reused", context.processed_with_reuse, {**RUN, "broken_at": 0}, "positions", M18, LESSON, 31_500),
    Fact("context.ratio", "ratio of positions, without reuse to with", context.reuse_ratio, RUN, "1", M18, LESSON, 10.9524),
    Fact("context.history", "history after the final step", context.final_history, RUN, "tokens", M18, LESSON, 33_000),
    Fact("context.kv", "KV cache of that history", _kv_gib, {"tokens": 33_000, "kib_per_token": 128}, "GiB", M18, LESSON, 4.0283),
    Fact("context.run_cost", "tokens of one naive run at one price", context.tokens_cost, {"tokens": 120_000, "dollars_per_million": 15.0}, "USD", DIB, LESSON, 1.80),
    Fact("context.month_cost", "the same run, many times a day", _monthly, {"dollars_per_run": 1.80, "runs_per_day": 50, "days": 30}, "USD", DIB, LESSON, 2_700),
    Fact("guided.checks", "token checks of one mask per FLOP of one token: different units, no share of time", language.checks_per_flop, {"vocabulary": 150_000, "parameters": 8.03e9}, "checks/FLOP", f"{BOOK}, section 5", "03_tools", 9.34e-6),
]  # fmt: skip


def fact(id: str) -> Fact:
    """The figure with this id.

    Raises:
        PicolabError: there is none; the message has the nearest ids.
    """
    import difflib

    known = {each.id: each for each in FACTS}
    if id not in known:
        near = difflib.get_close_matches(id, known, n=3, cutoff=0.3) or list(known)
        raise PicolabError(
            f"there is no figure {id!r}; did you mean {', '.join(near)}? `picolab facts` lists all"
        )
    return known[id]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print every figure as JSON")


def run(args: argparse.Namespace) -> int:
    if args.json:
        print(json.dumps([each.as_json() for each in FACTS], ensure_ascii=False, indent=2))
        return 0
    for each in FACTS:
        shown = ", ".join(f"{name}={value}" for name, value in each.inputs.items())
        print(f"{each.id:<20} {_pretty(each.value):>12} {each.unit:<10} {each.what} ({shown})")
    return 0


def _pretty(value: Any) -> str:
    if isinstance(value, float) and 0 < abs(value) < 0.001:
        return f"{value:.3g}"
    return f"{value:,.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
