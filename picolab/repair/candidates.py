"""All changes worth trying for one problem, best first."""

import ast
from collections.abc import Iterator

from picolab.repair.keywords import POSITIONAL, UNEXPECTED, keyword_candidates, named_candidates
from picolab.repair.names import (
    MEMBER_GONE,
    MODULE_GONE,
    gone,
    member_candidates,
    module_candidates,
    name_candidates,
)
from picolab.repair.problem import Candidate, Problem, dotted, nodes_at
from picolab.repair.returns import return_candidates

MOST = 16
"""Candidates tried for one problem."""
UNLIKELY = 0.9
"""How far behind the best candidate one may score and still be tried."""


def candidates(problem: Problem) -> list[Candidate]:
    """Candidates for a problem, without doubles, the most likely first."""
    best: dict[tuple, Candidate] = {}
    for each in _all(problem):
        if each is not None and (each.texts not in best or best[each.texts].score < each.score):
            best[each.texts] = each
    ranked = sorted(best.values(), key=lambda c: (-c.score, sum(len(t) for _, t in c.texts), c.why))
    return [each for each in ranked if each.score > ranked[0].score - UNLIKELY][:MOST]


def _all(problem: Problem) -> Iterator[Candidate | None]:
    message = problem.failure.message
    if named := gone(message):
        yield from name_candidates(problem, *named)
        if (module := f"{named[0]}.{named[1]}") and problem.failure.error == "ImportError":
            yield from module_candidates(problem, module)
    if match := MODULE_GONE.search(message):
        yield from module_candidates(problem, match["module"])
    if match := UNEXPECTED.search(message):
        yield from keyword_candidates(problem, match["function"], match["name"])
    if match := POSITIONAL.search(message):
        yield from named_candidates(problem, match["function"], int(match["given"]))
    if match := MEMBER_GONE.search(message):
        yield from member_candidates(problem, match["owner"], match["name"])
    yield from return_candidates(problem)
    if not named:
        yield from _named_on_the_line(problem)


def _named_on_the_line(problem: Problem) -> Iterator[Candidate | None]:
    """For an error whose text offers another name: that name, in place of one that the failing line uses."""
    for frame in problem.frames()[:3]:
        source = problem.repository.files[frame.path]
        seen = set()
        for node in nodes_at(source, frame.line, (ast.Name, ast.Attribute)):
            module, _, name = (dotted(source, node) or "").rpartition(".")
            if (
                module
                and name in problem.failure.message
                and (module, name) not in seen
                and problem.repository.file_of(module)
            ):
                seen.add((module, name))
                yield from name_candidates(problem, module, name)
