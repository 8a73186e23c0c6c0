"""Arithmetic on one column of a table."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """The smallest and the largest value of a column."""

    low: float
    high: float


def total(rows: Iterable[dict[str, str]], column: str) -> float:
    """The sum of a column."""
    return sum(float(row[column]) for row in rows)


def spread(rows: Iterable[dict[str, str]], column: str) -> Spread:
    """The range of values in a column."""
    values = [float(row[column]) for row in rows]
    return Spread(min(values), max(values))
