"""One problem, as the candidates see it: an error, the line it came to light on, and a change worth trying."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from picolab.repair.editing import Span, replace_spans
from picolab.repair.failures import Failure, Frame
from picolab.repair.sources import Repository, Source, is_test


@dataclass(frozen=True)
class Candidate:
    """A change of one or more files, and why it may be right."""

    why: str
    texts: tuple[tuple[str, str], ...]
    """Paths and their whole new texts."""
    score: float
    """Higher is tried earlier; 1 and above means that the change notes say so."""
    fallback: bool = False
    """Worth trying only after everything of its kind that is plainer."""


@dataclass(frozen=True)
class Problem:
    """A failure, with what is known of the repository."""

    failure: Failure
    repository: Repository

    def texts(self) -> list[str]:
        """Everything that may hold a hint: the error itself, change notes, and the words inside sources."""
        words = [source.words for path, source in self.repository.files.items() if not is_test(path)]
        return [self.failure.message, *self.repository.notes.values(), *words]

    def frames(self, provider: str | None = None) -> list[Frame]:
        """Lines that may be changed, innermost first: neither tests nor the package that provides the thing."""
        found = [
            frame
            for frame in reversed(self.failure.frames)
            if frame.path in self.repository.files
            and not is_test(frame.path)
            and not (provider and (frame.path == provider or frame.path.startswith(provider + "/")))
        ]
        return list(dict.fromkeys(found))

    def provider(self, home: str) -> str:
        """The package that a file belongs to, without the file whose line failed."""
        user = next((frame.path for frame in self.frames() if frame.path != home), "")
        return self.repository.package_of(home, user)

    def callers(self) -> list[Frame]:
        """Lines that may be changed, without those of the package in which the error was raised, if there are others."""
        frames = self.frames()
        if not frames:
            return []
        outer = [
            f
            for f in frames
            if self.repository.package_of(f.path) != self.repository.package_of(frames[0].path)
        ]
        return outer or frames

    def raised_elsewhere(self) -> bool:
        """Whether a dependency raised the error itself, so that its words were chosen by somebody and may hold advice."""
        frames, callers = self.frames(), self.callers()
        return bool(frames) and frames[0] != callers[0]

    def consumers(self, provider: str | None) -> list[Source]:
        """Files that may be changed: read, not tests, and not of the providing package."""
        return [
            source
            for path, source in self.repository.files.items()
            if path.endswith(".py")
            and not is_test(path)
            and not (provider and (path == provider or path.startswith(provider + "/")))
        ]


def nodes_at(source: Source, line: int, kind: type | tuple[type, ...]) -> Iterator[ast.AST]:
    """Nodes of a kind that touch a line, smallest first."""
    placed = [n for n in ast.walk(source.tree) if isinstance(n, kind) and hasattr(n, "lineno")]
    found = [n for n in placed if n.lineno <= line <= (n.end_lineno or n.lineno)]
    yield from sorted(found, key=lambda n: ((n.end_lineno or 0) - n.lineno, n.end_col_offset - n.col_offset))


def function_at(source: Source, line: int) -> ast.AST:
    """The innermost function around a line, or the module."""
    return next(nodes_at(source, line, (ast.FunctionDef, ast.AsyncFunctionDef)), source.tree)


def changed(source: Source, changes: list[tuple[Span, str]]) -> tuple[str, str] | None:
    """A file's path and new text; None if the changes leave it as it is."""
    text = replace_spans(source.text, changes)
    return None if text == source.text else (source.path, text)


def candidate(
    why: str, files: list[tuple[str, str] | None], score: float, fallback: bool = False
) -> Candidate | None:
    """A candidate from changed files; None if nothing changes, or a file would no longer be Python."""
    texts = tuple(each for each in files if each)
    for _, text in texts:
        try:
            ast.parse(text.removeprefix("\ufeff"))
        except (SyntaxError, ValueError):
            return None
    return Candidate(why, texts, score, fallback) if texts else None


def dotted(source: Source, node: ast.expr) -> str | None:
    """The absolute dotted name that an expression means through the file's imports."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    for each in source.imports:
        if each.local == node.id:
            if each.name is not None:
                base = f"{each.module}.{each.name}"
            else:
                base = each.module if each.alias.asname else each.local
            return ".".join([base, *reversed(parts)])
    return None


def same(first: str | None, second: str | None) -> bool:
    """Whether two dotted names mean the same, one of them perhaps written from a deeper root."""
    if not first or not second:
        return False
    return first == second or first.endswith("." + second) or second.endswith("." + first)
