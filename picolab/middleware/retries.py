"""Trying a model call again, when the same request may succeed later."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from picolab.errors import ModelError
from picolab.events import Noted
from picolab.middleware.base import Middleware

if TYPE_CHECKING:
    from picolab.run import Run


class Retries(Middleware):
    """Asks again after a failure that is marked as passing; every attempt is in the trace, and counts.

    Args:
        most: attempts after the first one.
        first: seconds before the second attempt, where the provider does not say; they double each time.
        longest: seconds that are worth waiting. A provider that asks for more ends the call.
    """

    def __init__(
        self,
        most: int = 2,
        first: float = 0.5,
        longest: float = 30.0,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ):
        if most < 0 or not first >= 0 or not longest >= 0:
            raise ValueError("most, first and longest must be 0 or more")
        self.most, self.first, self.longest, self._sleep = most, first, longest, sleep

    async def model_call(self, run: "Run", request: Any, next: Callable[..., Awaitable[Any]]) -> Any:
        for attempt in range(self.most + 1):
            try:
                return await next(run, request)
            except ModelError as error:
                wait = self._wait(error, attempt)
                if wait is None:
                    raise
                run.emit(Noted(run.step, run.clock(), "retries", f"again in {wait:.2g} s, after: {error}"))
                await self._sleep(wait)
        raise AssertionError("the last attempt either returned or raised")

    def _wait(self, error: ModelError, attempt: int) -> float | None:
        """Seconds before the next attempt; None for none. Half of it is chance, so that clients do not return in step."""
        if not error.retry or attempt == self.most:
            return None
        if error.wait is not None:
            return error.wait if error.wait <= self.longest else None
        return min(self.first * 2**attempt, self.longest) * random.uniform(0.5, 1.0)
