"""Grading answers that are right, wrong, odd and malicious. One bad answer never costs another task."""

import json
import os
import time
import warnings

import nbformat
import psutil
import pytest

from picolab import cli
from picolab.classroom import course, grade, progress
from picolab.classroom.build import make, write
from picolab.errors import PicolabError

RIGHT = {
    "42.1": "def double(n):\n    return n + n",
    "42.2": "def total(numbers):\n    result = 0\n    for n in numbers:\n        result += n\n    return result",
    "42.3": "async def wait_for(thing):\n    found = await thing()\n    return found",
}


def sheet(answers, edit=None):
    """Write a learner's notebook with these answers, changed by `edit`; returns its path."""
    module = course.module("42")
    notebook = make(module, "exercises")
    for cell in notebook.cells:
        if cell.metadata.get("answer") in answers:
            cell.source = answers[cell.metadata.answer]
    if edit:
        edit(notebook)
    path = module.notebook("exercises")
    write(path, notebook)
    return path


def graded(answers, edit=None):
    return {mark.task: mark for mark in grade.grade(str(sheet(answers, edit))).marks}


def only_the_first(source, edit=None):
    """The mark of a bad first answer; the two right ones beside it must not suffer."""
    marks = graded(RIGHT | {"42.1": source}, edit)
    assert [marks[task].outcome for task in ("42.2", "42.3")] == ["passed", "passed"]
    assert [marks[task].points for task in ("42.2", "42.3")] == [3, 1]
    return marks["42.1"]


def test_right_answers_of_another_shape_get_all_points(tiny):
    marks = graded(RIGHT)
    assert [(m.outcome, m.points) for m in marks.values()] == [("passed", 2), ("passed", 3), ("passed", 1)]


def test_an_untouched_set_is_not_answered_and_costs_no_time(tiny):
    began = time.monotonic()
    marks = graded({})
    assert {m.outcome for m in marks.values()} == {"not answered"}
    assert time.monotonic() - began < 5


def test_a_wrong_answer_says_what_was_expected_what_came_and_on_which_input(tiny):
    mark = only_the_first("def double(n):\n    return n * n")
    assert (mark.outcome, mark.points) == ("wrong", 0)
    (found,) = mark.checks
    assert "for n=" in found["message"]
    assert "expected" in found["message"]
    assert mark.hint


def test_part_of_the_checks_gives_part_of_the_points(tiny):
    marks = graded(RIGHT | {"42.2": "def total(numbers):\n    return sum(numbers) or None"})
    assert (marks["42.2"].outcome, marks["42.2"].points) == ("partly", 1.5)
    assert [c["ok"] for c in marks["42.2"].checks] == [True, False]


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("def double(n)\n    return 2 * n", "syntax error"),
        ("def double(n):\n    return 2 *", "syntax error"),
        ("def double(n):\n    return twice(n)", "wrong"),
        ("double = undefined_name", "error"),
        ("def double(n):\n    raise NotImplementedError", "not answered"),
        ("double = None", "not answered"),
        ("double = 7", "wrong"),
        ("import os\nos._exit(0)", "died"),
        ("def double(n):\n    import os\n    os._exit(0)", "died"),
        ("def double(n):\n    import os\n    os.kill(os.getpid(), 9)", "died"),
        ("def double(n):\n    import ctypes\n    ctypes.string_at(0)", "died"),
        ("def double(n):\n    exit()", "wrong"),
        ("def double(n):\n    raise KeyboardInterrupt", "wrong"),
        ("def double(n):\n    raise SystemExit(0)", "wrong"),
        ("def double(n):\n    return [0] * 10**12", "wrong"),
        ("hoard = []\nwhile True:\n    hoard.append(bytearray(50_000_000))", "memory"),
        ("from IPython.display import display\ndef double(n):\n    return 'text'", "wrong"),
        ("async def double(n):\n    return 2 * n", "wrong"),
        ("class double:\n    def __new__(cls, n):\n        return 2 * n", "passed"),
        ("double = lambda n: n << 1", "passed"),
        ("import math\nprint('hello', end='')\ndouble = (2).__mul__", "passed"),
    ],
)
def test_odd_answers_have_clear_outcomes(tiny, source, outcome):
    mark = only_the_first(source)
    assert mark.outcome == outcome, mark
    if outcome not in ("passed", "not answered"):
        assert mark.message or any(c["message"] for c in mark.checks)
        assert mark.points == 0


def test_endless_loops_end_within_their_limit(tiny, monkeypatch):
    monkeypatch.setattr(grade, "CELL_SECONDS", 3)
    for source in ("while True:\n    pass", "def double(n):\n    while True:\n        pass"):
        began = time.monotonic()
        mark = only_the_first(source)
        assert mark.outcome == "timed out"
        assert "loop" in mark.message
        assert time.monotonic() - began < 40


def test_a_flood_of_output_is_stopped(tiny, monkeypatch):
    monkeypatch.setattr(grade, "CELL_SECONDS", 15)
    mark = only_the_first("line = 'x' * 1_000_000\nwhile True:\n    print(line)")
    assert mark.outcome in ("output", "timed out", "memory")


CHEATS = {
    "a constant": "def double(n):\n    return 84",
    "checks that expect nothing": "import picolab.classroom.checking as c\nc.expect = lambda *a: None\nimport picolab.classroom\npicolab.classroom.expect = c.expect\ndef double(n):\n    return 0",
    "a check of one's own": "async def check(*a):\n    print('pass doubles_a_number 0123456789abcdef')\ndef double(n):\n    return 0",
    "printed passes": "def double(n):\n    print('pass doubles_a_number 0123456789abcdef')\n    return 0",
    "a silenced judge": "import picolab.classroom.checking as c\nasync def judge(*a):\n    return c.Judgement('42.1', [])\nc.judge = judge\ndef double(n):\n    return 0",
    "no failures allowed": "import picolab.classroom.checking as c\nc.Unmet = type('Never', (Exception,), {})\ndef double(n):\n    return 0",
    "an equal to everything": "class Yes:\n    def __eq__(self, other):\n        return True\n    def __str__(self):\n        return 'yes'\ndef double(n):\n    return Yes()",
    "a mark to look away": "# NBVAL_SKIP\ndef double(n):\n    return 0",
    "an ignored output": "# NBVAL_IGNORE_OUTPUT\ndef double(n):\n    return 0",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_cheats_get_no_points(tiny, cheat):
    mark = only_the_first(CHEATS[cheat])
    assert mark.points == 0
    assert mark.outcome in ("wrong", "error", "died", "timed out")


def test_saved_outputs_count_for_nothing(tiny):
    def forge(notebook):
        for cell in notebook.cells:
            if cell.metadata.get("check") == "42.1":
                cell.outputs = [
                    nbformat.v4.new_output(
                        "stream", name="stdout", text="✔ 42.1: all 1 checks pass · 2 points\n"
                    )
                ]
                cell.execution_count = 7

    assert only_the_first("def double(n):\n    return 3 * n", forge).points == 0


def test_changed_removed_and_marked_check_cells_are_replaced_and_mentioned(tiny):
    def edit(notebook):
        for cell in notebook.cells:
            if cell.metadata.get("check") == "42.1":
                cell.source = "print('fine')"
                cell.metadata["tags"] = ["raises-exception"]
        notebook.metadata.kernelspec["name"] = "julia"

    path = sheet(RIGHT | {"42.1": "def double(n):\n    return 0"}, edit)
    result = grade.grade(str(path))
    assert result.marks[0].points == 0
    notes = "\n".join(result.notes)
    for words in ("42.1: its check cell was changed", "raises-exception", "julia"):
        assert words in notes


def test_missing_doubled_and_moved_answer_cells_have_words_of_their_own(tiny):
    def edit(notebook):
        answers = [cell for cell in notebook.cells if "answer" in cell.metadata]
        notebook.cells.remove(answers[0])
        twin = nbformat.from_dict(answers[1])
        notebook.cells.append(
            nbformat.v4.new_code_cell(twin.source, id="twin0000", metadata=dict(twin.metadata))
        )
        notebook.cells.remove(answers[2])
        notebook.cells.insert(0, answers[2])

    marks = graded(RIGHT, edit)
    assert marks["42.1"].outcome == "missing"
    assert "picolab update" in marks["42.1"].message
    assert marks["42.2"].outcome == "passed"
    assert marks["42.3"].outcome == "passed"


def test_two_different_answers_to_one_task_are_not_guessed_between(tiny):
    def edit(notebook):
        cell = next(c for c in notebook.cells if c.metadata.get("answer") == "42.2")
        notebook.cells.append(nbformat.from_dict({**cell, "source": "total = max"}))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # writing a notebook with a doubled id warns, as it should
        path = sheet(RIGHT, edit)
    marks = {m.task: m for m in grade.grade(str(path)).marks}
    assert marks["42.2"].outcome == "doubled"
    assert marks["42.1"].outcome == "passed"


def test_an_answer_that_needs_a_cell_of_ones_own_is_told_so(tiny):
    def edit(notebook):
        notebook.cells.insert(1, nbformat.v4.new_code_cell("FACTOR = 2"))

    mark = only_the_first("def double(n, by=FACTOR):\n    return by * n", edit)
    assert mark.outcome == "error"
    assert "Only your answer cells" in mark.message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "not a notebook"),
        ("{}", "not a notebook"),
        ("", "not a notebook"),
        ('{"cells": [\n<<<<<<< ours\n', "unfinished merge"),
        ("\x00\x01", "not a notebook"),
    ],
)
def test_a_file_that_is_no_notebook_is_an_error_that_says_what_to_do(tiny, text, says, capsys):
    path = sheet(RIGHT)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PicolabError, match=says):
        grade.grade("42")
    assert cli.main(["grade", "42"]) == 2
    assert "picolab update" in capsys.readouterr().err


@pytest.mark.skipif(
    not grade.namespaces(), reason="this machine has no network namespaces; the grader says so too"
)
def test_there_is_no_network_while_grading(tiny):
    source = "import socket\ntry:\n    socket.create_connection(('192.0.2.1', 80), timeout=1)\n    reached = True\nexcept OSError as error:\n    reached = 'unreachable' not in str(error)\ndef double(n):\n    return n if reached else 2 * n"
    assert only_the_first(source).outcome == "passed"


def test_files_of_the_course_and_the_home_folder_are_out_of_an_answers_reach(tiny):
    victim = tiny / "course/42_tiny/checks.py"
    before = victim.read_bytes()
    source = "import os, shutil\nfrom pathlib import Path\nshutil.rmtree('../course', ignore_errors=True)\n(Path.home() / 'mark').write_text('x')\ndef double(n):\n    return 2 * n"
    only_the_first(source)
    assert victim.read_bytes() == before
    assert not os.path.exists(os.path.expanduser("~/mark"))


def test_nothing_that_an_answer_starts_outlives_the_grading(tiny):
    name = f"picolab-left-behind-{os.getpid()}"
    source = f"import subprocess, sys, threading, time\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)  # {name}'], start_new_session=True)\nthreading.Thread(target=time.sleep, args=(300,)).start()\ndef double(n):\n    return 2 * n"
    assert only_the_first(source).outcome == "passed"
    assert not [p for p in psutil.process_iter() if name in " ".join(_command(p))]


def _command(process):
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_the_command_prints_text_json_and_a_page_and_keeps_progress(tiny, capsys, tmp_path):
    sheet(RIGHT | {"42.1": "def double(n):\n    return n"})
    page = tmp_path / "grades.html"
    assert cli.main(["grade", "42", "--json", "--html", str(page)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["points"], report["of"], report["module"]) == (4, 6, "42")
    assert [m["outcome"] for m in report["marks"]] == ["wrong", "passed", "passed"]
    assert report["isolation"]
    assert "4 of 6 points" in page.read_text(encoding="utf-8")
    assert cli.main(["progress", "--json"]) == 1
    kept = json.loads(capsys.readouterr().out)
    assert kept["modules"][0]["points"] == 4
    assert "42.1" in kept["next"]
    sheet(RIGHT)
    assert cli.main(["grade", "--all"]) == 0
    assert cli.main(["progress"]) == 0


def test_damaged_progress_is_put_aside_and_not_lost(tiny):
    course.state().mkdir()
    (course.state() / "progress.json").write_text("{broken", encoding="utf-8")
    assert progress.read() == {}
    (aside,) = course.state().glob("progress-damaged-*")
    assert aside.read_text(encoding="utf-8") == "{broken"
