"""Candidates for a keyword argument that a function no longer takes."""

import ast
import re
from collections.abc import Iterator

from picolab.repair.notes import likeness, mentions
from picolab.repair.problem import Candidate, Problem, candidate, changed, dotted, nodes_at
from picolab.repair.sources import Source, fields

UNEXPECTED = re.compile(r"(?P<function>[\w.<>]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'")
POSITIONAL = re.compile(
    r"(?P<function>[\w.<>]+)\(\) takes (?:from \d+ to )?(?P<takes>\d+) positional arguments? but (?P<given>\d+)"
)


def keyword_candidates(problem: Problem, function: str, old: str) -> Iterator[Candidate | None]:
    """Other parameters of the function, put in place of the one that is gone, in every call of it."""
    name = _called(function)
    for provider, parameters in _signatures(problem, name):
        offered = [p for p in parameters if p != old]
        hints = mentions(problem.texts(), old, offered)
        frames = problem.frames(provider)
        calls = list(_places(problem, provider, name, old, frames, dicts=False))
        everywhere = list(_places(problem, provider, name, old, frames, dicts=True))
        for new in offered:
            hint = hints.get(new, 0.0)
            score = (1.0 if hint > 0.25 else 0.0) + hint + 0.6 * likeness(old, new) + 0.1 * parameters[new]
            for places, less in ((calls, 0.0), (everywhere, 0.05)):
                files = [changed(source, [(span, new) for span in spans]) for source, spans in places]
                yield candidate(f"{name}() no longer takes {old}; it takes {new}", files, score - less)


def _called(function: str) -> str:
    """The name that a call is written with: the class, for its constructor."""
    parts = function.replace("<locals>.", "").split(".")
    return parts[-2] if parts[-1] in ("__init__", "__new__", "__call__") and len(parts) > 1 else parts[-1]


def _signatures(problem: Problem, name: str) -> Iterator[tuple[str, dict[str, bool]]]:
    """Packages that define the function or class, its parameters, and whether each can only be given by name."""
    repository = problem.repository
    for source, node in repository.functions_named(name):
        yield problem.provider(source.path), _parameters(node)
    found = repository.class_named(name)
    if found:
        source, node = found
        init = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        named = _parameters(init) if init else dict.fromkeys(fields(repository, node), False)
        yield problem.provider(source.path), named


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, bool]:
    plain = [a.arg for a in (*node.args.posonlyargs, *node.args.args) if a.arg not in ("self", "cls")]
    return dict.fromkeys(plain, False) | {a.arg: True for a in node.args.kwonlyargs}


def _places(
    problem: Problem, provider: str, name: str, old: str, frames: list, dicts: bool
) -> Iterator[tuple[Source, list]]:
    """Where the keyword is written, file by file: in calls of the function, and in dicts that may be spread into one."""
    for source in problem.consumers(provider):
        lines = {frame.line for frame in frames[:1] if frame.path == source.path}
        spans = [
            (source.positions.span(word)[0], source.positions.span(word)[0] + len(old))
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Call) and _is_call_of(source, node, name, lines)
            for word in node.keywords
            if word.arg == old
        ]
        if dicts:
            spans += _in_dicts(source, old)
        if spans:
            yield source, spans


def _is_call_of(source: Source, node: ast.Call, name: str, lines: set[int]) -> bool:
    """Whether a call is of the function, by name or through functools.partial, or stands on a failing line."""
    written = [node.func, *node.args[:1]] if ast.unparse(node.func).endswith("partial") else [node.func]
    for function in written:
        last = (dotted(source, function) or ast.unparse(function)).rpartition(".")[2]
        if last == name:
            return True
    return any(node.lineno <= line <= node.end_lineno for line in lines)


def _in_dicts(source: Source, old: str) -> Iterator[tuple[int, int]]:
    """The keyword as a dict's key, as a subscript, or as an argument of dict()."""
    for node in ast.walk(source.tree):
        keys = (
            node.keys
            if isinstance(node, ast.Dict)
            else [node.slice]
            if isinstance(node, ast.Subscript)
            else []
        )
        for key in keys:
            if isinstance(key, ast.Constant) and key.value == old:
                start, end = source.positions.span(key)
                quote = (end - start - len(old)) // 2
                yield start + quote, end - quote
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "dict":
            for word in node.keywords:
                if word.arg == old:
                    start = source.positions.span(word)[0]
                    yield start, start + len(old)


def hinted_candidates(problem: Problem) -> Iterator[Candidate | None]:
    """For an error whose own words name a keyword that the failing line gives: the other names in those words."""
    words = dict.fromkeys(re.findall(r"[A-Za-z_]\w+", problem.failure.message))
    quoted = set(re.findall(r"['\"`]([A-Za-z_]\w*)=?['\"`]", problem.failure.message))
    for frame in problem.callers()[:2]:
        source = problem.repository.files[frame.path]
        for call in nodes_at(source, frame.line, ast.Call):
            for word in call.keywords:
                if word.arg in words:
                    start = source.positions.span(word)[0]
                    for new in words:
                        if new != word.arg and not any(new == other.arg for other in call.keywords):
                            change = ((start, start + len(word.arg)), new)
                            why = f"the error itself speaks of {new} in place of {word.arg}"
                            yield candidate(why, [changed(source, [change])], 1.5 if new in quoted else 0.7)


def named_candidates(problem: Problem, function: str, given: int) -> Iterator[Candidate | None]:
    """Positional arguments given by name, for a function that takes them by name only now."""
    name = _called(function)
    for provider, parameters in _signatures(problem, name):
        order = list(parameters)
        for frame in problem.frames(provider)[:1]:
            source = problem.repository.files[frame.path]
            for call in nodes_at(source, frame.line, ast.Call):
                if (dotted(source, call.func) or ast.unparse(call.func)).rpartition(".")[2] == name:
                    changes = [
                        ((source.positions.span(argument)[0],) * 2, f"{order[at]}=")
                        for at, argument in enumerate(call.args)
                        if at < len(order) and parameters[order[at]]
                    ]
                    yield candidate(
                        f"{name}() takes some arguments by name only", [changed(source, changes)], 0.9
                    )
