"""Judging one answer: checks that raise, words that help, and evidence that cannot be copied from an old run."""

import hashlib
import importlib.util
import inspect
import json
import math
import os
import random
import secrets
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

from picolab.classroom import course
from picolab.errors import PicolabError

SEED, GRADING = "PICOLAB_SEED", "PICOLAB_GRADING"
_registry: dict[str, list[Callable[..., Any]]] = {}


class Unmet(AssertionError):
    """Something that a check expected does not hold."""


class CheckFailed(Exception):
    """A task's checks did not all pass. In a notebook only its words are shown, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


def expect(condition: Any, message: str) -> None:
    """Raise with this message unless the condition holds: say what was expected, what came, and on which input."""
    if not condition:
        raise Unmet(message)


def judges(task: str) -> Callable[[Callable], Callable]:
    """Make a function one of the checks of a task. Their order is the order in the file."""

    def register(function: Callable) -> Callable:
        _registry.setdefault(task, []).append(function)
        return function

    return register


@dataclass(frozen=True)
class Result:
    """What one check found."""

    name: str
    message: str = ""
    """Empty when it passed."""
    digest: str = ""
    """A short name for the evidence; every right answer has the same."""
    unanswered: bool = False

    @property
    def ok(self) -> bool:
        return not self.message


@dataclass
class Judgement:
    """What all checks of one task found."""

    id: str
    results: list[Result] = field(default_factory=list)

    @cached_property
    def task(self) -> course.Task:
        """What the course says of the task; looked up only when somebody reads it."""
        return next(each for each in course.module(self.id.partition(".")[0]).tasks if each.id == self.id)

    @property
    def ok(self) -> bool:
        return all(result.ok for result in self.results)

    @property
    def points(self) -> float:
        return share(self.task.points, sum(r.ok for r in self.results), len(self.results))


def share(points: int, passed: int, of: int) -> float:
    """Points for part of a task's checks, rounded down to a tenth."""
    return math.floor(10 * points * passed / of) / 10 if of else 0.0


async def check(task: str, answer: Any) -> None:
    """Judge an answer on fresh inputs, and print its points.

    Raises:
        CheckFailed: with what was expected, what came, on which input, and the next hint.
    """
    judgement = await judge(task, answer, os.environ.get(SEED) or secrets.token_hex(8))
    if os.environ.get(GRADING):
        for result in judgement.results:
            print(line_of(result) if result.ok else failure_line(result))
        if not judgement.ok:
            raise CheckFailed(f"{task}: not all checks passed")
        return
    if judgement.ok:
        _forget_failures(task)
        total = judgement.task.points
        print(f"✔ {task}: all {len(judgement.results)} checks pass · {total} point{'s' * (total != 1)}")
        return
    raise CheckFailed(_words(judgement))


async def judge(task: str, answer: Any, seed: str) -> Judgement:
    """Run every check of a task, each with its own random numbers, and gather what they found."""
    module = course.module(task.partition(".")[0])
    checks = load_checks(module).get(task, [])
    if not checks:
        raise PicolabError(f"there is no task {task!r} with checks in {module.stem}")
    return Judgement(task, [await _run(each, answer, task, seed) for each in checks])


def load_checks(module: course.Module) -> dict[str, list[Callable]]:
    """The checks of a module by task, loaded from its file anew."""
    _registry.clear()
    name = f"picolab_checks_{module.number}"
    spec = importlib.util.spec_from_file_location(name, module.checks_path)
    loaded: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return {task: list(checks) for task, checks in _registry.items()}


async def _run(function: Callable, answer: Any, task: str, seed: str) -> Result:
    name = function.__name__
    if answer is None or answer is ... or _is_stub(answer, task):
        return Result(name, "not answered yet", unanswered=True)
    try:
        evidence = function(answer, random.Random(f"{seed}:{task}:{name}"))
        if inspect.isawaitable(evidence):
            evidence = await evidence
        return Result(name, digest=digest_of(evidence))
    except Unmet as unmet:
        return Result(name, str(unmet) or "it does not hold")
    except NotImplementedError:
        return Result(name, "not answered yet", unanswered=True)
    except (Exception, SystemExit) as error:
        return Result(name, _blame(error))


def _is_stub(answer: Any, task: str) -> bool:
    """Whether an answer still holds the line that was put in its place; a harness under test may swallow its error."""
    code = getattr(inspect.unwrap(answer), "__code__", None) if callable(answer) else None
    return code is not None and f"{task}: write your answer here" in code.co_consts


def digest_of(evidence: Any) -> str:
    """A short name for evidence: numbers to nine digits, sets in order, everything else as JSON."""
    return hashlib.sha256(json.dumps(_plain(evidence), sort_keys=True).encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float) or hasattr(value, "item"):
        number = value.item() if hasattr(value, "item") else value
        return f"{float(number):.9g}"
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value)


def line_of(result: Result) -> str:
    """How a passed check reads under grading."""
    return f"pass {result.name} {result.digest}"


def failure_line(result: Result) -> str:
    """How a failed check reads under grading; the grader takes the words from it and nothing else."""
    kind = "none" if result.unanswered else "fail"
    return f"{kind} {result.name} {json.dumps(result.message)}"


# Words --------------------------------------------------------------------------------------------------------------


def _blame(error: BaseException) -> str:
    """What an exception inside an answer says: its type, the line of the answer, and the arguments it was given."""
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    frames = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith(str(course.root()))
        and not _is_installed(frame.f_code.co_filename)
    ]
    if not frames:
        return f"your answer led to {said}"
    frame, line = frames[-1]
    code = frame.f_code
    given = [f"{name}={_short(frame.f_locals.get(name))}" for name in code.co_varnames[: code.co_argcount]]
    where = (
        f"in {code.co_name}({', '.join(given)}), line {line} of its cell"
        if code.co_name != "<module>"
        else f"line {line}"
    )
    return f"your answer raised {said}, {where}"


def _is_installed(path: str) -> bool:
    return "site-packages" in path or path.startswith((sys.prefix, sys.base_prefix, "<frozen"))


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else text[:59] + "…"


def _words(judgement: Judgement) -> str:
    task, results = judgement.task, judgement.results
    if all(result.unanswered for result in results):
        return f"○ {task.id}: not answered yet. Write your answer in the cell above, run it, and run this one again."
    passed = sum(result.ok for result in results)
    lines = [
        f"✖ {task.id}: {passed} of {len(results)} checks pass · {judgement.points:g} of {task.points} points"
    ]
    for result in results:
        mark = "✔" if result.ok else "✖"
        lines.append(f"  {mark} {result.name.replace('_', ' ')}")
        if not result.ok:
            lines.append(f"      {result.message}")
    if hint := _next_hint(task):
        lines.append(f"  Hint. {hint}")
    return "\n".join(lines)


def _next_hint(task: course.Task) -> str:
    """The hint for the next failure: the first one first, the last one from then on."""
    counts = _read_counts()
    failures = counts.get(task.id, 0)
    _write_counts(counts | {task.id: failures + 1})
    return task.hints[min(failures, len(task.hints) - 1)] if task.hints else ""


def _forget_failures(task: str) -> None:
    counts = _read_counts()
    if counts.pop(task, None) is not None:
        _write_counts(counts)


def _read_counts() -> dict[str, int]:
    with suppress(OSError, ValueError):
        counts = json.loads((course.state() / "failures.json").read_text(encoding="utf-8"))
        if isinstance(counts, dict):
            return {str(k): v for k, v in counts.items() if isinstance(v, int)}
    return {}


def _write_counts(counts: dict[str, int]) -> None:
    with suppress(OSError):
        course.state().mkdir(parents=True, exist_ok=True)
        (course.state() / "failures.json").write_text(json.dumps(counts), encoding="utf-8")
