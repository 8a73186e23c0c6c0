"""What the weights of a week look like."""

import tabletop

from harvest.sheets import deliveries


def lightest_and_heaviest(sheet: str) -> tuple[float, float]:
    """The smallest and the largest delivery, in kilos."""
    low, high = tabletop.spread(deliveries(sheet), "kilos")
    return low, high


def unevenness(sheet: str) -> float:
    """How many times heavier the largest delivery is than the smallest."""
    ends = tabletop.spread(deliveries(sheet), "kilos")
    return round(ends[1] / ends[0], 2)
