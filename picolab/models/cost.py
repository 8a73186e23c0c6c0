"""What a run will cost at most, before it starts; and what it did cost, beside that."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from picolab.budgets import Price
from picolab.calc.context import processed, processed_with_reuse
from picolab.context.tokens import estimate
from picolab.errors import BudgetExhausted, PicolabError
from picolab.messages import Usage
from picolab.middleware.base import Middleware
from picolab.models.catalogue import Known, find

if TYPE_CHECKING:
    from picolab.agent import Outcome
    from picolab.run import Run
    from picolab.tools.base import Tool

MARGIN = 2.0
"""A token estimate may be this much too small; the cap reckons with it."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The expected cost of a run: `steps` calls, the first reading `start` tokens, each writing `written`."""

    model: Known
    start: int
    increment: int
    steps: int
    written: int

    @property
    def read(self) -> int:
        """Input tokens of all calls together: everything is read again each time."""
        return int(processed(self.start, self.increment, self.steps))

    @property
    def dollars(self) -> float:
        """If nothing is reused from a cache."""
        return self._price.of(Usage(self.read, self.steps * self.written))

    @property
    def dollars_with_cache(self) -> float:
        """If everything that was read before is."""
        fresh = int(processed_with_reuse(self.start, self.increment, self.steps))
        return self._price.of(Usage(self.read, self.steps * self.written, self.read - fresh, fresh))

    @property
    def _price(self) -> Price:
        return self.model.price_of(self.start + self.increment * max(0, self.steps - 1))

    def __str__(self) -> str:
        return (
            f"{self.model.provider}:{self.model.name}, {self.steps} calls: about {self.read:,} tokens read and "
            f"{self.steps * self.written:,} written, ${self.dollars_with_cache:.4f} if the cache works, ${self.dollars:.4f} if it does not"
        )

    def beside(self, outcome: "Outcome") -> str:
        """What was expected and what came, line by line."""
        used = outcome.usage
        rows = [
            ("calls", f"{self.steps:,}", f"{outcome.steps:,}"),
            ("tokens read", f"{self.read:,}", f"{used.input_tokens:,}"),
            ("of those cached", "", f"{used.cache_read_tokens:,}"),
            ("tokens written", f"{self.steps * self.written:,}", f"{used.output_tokens:,}"),
            ("dollars", f"{self.dollars_with_cache:.4f}–{self.dollars:.4f}", f"{self._price.of(used):.4f}"),
        ]
        lines = [f"{name:<16}{expected:>18}{came:>12}" for name, expected, came in rows]
        return "\n".join([f"{'':<16}{'expected':>18}{'came':>12}", *lines])


def quote(
    spec: str,
    task: str,
    tools: "Sequence[Tool]" = (),
    *,
    system: str = "",
    steps: int = 10,
    observed: int = 500,
    written: int = 150,
) -> Quote:
    """What a run is expected to cost.

    Args:
        spec: the model, as `provider:name`.
        steps: model calls that it may take.
        observed: tokens that the results of one step add.
        written: tokens that the model writes in one step.

    Raises:
        PicolabError: a model whose price is not known, or a negative count.
    """
    if min(steps, observed, written) < 0:
        raise PicolabError("steps, observed and written are counts, 0 or more")
    start = estimate(len(task) + len(system)) + sum(tool.tokens for tool in tools)
    return Quote(find(spec), start, observed + written, steps, written)


class HardCap(Middleware):
    """Ends a run before the call that could cost more than is left: the worst case counts, not the usual one.

    Args:
        dollars: the most that one run may cost.
        model: the model, as the catalogue knows it.
        max_tokens: the most that one reply may write.

    Raises:
        ValueError: a negative amount.
    """

    def __init__(self, dollars: float, model: Known, max_tokens: int = 4096):
        if not dollars >= 0:
            raise ValueError(f"the cap is an amount in dollars, 0 or more, not {dollars!r}")
        self.dollars, self.model, self.max_tokens = dollars, model, max_tokens

    async def model_call(self, run: "Run", request: Any, next: Callable[..., Awaitable[Any]]) -> Any:
        reading = int(request.tokens * MARGIN)
        price = self.model.price_of(reading)
        spent = price.of(run.usage)
        worst = max(
            price.of(Usage(reading, self.max_tokens)), price.of(Usage(reading, self.max_tokens, 0, reading))
        )
        if spent + worst > self.dollars:
            raise BudgetExhausted(
                f"money: ${spent:.4f} is spent and this call could cost ${worst:.4f}, which the cap of ${self.dollars:.4f} does not allow"
            )
        return await next(run, request)
