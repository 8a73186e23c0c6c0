"""A pytest plugin that writes down what became of each test, for a verifier that does not read prose.

It is loaded with `-p picolab.outcomes` in the process that runs the tests, and writes once, at the very end: a process that
left early has written nothing.
"""

import json
import os
from pathlib import Path

VARIABLE = "PICOLAB_OUTCOMES"
ORDER = ["passed", "xfailed", "skipped", "failed"]
"""The worst of a test's three phases counts."""

_tests: dict[str, str] = {}
_skipped_in: dict[str, str] = {}


def pytest_runtest_logreport(report) -> None:
    outcome = "xfailed" if hasattr(report, "wasxfail") and report.outcome == "skipped" else report.outcome
    before = _tests.get(report.nodeid, "passed")
    _tests[report.nodeid] = max(before, outcome, key=ORDER.index)
    if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        _skipped_in[report.nodeid] = str(report.longrepr[0])


def pytest_collectreport(report) -> None:
    if report.outcome == "failed":
        _tests[report.nodeid] = "failed"
    elif report.outcome == "skipped":
        _tests[report.nodeid] = "skipped"
        if isinstance(report.longrepr, tuple):
            _skipped_in[report.nodeid] = str(report.longrepr[0])


def pytest_sessionfinish(session, exitstatus) -> None:
    path = os.environ.get(VARIABLE)
    if path:
        done = {"status": int(exitstatus), "tests": _tests, "skipped_in": _skipped_in}
        Path(path).write_text(json.dumps(done), encoding="utf-8")
