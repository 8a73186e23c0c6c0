"""Cutting a long text so that both ends survive, and saying how much was cut."""

NOTE = "\n[… {:,} of {:,} characters cut …]\n"


def cut(text: str, limit: int) -> str:
    """`text`, never longer than `limit` characters: its beginning, a note of what is missing, and its end."""
    if len(text) <= limit:
        return text
    room = limit - len(NOTE.format(len(text), len(text)))
    if room < 0:
        return text[: max(limit, 0)]
    head = room // 2
    tail = room - head
    return text[:head] + NOTE.format(len(text) - room, len(text)) + text[len(text) - tail :]
