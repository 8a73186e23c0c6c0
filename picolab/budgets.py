"""Budgets: limits on what one run may spend. A run that reaches one ends as `budget_exhausted`."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from picolab.errors import BudgetExhausted
from picolab.messages import Usage
from picolab.middleware.base import Middleware

if TYPE_CHECKING:
    from picolab.run import Run


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float | None = None
    """For tokens read from a cache; None where a provider gives no discount."""
    cache_write: float | None = None
    """For tokens stored in a cache; None where storing costs no more than reading."""

    def of(self, usage: Usage) -> float:
        """Dollars that this usage costs; tokens read from a cache, or written to it, pay that price only."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        fresh = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens
        cached = usage.cache_read_tokens * read + usage.cache_write_tokens * write
        return (fresh * self.input + cached + usage.output_tokens * self.output) / 1_000_000


@dataclass(frozen=True)
class Budget(Middleware):
    """Limits, each None for no limit. They are checked before a model call, except time, which also cuts a call short.

    Raises:
        ValueError: a limit is negative, or dollars are limited without a price.
    """

    steps: int | None = 50
    """Turns of the loop: one accepted model reply each."""
    attempts: int | None = None
    """Model calls, counting those that failed."""
    tokens: int | None = None
    """Input and output tokens over the whole run."""
    seconds: float | None = None
    dollars: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        for name in ("steps", "attempts", "tokens", "seconds", "dollars"):
            limit = getattr(self, name)
            if limit is not None and not limit >= 0:
                raise ValueError(f"the budget for {name} must be 0 or more, or None, not {limit!r}")
        if self.dollars is not None and self.price is None:
            raise ValueError(
                "a budget in dollars needs a price: Budget(dollars=…, price=Price(input=…, output=…))"
            )

    async def model_call(self, run: "Run", request: Any, next: Callable[..., Awaitable[Any]]) -> Any:
        if self.steps is not None and run.steps >= self.steps:
            raise BudgetExhausted(f"steps: all {self.steps} are used")
        if self.attempts is not None and run.attempts >= self.attempts:
            raise BudgetExhausted(f"attempts: all {self.attempts} are used")
        if self.tokens is not None and run.usage.total >= self.tokens:
            raise BudgetExhausted(f"tokens: {run.usage.total:,} of {self.tokens:,} are used")
        if self.dollars is not None and self.price.of(run.usage) >= self.dollars:
            raise BudgetExhausted(f"money: ${self.price.of(run.usage):.4f} of ${self.dollars:.4f} is spent")
        if self.seconds is not None and run.clock() >= self.seconds:
            raise BudgetExhausted(f"time: all {self.seconds:g} seconds are used")
        return await self._in_time(run, next(run, request))

    async def tool_call(self, run: "Run", invocation: Any, next: Callable[..., Awaitable[Any]]) -> Any:
        return await self._in_time(run, next(run, invocation))

    async def _in_time(self, run: "Run", work: Awaitable[Any]) -> Any:
        if self.seconds is None:
            return await work
        limit = asyncio.timeout(max(0.0, self.seconds - run.clock()))
        try:
            async with limit:
                return await work
        except TimeoutError:
            if not limit.expired():
                raise
            raise BudgetExhausted(f"time: all {self.seconds:g} seconds are used") from None
