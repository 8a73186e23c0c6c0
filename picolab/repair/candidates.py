"""All changes worth trying for one problem, best first."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from picolab.repair.keywords import (
    POSITIONAL,
    UNEXPECTED,
    hinted_candidates,
    keyword_candidates,
    named_candidates,
)
from picolab.repair.members import MEMBER_GONE, member_candidates
from picolab.repair.modules import MODULE_GONE, module_candidates
from picolab.repair.names import UNDEFINED, gone, name_candidates, star_candidates
from picolab.repair.problem import Candidate, Problem, dotted, nodes_at
from picolab.repair.readings import reading_candidates
from picolab.repair.uses import line_candidates

MOST = 14
"""Candidates of one kind tried for one problem."""
GUESS = 2.0
"""How much less another reading of a value counts than a change that answers the error's own words."""
UNLIKELY = 0.9
"""How far behind the best of its kind a candidate may score and still be tried."""


def candidates(problem: Problem) -> list[list[Candidate]]:
    """Candidates for a problem in groups, the most likely first in each, and no change twice.

    First come changes that answer the error's very words, then less plain forms of the same, then other readings of values.
    """
    told, seen = list(_told(problem)), set()
    plain = _best((each for each in told if each and not each.fallback), seen)
    forms = _best((each for each in told if each and each.fallback), seen)
    return [
        plain,
        forms,
        [replace(each, score=each.score - GUESS) for each in _best(reading_candidates(problem), seen)],
    ]


def _best(found: Iterator[Candidate | None], seen: set[tuple]) -> list[Candidate]:
    best: dict[tuple, Candidate] = {}
    for each in found:
        if (
            each is not None
            and each.texts not in seen
            and (each.texts not in best or best[each.texts].score < each.score)
        ):
            best[each.texts] = each
    seen |= best.keys()
    ranked = sorted(best.values(), key=lambda c: (-c.score, sum(len(t) for _, t in c.texts), c.why))
    return [each for each in ranked if each.score > ranked[0].score - UNLIKELY][:MOST]


def _told(problem: Problem) -> Iterator[Candidate | None]:
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
    if match := UNDEFINED.search(message):
        yield from star_candidates(problem, match["name"])
    if problem.failure.error == "AttributeError" and message.isidentifier():
        yield from _member_on_the_line(problem, message)
    yield from line_candidates(problem)
    if problem.raised_elsewhere():
        yield from hinted_candidates(problem)
        yield from _named_on_the_line(problem)


def _member_on_the_line(problem: Problem, name: str) -> Iterator[Candidate | None]:
    """For an error that says no more than the missing name, as an Enum's does: the class it was asked of is on the line."""
    for frame in problem.frames()[:2]:
        source = problem.repository.files[frame.path]
        for node in nodes_at(source, frame.line, ast.Attribute):
            if node.attr == name:
                owner = ast.unparse(node.value).rpartition(".")[2]
                yield from member_candidates(problem, owner, name)


def _named_on_the_line(problem: Problem) -> Iterator[Candidate | None]:
    """For an error whose text offers another name: that name, in place of one that the failing line uses."""
    for frame in problem.callers()[:2]:
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
