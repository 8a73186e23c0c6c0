"""Candidates for a field or a method that a class no longer has."""

import ast
import re
from collections.abc import Iterator

from picolab.repair.notes import likeness, mentions
from picolab.repair.problem import Candidate, Problem, candidate, changed, nodes_at
from picolab.repair.sources import members

MEMBER_GONE = re.compile(r"(?:type object )?'(?P<owner>\w+)'(?: object)? has no attribute '(?P<name>\w+)'")


def member_candidates(problem: Problem, owner: str, old: str) -> Iterator[Candidate | None]:
    """Other fields and methods of a class, put where the old one is used."""
    repository = problem.repository
    found = repository.class_named(owner)
    if not found:
        return
    provider = problem.provider(found[0].path)
    offered = [name for name in members(repository, found[1]) if name != old]
    hints = mentions(problem.texts(), old, offered)
    frames = problem.frames(provider) or problem.frames()
    for frame in frames[:2]:
        source = repository.files[frame.path]
        here = [n for n in nodes_at(source, frame.line, ast.Attribute) if n.attr == old]
        if not here:
            continue
        alike = [
            node
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Attribute)
            and node.attr == old
            and ast.unparse(node.value) == ast.unparse(here[0].value)
        ]
        for name in offered:
            hint = hints.get(name, 0.0)
            score = (1.0 if hint > 0.25 else 0.0) + hint + 0.6 * likeness(old, name)
            changes = [(source.positions.attribute(node), name) for node in [*here, *alike]]
            yield candidate(
                f"{owner}.{old} is gone; {owner} offers {name}", [changed(source, changes)], score
            )
        return
