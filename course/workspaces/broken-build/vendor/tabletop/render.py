"""Printing a table."""


def to_text(rows: list[dict[str, str]], *, columns: list[str]) -> str:
    """The named columns as aligned text, one row a line."""
    widths = {name: max(len(name), *(len(str(row[name])) for row in rows)) for name in columns}
    lines = ["  ".join(name.ljust(widths[name]) for name in columns)]
    lines += ["  ".join(str(row[name]).ljust(widths[name]) for name in columns) for row in rows]
    return "\n".join(line.rstrip() for line in lines)
