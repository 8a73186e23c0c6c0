"""Candidates for a value that has another type than it had, at the line that can no longer use it."""

import ast
import re
from collections.abc import Iterator

from picolab.repair.problem import Candidate, Problem, candidate, changed, function_at, nodes_at
from picolab.repair.sources import Source, fields, is_test

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
