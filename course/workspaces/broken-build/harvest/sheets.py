"""Harvest sheets: one line a delivery, columns separated by semicolons."""

from tabletop import read_table, total

COLUMNS = ["bed", "crop", "kilos"]


def deliveries(sheet: str) -> list[dict[str, str]]:
    """The deliveries on a sheet; a line without a weight is not one."""
    rows = read_table(sheet, delimiter=";")
    return [row for row in rows if row.get("kilos")]


def kilos_of(sheet: str, crop: str) -> float:
    """How many kilos of one crop were delivered."""
    return total([row for row in deliveries(sheet) if row["crop"] == crop], "kilos")
