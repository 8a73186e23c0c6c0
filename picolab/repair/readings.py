"""Candidates for a value that has another type than it had, at the calls it comes from.

The old type is not known. What is known is what a dependency's sources say that its functions return now, and what the
change notes say. So several ways of reading the new value are offered, and the tests decide.
"""

import ast
import re
from collections.abc import Iterator

from picolab.repair.problem import Candidate, Problem, candidate, changed, dotted, function_at
from picolab.repair.sources import Repository, Source, fields, methods

LAZY = {
    "Iterator",
    "Iterable",
    "Generator",
    "map",
    "filter",
    "zip",
    "reversed",
    "enumerate",
    "iter",
    "chain",
    "islice",
}


def reading_candidates(problem: Problem) -> Iterator[Candidate | None]:
    """Ways of reading what a dependency's function returns now, at each call of it that may matter."""
    repository = problem.repository
    frames = {(frame.path, frame.line): rank for rank, frame in enumerate(problem.frames())}
    notes = "\n".join(repository.notes.values())
    for source in problem.consumers(None):
        for call in [n for n in ast.walk(source.tree) if isinstance(n, ast.Call)]:
            for provider, node in _called(repository, source, call):
                near = _nearness(source, call, frames)
                named = 0.3 if re.search(rf"\b{re.escape(node.name)}\b", notes) else 0.0
                for before, after, score in _readings(repository, node, problem.failure.message):
                    start, end = source.positions.span(call)
                    if source.text[end : end + 1] == ".":
                        continue  # it is being read as something already
                    wide = _awaited(source, call)
                    if wide:
                        start, end = wide
                        before, after = before + "(", ")" + after
                    changes = [((start, start), before), ((end, end), after)]
                    spoken = (
                        0.4
                        if after.strip("[]().\"'") and re.search(rf"\b{after.strip('[]().')}\b", notes)
                        else 0.0
                    )
                    why = f"{node.name}() of {provider} returns something else now; {before or '…'}{after}"
                    yield candidate(why, [changed(source, changes)], score + near + named + spoken)


def _awaited(source: Source, call: ast.Call) -> tuple[int, int] | None:
    """Where an `await` around a call stands, if there is one."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Await) and node.value is call:
            return source.positions.span(node)
    return None


def _called(repository: Repository, source: Source, call: ast.Call) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions of other packages that a call may mean: by import, or by the name of a method."""
    own = repository.package_of(source.path)
    name = (dotted(source, call.func) or "").rpartition(".")[2]
    method = call.func.attr if isinstance(call.func, ast.Attribute) and not name else ""
    for found, node in repository.functions_named(name or method) if name or method else ():
        if repository.package_of(found.path) != own or _is_dependency(found.path, source.path):
            yield repository.dotted(found.path), node


def _is_dependency(path: str, user: str) -> bool:
    """Whether a file of the same outermost package is a vendored one."""
    folders = set(path.split("/")[:-1]) - set(user.split("/")[:-1])
    return any(re.search(r"vendor|third|extern|lib|deps|packages", folder) for folder in folders)


def _nearness(source: Source, call: ast.Call, frames: dict[tuple[str, int], int]) -> float:
    """Calls on a failing line come first, then those in the same function, then those in the same file."""
    for (path, line), rank in frames.items():
        if path == source.path:
            if call.lineno <= line <= (call.end_lineno or call.lineno):
                return 0.6 - rank / 20
            around = function_at(source, line)
            if (
                isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef)
                and around.lineno <= call.lineno <= around.end_lineno
            ):
                return 0.4 - rank / 20
            return 0.1
    return 0.0


def _readings(
    repository: Repository, node: ast.FunctionDef, message: str
) -> Iterator[tuple[str, str, float]]:
    """Text before and after a call that reads the old kind of value out of the new one."""
    returned = _returned(node)
    for name in sorted(returned):
        found = repository.class_named(name)
        if found:
            told = 0.3 if re.search(rf"\b{name}\b", message) else 0.0
            names = fields(repository, found[1])
            for rank, each in enumerate(names):
                yield "", f".{each}", 0.8 + told - rank / 20
            for each in methods(repository, found[1]):
                if not each.startswith("_"):
                    yield "", f".{each}()", 0.5 + told
            if "__iter__" in methods(repository, found[1]):
                yield "list(", ")", 0.6 + told
                yield "tuple(", ")", 0.5 + told
            if names:
                yield "(lambda found: (" + ", ".join(f"found.{n}" for n in names) + "))(", ")", 0.45 + told
    if returned & LAZY or any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node)):
        told = 0.3 if re.search(r"generator|iterator|'(map|filter|zip)'", message) else 0.0
        yield "list(", ")", 0.9 + told
        yield "next(", ")", 0.3 + told
        yield "tuple(", ")", 0.3 + told
    if returned & {"tuple", "Tuple"}:
        told = 0.3 if "tuple" in message or "(" in message else 0.0
        for number in range(4):
            yield "", f"[{number}]", 0.7 + told - number / 20
        yield "list(", ")", 0.3
    if returned & {"dict", "Dict"}:
        for key in _keys(node):
            yield "", f'["{key}"]', 0.6
        yield "list(", ".values())", 0.4
        yield "list(", ".items())", 0.4
        yield "list(", ")", 0.35
    if "bytes" in returned or "bytes" in message:
        yield "", ".decode()", 0.7
    if "str" in returned and "bytes" in message:
        yield "", ".encode()", 0.6
    if returned & {"Path", "PurePath", "PosixPath", "int", "float", "Decimal", "Fraction"}:
        yield "str(", ")", 0.5
    if "str" in returned:
        yield "int(", ")", 0.4
        yield "float(", ")", 0.4
        yield "", ".split()", 0.3
        yield "", ".splitlines()", 0.3
    if returned & {"set", "frozenset"}:
        yield "sorted(", ")", 0.5
        yield "list(", ")", 0.4
    if returned & {"list", "List"}:
        yield "", "[0]", 0.4
        yield "tuple(", ")", 0.4
        yield "set(", ")", 0.35
        yield "dict(", ")", 0.35
        yield "len(", ")", 0.3
    if returned & {"Decimal", "Fraction", "int", "float"}:
        yield "float(", ")", 0.5
        yield "int(", ")", 0.45


def _returned(node: ast.FunctionDef) -> set[str]:
    """Names in a function's return annotation, and kinds of what it is seen to return."""
    found: set[str] = set()
    if node.returns is not None:
        found |= set(re.findall(r"[A-Za-z_]\w*", ast.unparse(node.returns)))
    for each in ast.walk(node):
        if isinstance(each, ast.Return) and each.value is not None:
            found |= _kinds(each.value)
    return found


def _kinds(value: ast.expr) -> set[str]:
    match value:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return {name}
        case ast.Tuple():
            return {"tuple"}
        case ast.List() | ast.ListComp():
            return {"list"}
        case ast.Dict() | ast.DictComp():
            return {"dict"}
        case ast.Set() | ast.SetComp():
            return {"set"}
        case ast.GeneratorExp():
            return {"Iterator"}
        case ast.Constant(value=constant):
            return {type(constant).__name__}
        case ast.IfExp():
            return _kinds(value.body) | _kinds(value.orelse)
    return set()


def _keys(node: ast.FunctionDef) -> list[str]:
    return list(
        dict.fromkeys(
            key.value
            for each in ast.walk(node)
            if isinstance(each, ast.Dict)
            for key in each.keys
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        )
    )
