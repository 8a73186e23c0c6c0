"""Changing a text by position, and the smallest edits that turn one text into another."""

import ast
import bisect
import difflib
from collections.abc import Iterable

Span = tuple[int, int]
"""Start and end of a piece of text, in characters."""


class Positions:
    """Turns the positions that `ast` gives (lines, and columns in UTF-8 bytes) into offsets in a text."""

    def __init__(self, text: str):
        self.text = text
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        """Offset of a line counted from 1 and a column counted in bytes from 0."""
        if line > len(self._lines):
            return len(self.text)
        before = self._lines[line - 1].encode("utf-8", "surrogatepass")[:column]
        mark = 1 if line == 1 and self.text.startswith("\ufeff") else 0
        return self._starts[line - 1] + len(before.decode("utf-8", "ignore")) + mark

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, as `ast` counts them, of an offset."""
        line = bisect.bisect_right(self._starts, offset) - 1
        line = min(line, len(self._lines) - 1)
        return line + 1, len(self.text[self._starts[line] : offset].encode("utf-8", "surrogatepass"))

    def span(self, node: ast.AST) -> Span:
        """Where a node stands."""
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def attribute(self, node: ast.Attribute) -> Span:
        """Where the name after the dot stands."""
        end = self.offset(node.end_lineno, node.end_col_offset)
        return end - len(node.attr), end


def replace_spans(text: str, changes: Iterable[tuple[Span, str]]) -> str:
    """The text with pieces replaced; a change that overlaps an earlier one in the text is dropped."""
    parts, at = [], 0
    for (start, end), new in sorted(set(changes)):
        if start < at:
            continue
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def edits_between(old: str, new: str) -> list[tuple[str, str]]:
    """Pairs of old and new pieces; made in turn, each old piece standing exactly once, they turn `old` into `new`."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    blocks = [
        op
        for op in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if op[0] != "equal"
    ]
    edits, text = [], old
    for _, i1, i2, j1, j2 in reversed(blocks):
        piece = _grown(text, before, i1, i2)
        if piece is None:
            return [(old, new)]
        head, tail = piece
        old_piece = "".join(before[i1 - head : i2 + tail])
        new_piece = "".join([*before[i1 - head : i1], *after[j1:j2], *before[i2 : i2 + tail]])
        text = text.replace(old_piece, new_piece)
        edits.append((old_piece, new_piece))
    return edits if text == new else [(old, new)]


def _grown(text: str, lines: list[str], start: int, end: int) -> tuple[int, int] | None:
    """How many lines of context before and after make a piece stand only once; None if none do."""
    for context in range(len(lines) + 1):
        head, tail = min(context, start), min(context, len(lines) - end)
        piece = "".join(lines[start - head : end + tail])
        if piece and text.count(piece) == 1:
            return head, tail
    return None
