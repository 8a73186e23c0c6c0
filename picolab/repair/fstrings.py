"""Where the expressions inside f-strings stand. Before Python 3.12 `ast` places them wrongly."""

import ast
import sys

from picolab.repair.editing import Positions

TRUSTED = sys.version_info >= (3, 12)


def placed(tree: ast.Module, positions: Positions) -> ast.Module:
    """The tree, with every expression inside an f-string given its true place."""
    if not TRUSTED:
        for node in [n for n in ast.walk(tree) if isinstance(n, ast.JoinedStr)]:
            _place_parts(node, positions)
    return tree


def _place_parts(node: ast.JoinedStr, positions: Positions) -> None:
    start, end = positions.span(node)
    pieces = list(_expressions(positions.text, start, end))
    values = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    if len(pieces) != len(values):
        return  # nested or joined strings: these keep the places that ast gave
    for part, (at, source) in zip(values, pieces, strict=True):
        try:
            fresh = ast.parse("(" + source + ")", mode="eval").body
        except SyntaxError:
            continue
        part.value = _moved(fresh, positions, at - 1, "(" + source + ")")


def _expressions(text: str, start: int, end: int):
    """Offset and source of each expression between braces."""
    at = start
    while at < end:
        if text.startswith(("{{", "}}"), at):
            at += 2
        elif text[at] == "{":
            stop = _end_of(text, at + 1, end)
            yield at + 1, text[at + 1 : stop].rstrip("=").rstrip()
            depth, at = 1, stop
            while at < end and depth:
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
        else:
            at += 1


def _end_of(text: str, at: int, end: int) -> int:
    """Where an expression ends: at its brace, its conversion or its format, whichever comes first outside brackets."""
    depth, quote = 0, ""
    while at < end:
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return at
            depth -= 1
        elif depth == 0 and (char == ":" or (char == "!" and text[at + 1 : at + 2] != "=")):
            return at
        at += 1
    return end


def _moved(tree: ast.expr, positions: Positions, base: int, source: str) -> ast.expr:
    """An expression that was parsed on its own, at its offset in the whole text."""
    inner = Positions(source)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            first, last = inner.span(node)
            node.lineno, node.col_offset = positions.place(base + first)
            node.end_lineno, node.end_col_offset = positions.place(base + last)
    return tree
