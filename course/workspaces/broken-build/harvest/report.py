"""The report that is pinned to the shed door."""

from tabletop.output import to_text

from harvest.sheets import COLUMNS, deliveries
from harvest.statistics import lightest_and_heaviest


def report(sheet: str) -> str:
    """A table of all deliveries, and the range of their weights."""
    rows = deliveries(sheet)
    if not rows:
        return "Nothing was delivered this week."
    low, high = lightest_and_heaviest(sheet)
    return f"{to_text(rows, columns=COLUMNS)}\n\nfrom {low:g} to {high:g} kilos"
