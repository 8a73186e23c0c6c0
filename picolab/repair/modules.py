"""Candidates for a module that is gone: another one that offers what was imported from it, or each name from where it is now."""

import ast
import re
from collections.abc import Iterator

from picolab.repair.names import module_span, written_module
from picolab.repair.notes import likeness, mentions
from picolab.repair.problem import Candidate, Problem, candidate, changed, dotted, same
from picolab.repair.sources import Import, Repository, Source, is_test

MODULE_GONE = re.compile(r"No module named '(?P<module>[\w.]+)'")


def module_candidates(problem: Problem, module: str) -> Iterator[Candidate | None]:
    """Other modules that offer what was imported from the one that is gone; or each name from where it is now."""
    repository = problem.repository
    users = [source for source in problem.consumers(None) if _needs(source, module)]
    needed = sorted({name for source in users for name in _needs(source, module)} - {"*"})
    targets = list(_targets(repository, users))
    last = module.rpartition(".")[2]
    hints = mentions(problem.texts(), last, {t.rpartition(".")[2] for t, _ in targets})
    for target, path in targets:
        offered = set(repository.files[path].offered) if path in repository.files else set()
        share = len(offered & set(needed)) / max(1, len(needed))
        name = target.rpartition(".")[2]
        hint = hints.get(name, 0.0)
        near = 0.2 if target.split(".")[0] == module.split(".")[0] else 0.0
        score = share * 1.2 + hint + (0.5 if hint > 0.25 else 0) + 0.4 * likeness(last, name) + near
        if share or hint or likeness(last, name) > 0.6:
            files = [_reimported(source, module, target) for source in users]
            yield candidate(
                f"module {module} is gone; {target} offers {', '.join(sorted(offered & set(needed)))}",
                files,
                score,
            )
    yield from _scattered(problem, users, module, needed)


def _targets(repository: Repository, users: list[Source]) -> Iterator[tuple[str, str]]:
    own = {source.path for source in users}
    for path in repository.paths:
        if path.endswith(".py") and not is_test(path) and path not in own:
            yield repository.dotted(path), path


def _imports_of(source: Source, module: str) -> list[Import]:
    return [
        each
        for each in source.imports
        if same(each.module, module) or f".{each.module}.".find(f".{module}.") >= 0
    ]


def _needs(source: Source, module: str) -> set[str]:
    """What a file takes from a module: imported names, or attributes of it."""
    found: set[str] = set()
    for each in _imports_of(source, module):
        if each.name is not None:
            found.add(each.name)
        else:
            found |= {
                node.attr
                for node in ast.walk(source.tree)
                if isinstance(node, ast.Attribute) and same(dotted(source, node.value), each.module)
            } or {"*"}
    return found


def _reimported(source: Source, module: str, target: str) -> tuple[str, str] | None:
    """The file with every import of a module, and of what is inside it, led to another."""
    changes, seen = [], set()
    for each in _imports_of(source, module):
        if isinstance(each.node, ast.ImportFrom):
            if each.node not in seen:
                seen.add(each.node)
                start, end = module_span(source, each.node)
                changes.append(((start, end), _swapped(source.text[start:end], each.module, module, target)))
        else:
            start, _ = source.positions.span(each.alias)
            swapped = _swapped(each.alias.name, each.module, module, target)
            changes.append(((start, start + len(each.alias.name)), swapped))
            if each.alias.asname is None:
                changes += [
                    (source.positions.span(node), swapped)
                    for node in ast.walk(source.tree)
                    if isinstance(node, ast.Attribute | ast.Name) and ast.unparse(node) == each.alias.name
                ]
    return changed(source, changes)


def _swapped(written: str, absolute: str, old: str, new: str) -> str:
    """How the new module is written where the old one was: dots of a relative import are kept."""
    dots = written[: len(written) - len(written.lstrip("."))]
    if not dots:
        return re.sub(rf"(^|\.){re.escape(old)}(?=\.|$)", lambda m: m[1] + new, written, count=1)
    base = absolute.removesuffix(written.lstrip("."))
    full = absolute.replace(old, _with_root(old, new, absolute), 1)
    return dots + full.removeprefix(base) if full.startswith(base) else new


def _with_root(old: str, new: str, absolute: str) -> str:
    """`new` written from the same root as `old` is inside `absolute`."""
    head = old.split(".")[0]
    at = new.split(".")
    return ".".join(at[at.index(head) :]) if head in at else new


def _scattered(
    problem: Problem, users: list[Source], module: str, needed: list[str]
) -> Iterator[Candidate | None]:
    """Each name from the module that defines it now, where no single module offers them all."""
    repository, homes = problem.repository, {}
    for path, source in repository.files.items():
        for name in needed:
            if name in source.definitions and not is_test(path) and path not in {u.path for u in users}:
                homes.setdefault(name, path)
    if needed and len(homes) == len(needed) and len(set(homes.values())) > 1:
        files = []
        for source in users:
            changes, seen = [], {}
            for each in _imports_of(source, module):
                if each.name in homes and isinstance(each.node, ast.ImportFrom):
                    seen.setdefault(each.node, []).append(each)
            for node, group in seen.items():
                lines = []
                for each in group:
                    place = written_module(repository, source, node, each.module, homes[each.name])
                    lines.append(f"from {place} import {ast.unparse(each.alias)}")
                indent = " " * node.col_offset
                changes.append((source.positions.span(node), f"\n{indent}".join(dict.fromkeys(lines))))
            files.append(changed(source, changes))
        yield candidate(
            f"module {module} is gone; its names live in {len(set(homes.values()))} modules now", files, 1.1
        )
