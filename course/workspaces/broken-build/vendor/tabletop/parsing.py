"""Reading a table from text."""


def parse_table(text: str, *, separator: str = ",", skip_blank: bool = True) -> list[dict[str, str]]:
    """The rows of a table whose first line names the columns."""
    lines = text.splitlines()
    if skip_blank:
        lines = [line for line in lines if line.strip()]
    if not lines:
        return []
    names = [name.strip() for name in lines[0].split(separator)]
    return [dict(zip(names, _cells(line, separator), strict=False)) for line in lines[1:]]


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in line.split(separator)]
