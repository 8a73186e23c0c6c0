"""tabletop: small tables, read from text and summed by column."""

from tabletop.columns import Spread, spread, total
from tabletop.parsing import parse_table
from tabletop.render import to_text

__version__ = "2.0.0"
__all__ = ["Spread", "parse_table", "spread", "to_text", "total"]
