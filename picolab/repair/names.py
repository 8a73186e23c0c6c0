"""Candidates for a name that is gone: renamed, moved to another module, or both."""

import ast
import re
from collections.abc import Iterator

from picolab.repair.notes import likeness, mentions
from picolab.repair.problem import Candidate, Problem, candidate, changed, dotted, same
from picolab.repair.sources import Import, Repository, Source

NAME_GONE = (
    re.compile(
        r"cannot import name '(?P<name>\w+)' from (?:partially initialized module )?'(?P<module>[\w.]+)'"
    ),
    re.compile(r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'"),
)
UNDEFINED = re.compile(r"name '(?P<name>\w+)' is not defined")


def gone(message: str) -> tuple[str, str] | None:
    """The module and the name that an error says it lacks."""
    for pattern in NAME_GONE:
        if match := pattern.search(message):
            return match["module"], match["name"]
    return None


def name_candidates(problem: Problem, module: str, old: str) -> Iterator[Candidate | None]:
    """Other names in the module, and the same or other names in the modules around it."""
    repository = problem.repository
    home = repository.file_of(module)
    if home is None:
        return
    package = problem.provider(home)
    offers = dict(_offers(repository, home, package))
    hints = mentions(problem.texts(), old, {name for name, _ in offers})
    arity = _calls_of(problem, package, module, old)
    for (name, path), here in offers.items():
        score = _score(old, name, hints, here) + _fits(repository, path, name, arity)
        why = f"{module}.{old} is gone; {repository.dotted(path)} offers {name}"
        for alias in (False, True):
            files = [
                _renamed(repository, source, module, old, name, None if here else path, alias)
                for source in problem.consumers(package)
            ]
            yield candidate(why, files, score, fallback=alias)


def _score(old: str, new: str, hints: dict[str, float], here: bool) -> float:
    if new == old:
        return 1.5
    hint = hints.get(new, 0.0)
    return (1.0 if hint > 0.25 else 0.0) + hint + 0.6 * likeness(old, new) + (0.1 if here else 0.0)


def _offers(repository: Repository, home: str, package: str) -> Iterator[tuple[tuple[str, str], bool]]:
    """Names on offer, with the file that offers each, and whether that is the module itself."""
    source = repository.files.get(home)
    listed = source.offered if source else []
    yield from (((name, home), True) for name in listed)
    folder = home.removesuffix("__init__.py")
    if home.endswith("__init__.py"):
        for path in repository.inside(package):
            inner = path.removeprefix(folder).split("/")[0].removesuffix(".py")
            if path.startswith(folder) and inner not in ("__init__", *listed) and inner.isidentifier():
                yield (inner, home), True
    for path in repository.inside(package):
        if path != home and path in repository.files:
            for name in repository.files[path].definitions:
                if name not in listed and not name.startswith("_"):
                    yield (name, path), False


def _calls_of(problem: Problem, package: str, module: str, old: str) -> list[ast.Call]:
    """Calls of the old name in files that may be changed."""
    return [
        node
        for source in problem.consumers(package)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and same(dotted(source, node.func), f"{module}.{old}")
    ]


def _fits(repository: Repository, path: str, name: str, calls: list[ast.Call]) -> float:
    """Whether a definition could take the calls that the old name gets; a small bonus or malus."""
    node = repository.files[path].definitions.get(name) if path in repository.files else None
    if not calls or node is None:
        return 0.0
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return -0.1
    if isinstance(node, ast.ClassDef):
        return 0.0
    arguments = node.args
    takes = len(arguments.posonlyargs) + len(arguments.args)
    needs = takes - len(arguments.defaults)
    named = {a.arg for a in (*arguments.args, *arguments.kwonlyargs)}
    good = 0
    for call in calls:
        given, words = len(call.args), {k.arg for k in call.keywords if k.arg}
        good += needs <= given + len(words) and (given <= takes or arguments.vararg is not None)
        good += bool(words) and words <= named
    return 0.15 * good / len(calls) - (0.0 if good else 0.15)


def _renamed(
    repository: Repository, source: Source, module: str, old: str, new: str, moved_to: str | None, alias: bool
) -> tuple[str, str] | None:
    """The file with every use of `module.old` turned into the new name, and its import led to where that is now."""
    changes, renames = [], not alias and not _is_taken(source, new)
    for each in source.imports:
        if each.name == old and same(each.module, module):
            keeps_local = each.alias.asname is not None or new == old
            written = new if keeps_local or renames else f"{new} as {old}"
            changes += _import_changes(repository, source, each, written, moved_to)
            if not keeps_local and renames:
                changes += _uses_of(source, old, new)
        elif each.name is None and same(each.module, module) and moved_to:
            changes += _moved_attribute_import(repository, source, each, moved_to)
    if not alias:
        changes += _attribute_changes(repository, source, module, old, new, moved_to)
    return changed(source, changes)


def _is_taken(source: Source, name: str) -> bool:
    used = any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(source.tree))
    return used or name in source.definitions


def _uses_of(source: Source, old: str, new: str) -> list:
    """Every use of a local name, quoted annotations included; a string in __all__ is the file's own promise."""
    changes = [
        (source.positions.span(node), new)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Name) and node.id == old
    ]
    for node in ast.walk(source.tree):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for part in ast.walk(annotation) if annotation else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    start, end = source.positions.span(part)
                    changes.append(((start, end), re.sub(rf"\b{old}\b", new, source.text[start:end])))
    return changes


def _import_changes(
    repository: Repository, source: Source, each: Import, written: str, moved_to: str | None
) -> list:
    """Changes that make one imported name another, or take it out and import it from elsewhere."""
    positions, node = source.positions, each.node
    start, _ = positions.span(each.alias)
    if moved_to is None:
        return [((start, start + len(each.alias.name)), written)]
    module = written_module(repository, source, node, each.module, moved_to)
    tail = source.text[start + len(each.alias.name) : positions.span(each.alias)[1]]
    if len(node.names) == 1:
        return [(module_span(source, node), module), ((start, start + len(each.alias.name)), written)]
    line_start = positions.offset(node.lineno, 0)
    indent = source.text[line_start : positions.span(node)[0]]
    newline = "\r\n" if "\r\n" in source.text else "\n"
    line = f"{indent}from {module} import {written}{tail}{newline}"
    return [(_alias_span(source, node, each.alias), ""), ((line_start, line_start), line)]


def module_span(source: Source, node: ast.ImportFrom) -> tuple[int, int]:
    start, end = source.positions.span(node)
    match = re.match(r"from\s+([.\w]+)\s+import", source.text[start:end])
    return (start + match.start(1), start + match.end(1)) if match else (start, start)


def _alias_span(source: Source, node: ast.ImportFrom, alias: ast.alias) -> tuple[int, int]:
    """An imported name with the comma that belongs to it."""
    start, end = source.positions.span(alias)
    after = re.match(r"\s*,[ \t]*", source.text[end:])
    if after and alias is not node.names[-1]:
        return start, end + after.end()
    before = re.search(r",\s*$", source.text[:start])
    return (before.start() if before else start), end


def written_module(repository: Repository, source: Source, node: ast.ImportFrom, old: str, path: str) -> str:
    """How a file is named in an import statement, in the way this statement names its module."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    forms = [".".join(parts[start:]) for start in range(len(parts))]
    alike = [form for form in forms if form.split(".")[0] == old.split(".")[0]]
    absolute = alike[0] if alike else repository.dotted(path)
    if not node.level:
        return absolute
    base = ".".join(source.package.split(".")[: len(source.package.split(".")) - node.level + 1])
    if base and (absolute + ".").startswith(base + "."):
        return "." * node.level + absolute.removeprefix(base).lstrip(".")
    return absolute


def _attribute_changes(
    repository: Repository, source: Source, module: str, old: str, new: str, moved_to: str | None
) -> list:
    """Changes of `module.old` written out as an attribute."""
    changes = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and node.attr == old and same(dotted(source, node.value), module):
            if moved_to is None:
                changes.append((source.positions.attribute(node), new))
            else:
                changes.append((source.positions.span(node), f"{repository.dotted(moved_to)}.{new}"))
    return changes


def _moved_attribute_import(repository: Repository, source: Source, each: Import, moved_to: str) -> list:
    """An import of the module that a moved name now lives in, beside the import of the old one."""
    start = source.positions.offset(each.node.lineno, 0)
    indent = source.text[start : source.positions.span(each.node)[0]]
    newline = "\r\n" if "\r\n" in source.text else "\n"
    return [((start, start), f"{indent}import {repository.dotted(moved_to)}{newline}")]


def star_candidates(problem: Problem, old: str) -> Iterator[Candidate | None]:
    """Names that a module offers to `import *`, in place of one that it no longer does."""
    repository = problem.repository
    for frame in problem.frames()[:1]:
        source = repository.files[frame.path]
        for each in source.imports:
            home = repository.file_of(each.module) if each.name == "*" else None
            if home in repository.files:
                offered = repository.files[home].offered
                hints = mentions(problem.texts(), old, offered)
                for name in offered:
                    why = f"{each.module}.{old} is gone; it offers {name}"
                    yield candidate(
                        why, [changed(source, _uses_of(source, old, name))], _score(old, name, hints, True)
                    )
