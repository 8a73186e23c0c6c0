"""The repairing agent on repositories that were made a moment ago: mended, or rightly given up, and never half believed."""

import asyncio
import hashlib
import os
import shutil

import pytest
from broken import BREAKS, HOPELESS, LAYOUTS, NOTES, write

from picolab.classroom.course import workspace
from picolab.repair import repair

NAMES = [("quill", "bakery"), ("abacus", "garden_app"), ("umbra", "shop"), ("lantern", "postoffice")]
CASES = [
    (kind, NAMES[(at + shift) % len(NAMES)], list(LAYOUTS)[(at + shift) % len(LAYOUTS)], notes)
    for at, kind in enumerate(BREAKS)
    for shift, notes in enumerate(("none", list(NOTES)[1 + at % (len(NOTES) - 1)]))
]


def mended(path, **options):
    return asyncio.run(repair(path, **options))


def fingerprint(folder):
    """Names, bytes and times of everything in a folder."""
    found = [
        (p.relative_to(folder).as_posix(), p.stat().st_mtime_ns, p.is_file() and p.read_bytes())
        for p in folder.rglob("*")
    ]
    return hashlib.sha256(repr(sorted(found)).encode()).hexdigest()


@pytest.mark.parametrize(
    ("kind", "names", "layout", "notes"), CASES, ids=[f"{k}, {n}" for k, _, _, n in CASES]
)
def test_a_break_is_repaired_whatever_the_names_the_layout_and_the_notes(
    kind, names, layout, notes, tmp_path
):
    lib, app = names
    folder = write(tmp_path / "repository", BREAKS[kind], lib, app, layout, notes)
    before = fingerprint(folder)
    outcome, evidence = mended(folder)
    assert outcome.state == "completed", outcome.reason
    assert evidence.verified
    assert fingerprint(folder) == before
    assert not [line for line in evidence.diff.splitlines() if line.startswith("+++ b/tests/")]
    changed = {
        line.removeprefix("+++ b/") for line in evidence.diff.splitlines() if line.startswith("+++ b/")
    }
    home = LAYOUTS[layout][0].format(lib=lib)
    assert changed
    assert not [path for path in changed if path.startswith(home + "/") or "_vendor" in path]


@pytest.mark.parametrize("kind", HOPELESS)
def test_what_cannot_be_repaired_is_blocked_with_a_report_and_nothing_changed(kind, tmp_path):
    folder = write(tmp_path / "repository", HOPELESS[kind], "quill", "bakery", "vendored", "changelog")
    outcome, evidence = mended(folder)
    assert outcome.state == "blocked"
    assert "test_core" in outcome.reason or "test_" in outcome.reason
    assert evidence.diff == ""
    assert not evidence.verified


def test_the_running_task_is_repaired_in_several_steps(tmp_path):
    outcome, evidence = mended(workspace("broken-build"))
    assert outcome.state == "completed"
    assert len(evidence.passes_now) == 14
    assert len(evidence.failed_before) == 3
    assert "parse_table(sheet, separator=" in evidence.diff
    assert outcome.steps > 10


def test_several_breaks_in_one_repository_are_all_repaired(tmp_path):
    first = write(tmp_path / "repository", BREAKS["keyword renamed"], "quill", "bakery", "vendored", "none")
    write(tmp_path / "other", BREAKS["a pair became an object"], "abacus", "shop", "vendored", "changelog")
    for part in ("vendor/abacus", "shop"):
        shutil.copytree(tmp_path / "other" / part, first / part)
    shutil.copy(tmp_path / "other/tests/test_core.py", first / "tests/test_shop.py")
    outcome, evidence = mended(first)
    assert outcome.state == "completed", outcome.reason
    assert {"bakery/core.py", "shop/core.py"} == {
        line[6:] for line in evidence.diff.splitlines() if line.startswith("+++ b/")
    }


def test_line_ends_and_a_byte_order_mark_survive(tmp_path):
    folder = write(
        tmp_path / "repository", BREAKS["keyword renamed"], "quill", "bakery", "vendored", "changelog"
    )
    path = folder / "bakery/core.py"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    outcome, _ = mended(folder, into=tmp_path / "kept")
    assert outcome.state == "completed", outcome.reason
    data = (tmp_path / "kept/bakery/core.py").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == data.count(b"\n") > 5
    assert b"columns=4,  # width of a line" in data


def test_a_repository_whose_tests_pass_needs_nothing(tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r/test_fine.py").write_text("def test_fine():\n    assert True\n", encoding="utf-8")
    outcome, evidence = mended(tmp_path / "r")
    assert outcome.state == "completed"
    assert "nothing needs repair" in outcome.answer
    assert evidence.diff == ""


def test_a_repository_without_tests_is_blocked(tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r/thing.py").write_text("x = 1\n", encoding="utf-8")
    outcome, _ = mended(tmp_path / "r")
    assert outcome.state == "blocked"
    assert "no tests" in outcome.reason


def test_a_test_that_calls_the_dependency_itself_is_left_alone(tmp_path):
    folder = write(
        tmp_path / "repository", BREAKS["constant renamed"], "quill", "bakery", "vendored", "changelog"
    )
    (folder / "tests/test_core.py").write_text(
        "import quill\n\n\ndef test_it():\n    assert quill.TIMEOUT == 30\n", encoding="utf-8"
    )
    outcome, evidence = mended(folder)
    assert outcome.state == "blocked"
    assert evidence.diff == ""


def test_tests_that_hang_are_stopped(tmp_path, monkeypatch):
    from picolab.repair import command

    monkeypatch.setattr(command, "run_tests", lambda root: _hanging(root))
    (tmp_path / "r").mkdir()
    (tmp_path / "r/test_slow.py").write_text(
        "import time\n\n\ndef test_slow():\n    time.sleep(600)\n", encoding="utf-8"
    )
    monkeypatch.setattr(command, "repair_tools", lambda ws: _tools(ws))
    outcome, _ = mended(tmp_path / "r")
    assert outcome.state == "blocked"
    assert "status -1" in outcome.reason


async def _hanging(root):
    from picolab.verify import run_tests

    return await run_tests(root, seconds=2)


def _tools(workspace):
    from picolab.repair.command import report_blocked
    from picolab.tools.files import file_tools
    from picolab.tools.tests import test_tool

    return [*file_tools(workspace), test_tool(workspace, seconds=2), report_blocked]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_odd_files_in_a_repository_are_no_obstacle(tmp_path):
    folder = write(
        tmp_path / "repository", BREAKS["constant renamed"], "quill", "bakery", "vendored", "changelog"
    )
    os.mkfifo(folder / "pipe")
    (folder / "inside").symlink_to("bakery/core.py")
    (folder / "outside").symlink_to("/etc")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "data.bin").write_bytes(bytes(range(256)) * 40)
    (folder / "bakery/latin.py").write_bytes(
        "# -*- coding: latin-1 -*-\nNAME = 'caf\xe9'\n".encode("latin-1")
    )
    outcome, _ = mended(folder, into=tmp_path / "kept")
    assert outcome.state == "completed", outcome.reason
    assert (tmp_path / "kept/bakery/latin.py").read_bytes() == (folder / "bakery/latin.py").read_bytes()
    assert (tmp_path / "kept/inside").is_symlink()
