"""The policy that repairs: run the tests, read the failure, find the cause, try a change, and keep it if it helped.

It reaches the repository through tool results only, as a language model would, and it never decides by itself that the
repair holds: it proposes, and a verifier outside looks.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from picolab.messages import ToolResult
from picolab.models.policy import Policy, call, policy, say_and_call
from picolab.repair.candidates import candidates
from picolab.repair.editing import edits_between
from picolab.repair.failures import Failure, Report, read_report
from picolab.repair.keywords import UNEXPECTED
from picolab.repair.notes import is_note
from picolab.repair.problem import Candidate, Problem
from picolab.repair.sources import Repository, is_test

Steps = Generator[Any, Any, Any]
MOST_RUNS = 80
"""Runs of the tests before the search is given up."""
MOST_FILES = 250
"""Source files read for one problem."""
MOST_NOTES = 25
SURE = 1.3
"""The score from which a change that leads to another error is followed at once, before others are tried."""
SIDE_TRACK = 16
"""Runs of the tests spent on going on from a change that is only a guess."""
DEEPEST = 12
"""Changes in a row, each of which only led from one error to another."""


@dataclass
class Search:
    """What the policy knows while it works."""

    repository: Repository
    runs: int = 0
    most: int = MOST_RUNS
    kept: list[str] = field(default_factory=list)
    """Why each change that still stands was made, in order."""
    tried: set[tuple] = field(default_factory=set)
    """States of the files that were tested already."""
    before: dict[tuple, dict[str, str]] = field(default_factory=dict)
    """For each change, the texts it replaced."""


@policy
def repairer(task: str) -> Steps:
    """Repair a repository whose tests broke, or say why that cannot be done."""
    report = yield from _run_tests(None, "First I run the tests, to see what is broken.")
    if report.ok:
        objection = yield "All tests pass as they are; nothing needs repair."
        yield call("report_blocked", reason=f"The tests passed for me, but the verifier objects: {objection}")
    if not report.failures:
        yield call("report_blocked", reason=_no_tests(report))
    listing = yield say_and_call("Next, which files are there?", call("list_files", pattern="**/*"))
    search = Search(Repository(listing.content.splitlines()))
    before = report
    report = yield from _mend(search, report, 0)
    if report.ok:
        objection = yield _claim(search, before, report)
        yield call("report_blocked", reason=f"The tests pass for me, but the verifier objects: {objection}")
    yield call("report_blocked", reason=_give_up(search, report))


def _mend(search: Search, report: Report, depth: int) -> Steps:
    """Make one problem after another go away; returns the last report."""
    for failure in _problems(report):
        yield from _look(search, failure)
        problem = Problem(failure, search.repository)
        report, solved = yield from _solve(search, problem, report, depth)
        if report.ok or solved:
            return report
    return report


def _solve(search: Search, problem: Problem, report: Report, depth: int) -> Steps:
    """Try the candidates of one problem, group by group; returns the report, and whether a change was kept."""
    for group in candidates(problem):
        report, solved = yield from _solve_with(search, problem, report, depth, group)
        if solved:
            return report, True
    return report, False


def _solve_with(
    search: Search, problem: Problem, report: Report, depth: int, group: list[Candidate]
) -> Steps:
    """Try each candidate once; then go on from those that only led to another error, the best first."""
    partial: list[tuple[int, Candidate]] = []
    for candidate in group:
        if search.runs >= search.most or _key(search, candidate) in search.tried:
            continue
        after = yield from _try(search, candidate)
        if after.ok or _is_progress(problem, report, after):
            search.kept.append(candidate.why)
            return (after if after.ok else (yield from _mend(search, after, depth))), True
        if _led_on(problem, report, after):
            partial.append((after.passed, candidate))
            if candidate.score >= SURE and depth < DEEPEST and not _only_assertions(after):
                final = yield from _follow(search, candidate, after, depth)
                if final.ok:
                    return final, True
        yield from _undo(search, candidate)
    for _, candidate in sorted(partial, key=lambda pair: -pair[0]):
        if search.runs < search.most and depth < DEEPEST:
            after = yield from _try(search, candidate)
            if after.passed > report.passed and not _lost(report, after):
                search.kept.append(candidate.why)
                return (yield from _mend(search, after, depth)), True
            most, search.most = search.most, min(search.most, search.runs + SIDE_TRACK)
            final = yield from _follow(search, candidate, after, depth)
            search.most = most
            if final.ok:
                return final, True
            yield from _undo(search, candidate)
    return report, False


def _follow(search: Search, candidate: Candidate, after: Report, depth: int) -> Steps:
    """Go on from a change that led to another error; what was done on the way is undone unless it ends well."""
    texts = {path: source.text for path, source in search.repository.files.items()}
    kept = len(search.kept)
    search.kept.append(candidate.why)
    final = yield from _mend(search, after, depth + 1)
    if not final.ok:
        del search.kept[kept:]
        yield from _restore(search, texts)
    return final


def _problems(report: Report) -> list[Failure]:
    """One failure of each kind, those with a telling error first; a bare assertion says least."""
    kinds: dict[tuple, Failure] = {}
    for failure in report.failures:
        kinds.setdefault(failure.signature, failure)
    return sorted(
        kinds.values(),
        key=lambda f: (f.error == "AssertionError", f.error not in ("ImportError", "ModuleNotFoundError")),
    )


def _is_progress(problem: Problem, before: Report, after: Report) -> bool:
    """More tests pass, and none of those this problem broke fails an assertion instead."""
    if after.passed <= before.passed or _lost(before, after):
        return False
    affected = {f.test for f in before.failures if f.signature == problem.failure.signature}
    wrong = [
        f
        for f in after.failures
        if f.error == "AssertionError" and (f.test in affected or f.test not in before.failed_tests)
    ]
    return not wrong


def _led_on(problem: Problem, before: Report, after: Report) -> bool:
    """This problem is gone, nothing that passed has broken, and the same line does not fail in another such way."""
    if _lost(before, after) or not after.failures:
        return False
    frame = next(iter(problem.frames()), None)
    for failure in after.failures:
        if failure.signature == problem.failure.signature:
            return False
        here = next(iter(Problem(failure, problem.repository).frames()), None)
        other_type = failure.error == problem.failure.error == "TypeError" and not UNEXPECTED.search(
            failure.message
        )
        if here is not None and here == frame and other_type:
            return False
    return True


def _only_assertions(report: Report) -> bool:
    """Whether everything runs, and only the results are wrong: then nothing further can be read off the errors."""
    return all(failure.error == "AssertionError" for failure in report.failures)


def _lost(before: Report, after: Report) -> bool:
    return after.passed < before.passed or after.status not in (0, 1, 2)


# Observations -------------------------------------------------------------------------------------------------------


def _run_tests(search: Search | None, why: str = "") -> Steps:
    if search:
        search.runs += 1
    result = yield say_and_call(why, call("run_tests"))
    return read_report(result.content)


def _look(search: Search, failure: Failure) -> Steps:
    """Read what the failure points at, what that imports, the packages it comes from, and their change notes."""
    repository = search.repository
    first = [frame.path for frame in failure.frames] + [
        p for p in repository.paths if p.endswith("conftest.py")
    ]
    said = f"{failure.test}: {failure.error}: {failure.message[:200]}. I read the files it went through, and what they import."
    yield from _read(search, [p for p in first if p in repository._path_set], said)
    for _ in range(8):
        reached = [
            path for source in [*repository.files.values()] for path in _imported(repository, source.path)
        ]
        around = {repository.package_of(path) for path in repository.files if not is_test(path)}
        near = [path for package in around for path in repository.inside(package)]
        if not (yield from _read(search, [*reached, *near])):
            break
    yield from _read_rest(search)
    yield from _read_notes(search)


def _imported(repository: Repository, path: str) -> list[str]:
    found = []
    for each in repository.files[path].imports:
        names = [each.module, f"{each.module}.{each.name}"] if each.name else [each.module]
        parts = each.module.split(".")
        names += [".".join(parts[:n]) for n in range(1, len(parts))]
        found += [file for name in names if name and (file := repository.file_of(name))]
    return found


def _read_rest(search: Search) -> Steps:
    """In a small repository, everything: a module that nothing imports any more is found by nothing else."""
    sources = [p for p in search.repository.paths if p.endswith(".py") and not is_test(p)]
    if len(sources) <= MOST_FILES:
        yield from _read(search, sources)


def _read_notes(search: Search) -> Steps:
    repository = search.repository
    used = [repository.package_of(path).split("/")[:-1] for path in repository.files if not is_test(path)]
    notes = [path for path in repository.paths if is_note(path) and path not in repository.notes]
    notes.sort(
        key=lambda path: (-max((_shared(path.split("/")[:-1], folder) for folder in used), default=0), path)
    )
    notes = notes[: MOST_NOTES - len(repository.notes)]
    if notes:
        said = "Do any notes say what changed?"
        results = yield say_and_call(said, *(call("read_file", path=path) for path in notes))
        for path, result in zip(notes, results if isinstance(results, list) else [results], strict=True):
            repository.notes[path] = "" if result.is_error else result.content


def _shared(first: list[str], second: list[str]) -> int:
    return sum(a == b for a, b in zip(first, second, strict=False))


def _read(search: Search, paths: Iterable[str], why: str = "") -> Steps:
    """Read files that were not read yet; returns how many."""
    repository = search.repository
    fresh = [p for p in dict.fromkeys(paths) if p.endswith(".py") and p not in repository.files]
    fresh = fresh[: max(0, MOST_FILES - len(repository.files))]
    if not fresh:
        return 0
    results = yield say_and_call(why, *(call("read_file", path=path) for path in fresh))
    for path, result in zip(fresh, results if isinstance(results, list) else [results], strict=True):
        text = yield from _whole(path, result)
        repository.put(path, text)
    return len(fresh)


def _whole(path: str, result: ToolResult) -> Steps:
    """All of a file, however many pages it takes."""
    if result.is_error:
        return ""
    text, note = result.content, "\n[… lines "
    while note in text[-80:] and text.endswith("]"):
        head, _, tail = text.rpartition(note)
        more = yield call("read_file", path=path, offset=int(tail.rpartition("offset=")[2][:-1]))
        text = head if more.is_error else head + more.content
    return text


# Changes ------------------------------------------------------------------------------------------------------------


def _try(search: Search, candidate: Candidate) -> Steps:
    """Make a change and run the tests."""
    search.tried.add(_key(search, candidate))
    search.before[candidate.texts] = {path: search.repository.files[path].text for path, _ in candidate.texts}
    yield from _write(search, dict(candidate.texts), f"Perhaps: {candidate.why}.")
    return (yield from _run_tests(search))


def _key(search: Search, candidate: Candidate) -> tuple:
    """The state that a change would lead to: its own texts, and those of every file changed so far."""
    return tuple(
        sorted(
            {path: s.text for path, s in search.repository.files.items()}.items()
            | dict(candidate.texts).items()
        )
    )


def _undo(search: Search, candidate: Candidate) -> Steps:
    yield from _write(search, search.before[candidate.texts], "That did not help; I take it back.")


def _restore(search: Search, texts: dict[str, str]) -> Steps:
    changed = {p: t for p, t in texts.items() if search.repository.files[p].text != t}
    if changed:
        yield from _write(search, changed, "That led nowhere; I take it back.")


def _write(search: Search, texts: dict[str, str], why: str) -> Steps:
    """Turn files into new texts by the smallest edits; a file whose edit is refused keeps what it had."""
    for path, text in texts.items():
        for old, new in edits_between(search.repository.files[path].text, text):
            result = yield say_and_call(why, call("edit_file", path=path, old=old, new=new))
            why = ""
            if result.is_error:
                fresh = yield call("read_file", path=path)
                search.repository.put(path, (yield from _whole(path, fresh)))
                break
        else:
            search.repository.put(path, text)


# Words --------------------------------------------------------------------------------------------------------------


def _claim(search: Search, before: Report, after: Report) -> str:
    causes = "\n".join(f"- {why}" for why in search.kept)
    return f"All tests pass now, {after.passed} of them; {before.passed} did before. What I found and changed:\n{causes}"


def _no_tests(report: Report) -> str:
    if report.status == 5:
        return "pytest found no tests, so nothing could show that a repair is one."
    return (
        f"pytest ended with status {report.status} and no failure that I can read:\n{report.output[-1500:]}"
    )


def _give_up(search: Search, report: Report) -> str:
    open_ = "\n".join(f"- {f.test}: {f.error}: {f.message[:200]}" + _at(f) for f in _problems(report)[:8])
    kept = "\n".join(f"- {why}" for why in search.kept)
    stands = f"These changes helped and stand:\n{kept}" if kept else "No change helped, so none stands."
    return (
        f"I cannot repair this: {len(report.failures)} tests or files still fail, {report.passed} tests pass.\n"
        f"Still failing:\n{open_}\n{stands}\n"
        f"I ran the tests {search.runs} times with other changes: renamed and moved names, renamed arguments, and other "
        "ways of reading returned values. What is left needs somebody who knows what the code should do."
    )


def _at(failure: Failure) -> str:
    frame = (
        next((f for f in reversed(failure.frames) if not is_test(f.path)), None)
        or (failure.frames or (None,))[-1]
    )
    return f" (at {frame.path}:{frame.line})" if frame else ""


__all__ = ["Policy", "repairer"]
