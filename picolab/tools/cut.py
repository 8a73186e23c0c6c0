"""Cutting a long text so that both ends survive, and saying how much was cut."""

NOTE = "\n[… {:,} of {:,} characters cut …]\n"


def cut(text: str, limit: int, head: float = 0.5) -> str:
    """`text`, never longer than `limit` characters: its beginning, a note of what is missing, and its end.

    Lines stay whole where that costs at most half of either end.

    Args:
        head: the share of the room that the beginning gets, from 0 to 1.

    Raises:
        ValueError: `head` is not a share.
    """
    if not 0 <= head <= 1:
        raise ValueError(f"head is the share of the room for the beginning, from 0 to 1, not {head}")
    if len(text) <= limit:
        return text
    room = limit - len(NOTE.format(len(text), len(text)))
    if room < 0:
        return text[: max(limit, 0)]
    end = round(room * head)
    start = len(text) - (room - end)
    end, start = _line_end(text, end), _line_start(text, start)
    return text[:end] + NOTE.format(start - end, len(text)) + text[start:]


def _line_end(text: str, end: int) -> int:
    """The last line end before `end`, unless more than half would be lost."""
    found = text.rfind("\n", end // 2, end + 1)
    return end if found < 0 else found


def _line_start(text: str, start: int) -> int:
    """The first line start from `start` on, unless more than half would be lost."""
    found = text.find("\n", max(start - 1, 0), start + (len(text) - start) // 2)
    return start if found < 0 else found + 1
