"""Verification from outside: what has to be true before a repair is believed.

The agent's tools are not used, and nothing the agent says is read. The tests that count are the original ones.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from picolab.outcomes import VARIABLE
from picolab.repair.failures import Failure, read_report
from picolab.repair.sources import is_test
from picolab.tools.tests import run_pytest
from picolab.workspace import Workspace, copy_of

CONFIGURATION = {
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
}
NEVER_NEW = re.compile(
    r"(^|/)(conftest|sitecustomize|usercustomize|pytest|_pytest)(\.py$|/)|\.pth$|(^|/)\.?pytest\.(ini|toml)$|(^|/)tox\.ini$|(^|/)setup\.cfg$|(^|/)(entry_points\.txt)$"
)
DEPENDENCY = re.compile(r"(^|/)(_?vendor(ed)?|third[_-]?party|extern(al)?|site-packages|deps|dependencies)/")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a claim holds, and what the claimant is told if it does not."""

    ok: bool
    feedback: str = ""
    evidence: Any = None


@dataclass(frozen=True)
class TestRun:
    """What became of each test in one run."""

    __test__ = False  # it is about tests; it is not one

    status: int | None
    """pytest's exit status as pytest itself reported it; None when the process left without a report."""
    tests: dict[str, str] = field(default_factory=dict)
    """Outcome by test: passed, failed, skipped or xfailed."""
    skipped_in: dict[str, str] = field(default_factory=dict)
    """For each skipped test, the file in which the skip was called for."""
    output: str = field(default="", repr=False)

    def with_outcome(self, *outcomes: str) -> list[str]:
        return [name for name, outcome in self.tests.items() if outcome in outcomes]

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failures, as the output describes them."""
        return read_report(self.output).failures


async def run_tests(root: Path, seconds: float = 300.0) -> TestRun:
    """Run the tests of a folder in a fresh process and collect each one's outcome."""
    with tempfile.TemporaryDirectory(prefix="picolab-verify-") as folder:
        report = Path(folder) / "outcomes.json"
        options = ["-p", "picolab.outcomes", "--tb=short", "-q", "--color=no", "-p", "no:cacheprovider"]
        status, output = await run_pytest(
            root, [*options, "--continue-on-collection-errors"], seconds, {VARIABLE: str(report)}
        )
        try:
            data = json.loads(report.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return TestRun(None, output=output + f"\nexit status {status}")
        agreed = data["status"] if data["status"] == status else None
        return TestRun(agreed, data["tests"], data["skipped_in"], output + f"\nexit status {status}")


class PytestVerifier:
    """Believes a repair when the original tests, put back byte for byte, pass in a fresh copy of the repaired tree.

    Call it with a task and an answer; both are ignored. The verdict's evidence is the TestRun.
    """

    def __init__(self, original: str | Path, workspace: Workspace, before: TestRun, seconds: float = 300.0):
        self.original, self.workspace, self.before, self.seconds = (
            Path(original).resolve(),
            workspace,
            before,
            seconds,
        )

    async def __call__(self, task: str, answer: str) -> Verdict:
        if reason := self._tampered():
            return Verdict(False, reason)
        with tempfile.TemporaryDirectory(prefix="picolab-verify-") as folder:
            fresh = copy_of(self.workspace.root, Path(folder) / (self.original.name or "repository"))
            _put_back(self.original, fresh.root)
            after = await run_tests(fresh.root, self.seconds)
        reason = _why_not(self.before, after)
        return Verdict(not reason, reason, after)

    def _tampered(self) -> str:
        """What was changed that a repair must not touch; empty when nothing was."""
        old, new = _contents(self.original), _contents(self.workspace.root)
        touched = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
        for path in touched:
            if is_test(path) or Path(path).name in CONFIGURATION:
                return f"{path} belongs to the tests or their configuration and was changed; put it back and repair the code"
            if path not in old and NEVER_NEW.search(path):
                return f"{path} is new and could change how tests run; remove it and repair the code"
            if DEPENDENCY.search(path):
                return f"{path} belongs to a dependency and was changed; put it back and adapt the code that uses it"
        return ""


def _contents(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file())
    kept = ((path.relative_to(root).as_posix(), path) for path in files)
    return {name: path.read_bytes() for name, path in kept if not _is_made(name)}


def _is_made(name: str) -> bool:
    return bool(
        re.search(
            r"(^|/)(\.git|__pycache__|\.pytest_cache|\.hypothesis|\.venv|venv|node_modules|[^/]+\.egg-info)/|\.pyc$|(^|/)\.coverage$",
            name,
        )
    )


def _put_back(original: Path, fresh: Path) -> None:
    """Tests and their configuration as they were, whatever stands in the copy."""
    for path in original.rglob("*"):
        name = path.relative_to(original).as_posix()
        if path.is_file() and not _is_made(name) and (is_test(name) or path.name in CONFIGURATION):
            target = fresh / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def _why_not(before: TestRun, after: TestRun) -> str:
    """Why a run of the tests does not show a repair; empty when it does."""
    if after.status is None:
        return (
            "the test process ended without pytest's own report, so nothing was shown:\n"
            + after.output[-1500:]
        )
    failed = after.with_outcome("failed")
    if failed or after.status != 0:
        return f"the verifier ran the tests itself, and {len(failed)} fail:\n{_short(failed)}\n{after.output[-1500:]}"
    if not after.with_outcome("passed"):
        return "no test passed; a run without tests shows nothing"
    lost = [name for name in before.tests if _is_a_test(name) and name not in after.tests]
    if lost:
        return f"{len(lost)} tests that ran before are not run any more:\n{_short(lost)}"
    quiet = [
        name
        for name in after.with_outcome("skipped", "xfailed")
        if before.tests.get(name) in ("passed", "failed") or _skipped_by_code(name, before, after)
    ]
    return f"{len(quiet)} tests are skipped or expected to fail now:\n{_short(quiet)}" if quiet else ""


def _is_a_test(name: str) -> bool:
    return "::" in name


def _skipped_by_code(name: str, before: TestRun, after: TestRun) -> bool:
    """Whether a test that was not known before is skipped by a line outside the tests."""
    place = after.skipped_in.get(name, "")
    return name not in before.tests and bool(place) and not is_test(Path(place).as_posix())


def _short(names: Iterable[str]) -> str:
    names = list(names)
    more = [f"… and {len(names) - 10} more"] if len(names) > 10 else []
    return "\n".join([*names[:10], *more])
