"""How the context of an agent grows, and what that costs: closed forms, and a simulation that agrees with them.

A run makes `steps` model calls. The first reads `start` tokens (system prompt, tool definitions, task); before each later
one, `increment` tokens are appended. Everything here counts; nothing measures time. Quantities may be NumPy arrays of one
shape, and then so are results.

Source of the formulas and of the numbers in the facts: "Module 18. Agents and Tool Use" (Modern LLMs course, edition
2026.10.25), section 7.
"""

import math
from typing import Any

from picolab.budgets import Price

KIB, GIB = 1024, 1024**3
OBSERVED = (888, 3_400, 8_900, 14_200, 18_900)
"""Tokens per iteration of one naive research run. Source: Victor Dibia, "Designing with AI", on PicoAgents."""


def inputs(start: int, increment: int, steps: int) -> list[int]:
    """Tokens that each call reads, in order.

    Raises:
        ValueError: a negative or fractional count.
    """
    _check(start=start, increment=increment, steps=steps)
    return [start + increment * i for i in range(steps)]


def processed(start: Any, increment: Any, steps: Any) -> Any:
    """Positions processed when every call reads everything again: n·start + increment·n(n-1)/2."""
    _check(start=start, increment=increment, steps=steps)
    return steps * start + increment * steps * (steps - 1) // 2


def processed_with_reuse(start: Any, increment: Any, steps: Any, broken_at: int = 0) -> Any:
    """Positions processed when the unchanged prefix is reused: start + increment·(n-1).

    Args:
        broken_at: the call, counted from 1, at which the prefix changes, so that all of its input is read anew;
            0 for never. The first call has nothing to reuse, so breaking it changes nothing.
    """
    _check(start=start, increment=increment, steps=steps, broken_at=broken_at)
    whole = (start + increment * (steps - 1)) * _some(steps)
    lost = start + increment * (broken_at - 2) if broken_at > 1 else 0
    return whole + (lost * (_as_number(steps >= broken_at)) if broken_at > 1 else 0)


def simulate(start: int, increment: int, steps: int, reuse: bool = True, broken_at: int = 0) -> list[int]:
    """Positions processed in each call, by playing the run through one call at a time."""
    _check(start=start, increment=increment, steps=steps, broken_at=broken_at)
    history, held, work = start, 0, []
    for call in range(1, steps + 1):
        if call > 1:
            history += increment
        if not reuse or call == broken_at:
            held = 0
        work.append(history - held)
        held = history
    return work


def reuse_ratio(start: Any, increment: Any, steps: Any) -> Any:
    """How many times more positions are processed without reuse. A ratio of counts: not of attention work, not of time."""
    return processed(start, increment, steps) / processed_with_reuse(start, increment, steps)


def final_history(start: Any, increment: Any, steps: Any) -> Any:
    """Tokens after the last step: its own increment was never part of an input."""
    _check(start=start, increment=increment, steps=steps)
    return start + increment * steps


def kv_bytes(tokens: Any, bytes_per_token: Any = 128 * KIB) -> Any:
    """Bytes of keys and values that a history of so many tokens holds."""
    _check(tokens=tokens, bytes_per_token=bytes_per_token)
    return tokens * bytes_per_token


def attention_pairs(start: int, increment: int, steps: int, reuse: bool = True) -> int:
    """Pairs of positions that causal attention compares over the whole run.

    A position at place p attends to p positions. With reuse only new positions attend, but each still attends to the
    whole history before it: the quadratic term stays.
    """
    total, held = 0, 0
    for length in inputs(start, increment, steps):
        first = held if reuse else 0
        total += length * (length + 1) // 2 - first * (first + 1) // 2
        held = length
    return total


def cost(
    start: int,
    increment: int,
    steps: int,
    price: Price,
    *,
    output: int = 0,
    reuse: bool = True,
    broken_at: int = 0,
    write_premium: float = 1.0,
    expires_before: int = 0,
) -> float:
    """Dollars for a run.

    Args:
        price: dollars per million tokens.
        output: tokens that each call writes.
        reuse: whether a prefix seen before is read from the provider's cache.
        broken_at: the call at which the prefix changes; 0 for never.
        write_premium: what a token costs that is stored in the cache, as a multiple of the input price.
        expires_before: the call before which the cache has expired, as after a long tool; 0 for never.
    """
    _check(output=output, expires_before=expires_before)
    if not (math.isfinite(write_premium) and write_premium >= 0):
        raise ValueError(f"write_premium is a multiple of the input price, 0 or more, not {write_premium!r}")
    broken = expires_before if expires_before > 1 else broken_at
    dollars = 0.0
    for length, fresh in zip(
        inputs(start, increment, steps), simulate(start, increment, steps, reuse, broken), strict=True
    ):
        premium, cached = (
            write_premium if reuse else 1.0,
            price.input if price.cache_read is None else price.cache_read,
        )
        dollars += fresh * price.input * premium + (length - fresh) * cached + output * price.output
    return dollars / 1_000_000


def tokens_cost(tokens: Any, dollars_per_million: Any) -> Any:
    """Dollars for so many tokens at one price."""
    _check(tokens=tokens)
    return tokens * dollars_per_million / 1_000_000


def common_prefix(first: str, second: str) -> int:
    """Characters at the beginning that two requests share: the most that a cache could reuse."""
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return at
    return min(len(first), len(second))


def _check(**counts: Any) -> None:
    """Refuse what is no count: negative, fractional, not finite, or no number at all."""
    for name, value in counts.items():
        bad = _bad(value)
        if bad:
            raise ValueError(f"{name} is a count, so it must be {bad}, not {value!r}")


def _bad(value: Any) -> str:
    if hasattr(value, "dtype"):
        if value.dtype.kind not in "iu":
            return "whole numbers"
        return "0 or more" if (value < 0).any() else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "a number"
    if not math.isfinite(value) or value != int(value):
        return "a whole number"
    return "0 or more" if value < 0 else ""


def _some(steps: Any) -> Any:
    """1 where there is at least one step, 0 where there is none."""
    return _as_number(steps > 0)


def _as_number(condition: Any) -> Any:
    return condition.astype(int) if hasattr(condition, "astype") else int(condition)
