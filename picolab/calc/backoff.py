"""Retries of many clients after an outage: when they come back, and how many at once.

Source of the method: Marc Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Comeback:
    """What a server sees of its clients' retries."""

    arrivals: "np.ndarray"
    """Seconds after the outage began of each attempt, all clients together, in no order."""
    gave_up: int
    """Clients whose last attempt still fell into the outage."""

    def busiest(self, window: float = 0.1) -> int:
        """The most attempts that arrive within one window of so many seconds, the first attempt of all left out."""
        import numpy as np

        later = np.sort(self.arrivals[self.arrivals > 0])
        if not later.size:
            return 0
        ends = np.searchsorted(later, later + window, side="left")
        return int((ends - np.arange(later.size)).max())


def comeback(
    clients: int, retries: int, first: float, outage: float, jitter: bool, seed: int = 0
) -> Comeback:
    """Play through an outage of `outage` seconds that begins as every client asks for the first time.

    Args:
        clients: how many there are.
        retries: attempts after the first one, each twice as long after the last as that was.
        first: seconds before the first retry.
        jitter: whether each wait is drawn evenly from its upper half, or is the same for all.

    Raises:
        ValueError: a negative number, or no clients.
    """
    import numpy as np

    if clients < 1 or retries < 0 or not first >= 0 or not outage >= 0:
        raise ValueError("clients must be 1 or more, and retries, first and outage 0 or more")
    rng = np.random.default_rng(seed)
    waits = first * 2.0 ** np.arange(retries) * np.ones((clients, 1))
    if jitter:
        waits *= rng.uniform(0.5, 1.0, waits.shape)
    at = np.concatenate([np.zeros((clients, 1)), np.cumsum(waits, axis=1)], axis=1)
    failed_before = np.concatenate([np.zeros((clients, 1), bool), (at < outage)[:, :-1]], axis=1)
    made = np.logical_and.accumulate(failed_before | (np.arange(retries + 1) == 0), axis=1)
    return Comeback(at[made], int((at < outage).all(axis=1).sum()))
