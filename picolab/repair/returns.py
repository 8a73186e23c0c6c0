"""Candidates for a value that has another type than it had: taken apart, unwrapped, or turned back.

The old type is not known. What is known: the error, what the dependency's sources say its functions return now, and
what the change notes say. So several ways of reading the new value are offered, and the tests decide.
"""

import ast
import re
from collections.abc import Iterator

from picolab.repair.problem import Candidate, Problem, candidate, changed, dotted, function_at, nodes_at
from picolab.repair.sources import Repository, Source, fields, is_test, methods

NOT_SUBSCRIPTABLE = re.compile(r"'(?P<owner>\w+)' object (?:is not subscriptable|does not support indexing)")
NOT_UNPACKABLE = re.compile(
    r"cannot unpack non-iterable (?P<owner>\w+) object|'(?P<other>\w+)' object is not iterable"
)
INDEX_BY_NAME = re.compile(r"(?:tuple|list|string) indices must be integers(?: or slices)?,? not '?str'?")
NO_ATTRIBUTE = re.compile(
    r"'(?P<owner>dict|tuple|list|str|bytes|int|float|generator|set)' object has no attribute '(?P<name>\w+)'"
)
NOT_CALLABLE = re.compile(r"'(?P<owner>\w+)' object is not callable")
MISSING_KEY = re.compile(r"^'(?P<key>\w+)'$")
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
    """Other ways of reading what dependencies return, at every call that may matter."""
    yield from _at_the_calls(problem)


# Where the value is used --------------------------------------------------------------------------------------------


def line_candidates(problem: Problem) -> Iterator[Candidate | None]:
    """Changes at the failing line that would suit a value of another type."""
    message, repository = problem.failure.message, problem.repository
    for frame in problem.frames()[:1]:
        source = repository.files[frame.path]
        if match := NOT_SUBSCRIPTABLE.search(message):
            yield from _subscripts_to_fields(problem, source, frame.line, match["owner"])
        if match := NOT_UNPACKABLE.search(message):
            yield from _unpacking_to_fields(problem, source, frame.line, match["owner"] or match["other"])
        if INDEX_BY_NAME.search(message):
            yield from _names_to_numbers(source, frame.line)
        if match := NO_ATTRIBUTE.search(message):
            yield from _attributes_to_items(problem, source, frame.line, match["owner"], match["name"])
        if NOT_CALLABLE.search(message):
            yield from _without_call(source, frame.line)
        if problem.failure.error == "KeyError" and (match := MISSING_KEY.match(message)):
            yield from _other_keys(problem, source, frame.line, match["key"])


def _subscripts_to_fields(
    problem: Problem, source: Source, line: int, owner: str
) -> Iterator[Candidate | None]:
    """`value[0]` and `value["name"]` as `value.field`, all those of one value in one function together."""
    found = problem.repository.class_named(owner)
    names = fields(problem.repository, found[1]) if found else []
    for node in nodes_at(source, line, ast.Subscript):
        value = ast.unparse(node.value)
        group = [
            n
            for n in ast.walk(function_at(source, line))
            if isinstance(n, ast.Subscript)
            and ast.unparse(n.value) == value
            and isinstance(n.slice, ast.Constant | ast.UnaryOp)
        ]
        for order in (names, sorted(names)):
            changes = [change for n in group if (change := _subscript_as_field(source, n, order))]
            yield candidate(f"{owner} has fields in place of items", [changed(source, changes)], 1.4)
        for name in names:
            yield candidate(
                f"{owner} has the field {name}", [changed(source, [_as_field(source, node, name)])], 0.7
            )
        return


def _subscript_as_field(source: Source, node: ast.Subscript, names: list[str]):
    try:
        index = ast.literal_eval(node.slice)
    except ValueError:
        return None
    if isinstance(index, int) and -len(names) <= index < len(names):
        return _as_field(source, node, names[index])
    if isinstance(index, str) and index.isidentifier():
        near = index if index in names or not names else max(names, key=lambda name: _alike(name, index))
        return _as_field(source, node, near)
    return None


def _alike(name: str, other: str) -> float:
    from picolab.repair.notes import likeness

    return likeness(name, other)


def _as_field(source: Source, node: ast.Subscript, name: str):
    return (source.positions.span(node.value)[1], source.positions.span(node)[1]), f".{name}"


def _unpacking_to_fields(
    problem: Problem, source: Source, line: int, owner: str
) -> Iterator[Candidate | None]:
    """`a, b = value` as its fields, by the names of the targets if they match and else in order."""
    found = problem.repository.class_named(owner)
    if not found:
        return
    names = fields(problem.repository, found[1])
    for node in nodes_at(source, line, (ast.Assign, ast.For, ast.AsyncFor)):
        yield from _unpacked(problem, source, node, names, owner)
    for comprehension in nodes_at(source, line, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        for node in comprehension.generators:
            yield from _unpacked(problem, source, node, names, owner)
    for call in nodes_at(source, line, ast.Call):
        for argument in call.args:
            if isinstance(argument, ast.Starred):
                start, end = source.positions.span(argument.value)
                text = source.text[start:end]
                new = f"({', '.join(f'{text}.{name}' for name in names)})"
                yield candidate(f"{owner} is not a sequence", [changed(source, [((start, end), new)])], 1.0)


def _unpacked(
    problem: Problem, source: Source, node: ast.AST, names: list[str], owner: str
) -> Iterator[Candidate | None]:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    value = node.value if isinstance(node, ast.Assign) else node.iter
    if not isinstance(target, ast.Tuple | ast.List) or not names:
        return
    wanted = [part.id if isinstance(part, ast.Name) else "" for part in target.elts]
    orders = [wanted] if set(wanted) <= set(names) else []
    orders += [names[: len(wanted)], sorted(names)[: len(wanted)]] if len(names) >= len(wanted) else []
    start, end = source.positions.span(value)
    text = source.text[start:end]
    for rank, order in enumerate(orders):
        changes = []
        if isinstance(node, ast.Assign):
            text, changes = _named_first(source, node, value)
            new = ", ".join(f"{text}.{name}" for name in order)
        else:
            new = f"(({', '.join(f'each.{name}' for name in order)}) for each in {text})"
        why = f"{owner} has fields in place of items"
        yield candidate(why, [changed(source, [*changes, ((start, end), new)])], 1.4 - 0.2 * rank)


def _named_first(source: Source, node: ast.Assign, value: ast.expr) -> tuple[str, list]:
    """A name for the value that is taken apart, and the line that gives it that name where it has none."""
    start, end = source.positions.span(value)
    if isinstance(value, ast.Name | ast.Attribute):
        return source.text[start:end], []
    called = value.func if isinstance(value, ast.Call) else value
    name = getattr(called, "attr", getattr(called, "id", "result"))
    used = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name)} | set(source.definitions)
    name = name if name not in used and name.isidentifier() else "found"
    line = source.positions.offset(node.lineno, 0)
    at = source.positions.span(node)[0]
    newline = "\r\n" if "\r\n" in source.text else "\n"
    indent = source.text[line:at] if not source.text[line:at].strip() else ""
    return name, [((at, at), f"{name} = {source.text[start:end]}{newline}{indent}")]


def _names_to_numbers(source: Source, line: int) -> Iterator[Candidate | None]:
    """`value["name"]` as `value[0]`, `value[1]`, … and as `value[0]["name"]`."""
    for node in nodes_at(source, line, ast.Subscript):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            end = source.positions.span(node.value)[1], source.positions.span(node)[1]
            value = ast.unparse(node.value)
            group = [
                n
                for n in ast.walk(function_at(source, line))
                if isinstance(n, ast.Subscript)
                and ast.unparse(n.value) == value
                and isinstance(n.slice, ast.Constant)
            ]
            named = [_as_field(source, n, n.slice.value) for n in group if str(n.slice.value).isidentifier()]
            yield candidate("fields in place of keys", [changed(source, named)], 1.3)
            for number in range(4):
                yield candidate(
                    f"item {number} in place of a name", [changed(source, [(end, f"[{number}]")])], 0.8
                )
            for number in range(2):
                change = ((end[0], end[0]), f"[{number}]")
                yield candidate(f"item {number}, then the name", [changed(source, [change])], 0.6)


def _attributes_to_items(
    problem: Problem, source: Source, line: int, owner: str, name: str
) -> Iterator[Candidate | None]:
    """`value.name` as `value["name"]`, or as an item of a tuple, or as an attribute of its first item."""
    for node in nodes_at(source, line, ast.Attribute):
        if node.attr != name:
            continue
        value = ast.unparse(node.value)
        alike = [
            n
            for n in ast.walk(function_at(source, line))
            if isinstance(n, ast.Attribute) and ast.unparse(n.value) == value and isinstance(n.ctx, ast.Load)
        ]
        if owner == "dict":
            calls = {id(n.func) for n in ast.walk(source.tree) if isinstance(n, ast.Call)}
            group = [n for n in alike if id(n) not in calls or n is node]
            changes = [(_after_value(source, n), f'["{n.attr}"]') for n in group]
            yield candidate("a dict in place of an object", [changed(source, changes)], 1.3)
            yield candidate(
                "a dict in place of an object",
                [changed(source, [(_after_value(source, node), f'["{name}"]')])],
                1.1,
            )
        elif owner in ("tuple", "list"):
            for number in range(4):
                change = (_after_value(source, node), f"[{number}]")
                yield candidate(
                    f"item {number} in place of {name}", [changed(source, [change])], 0.9 - number / 20
                )
                end = source.positions.span(node.value)[1]
                whole = [((source.positions.span(n.value)[1],) * 2, f"[{number}]") for n in alike]
                yield candidate(f"the object is item {number}", [changed(source, whole)], 1.0 - number / 20)
                yield candidate(
                    f"the object is item {number}", [changed(source, [((end, end), f"[{number}]")])], 0.5
                )


def _after_value(source: Source, node: ast.Attribute) -> tuple[int, int]:
    return source.positions.span(node.value)[1], source.positions.span(node)[1]


def _without_call(source: Source, line: int) -> Iterator[Candidate | None]:
    """`value.name()` as `value.name`: a method that became a property."""
    for call in nodes_at(source, line, ast.Call):
        if not call.args and not call.keywords and isinstance(call.func, ast.Attribute):
            span = source.positions.span(call.func)[1], source.positions.span(call)[1]
            yield candidate(f"{call.func.attr} is a property now", [changed(source, [(span, "")])], 1.0)


def _other_keys(problem: Problem, source: Source, line: int, key: str) -> Iterator[Candidate | None]:
    """Other keys that the dependency's sources write into dicts."""
    from picolab.repair.notes import likeness, mentions

    keys = {
        part.value
        for each in problem.repository.files.values()
        if not is_test(each.path) and each.path != source.path
        for node in ast.walk(each.tree)
        for part in (
            node.keys
            if isinstance(node, ast.Dict)
            else [node.slice]
            if isinstance(node, ast.Subscript)
            else []
        )
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    } - {key}
    hints = mentions(problem.texts(), key, keys)
    for node in ast.walk(function_at(source, line)):
        if isinstance(node, ast.Constant) and node.value == key:
            start, end = source.positions.span(node)
            for name in keys:
                hint = hints.get(name, 0.0)
                new = source.text[start:end].replace(key, name)
                score = (0.8 if hint > 0.25 else 0) + hint + 0.5 * likeness(key, name)
                yield candidate(
                    f"the key {key} is {name} now", [changed(source, [((start, end), new)])], score
                )


# Where the value comes from -----------------------------------------------------------------------------------------


def _at_the_calls(problem: Problem) -> Iterator[Candidate | None]:
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
