"""Each rule finds the fault it is for, and the course itself has none."""

import re

import pytest

from picolab import cli
from picolab.classroom import course, lint_exercises, lint_files, lint_lesson
from picolab.classroom.lint import lint

RULES = [rule for module in (lint_lesson, lint_exercises, lint_files) for rule in module.RULES]
REAL = course.modules()


@pytest.mark.parametrize("module", REAL, ids=lambda m: m.stem)
def test_the_course_is_in_shape(module):
    assert [str(finding) for finding in lint(module)] == []


FAULTS = {
    "every_part_is_there": ("lesson.py", r'tags=\["limits"\]', 'tags=["limited"]'),
    "parts_come_in_order": ("lesson.py", r'\[markdown\] tags=\["goals"\]', '[markdown] tags=["sources"]'),
    "every_prediction_is_revealed_later": ("lesson.py", r'reveal\(\n?\s*"01a"', 'reveal("01z"'),
    "headings_form_a_tree": ("lesson.py", r"# ## The naive loop", "# #### The naive loop"),
    "it_says_how_long_and_what_it_needs": ("lesson.py", r"60 minutes\.", "An hour."),
    "cells_are_short": (
        "lesson.py",
        r"FILES = \{",
        "\n".join(f"x{n} = {n}" for n in range(15)) + "\nFILES = {",
    ),
    "figures_are_shown_through_the_helper": (
        "lesson.py",
        r"FILES = \{",
        "import matplotlib.pyplot as plt\nFILES = {",
    ),
    "pictures_have_descriptions": (
        "lesson.py",
        r"# ## The naive loop",
        "# ![](x.png)\n#\n# ## The naive loop",
    ),
    "numbers_in_prose_are_computed": (
        "lesson.py",
        r"# ## The naive loop",
        "# It takes 4,711 tokens.\n#\n# ## The naive loop",
    ),
    "notebooks_need_no_tricks": (
        "lesson.py",
        r"await naive_loop\(counter\(\), TOOLS, \"How many bytes\?\"\)\n\n# %% \[m",
        'asyncio.run(naive_loop(counter(), TOOLS, "How many bytes?"))\n\n# %% [m',
    ),
    "four_to_seven_tasks": ("exercises.py", r'task="01.[456]"', 'other="x"'),
    "tasks_get_harder": ("exercises.py", r'task="01.1" points=1 level=1', 'task="01.1" points=1 level=3'),
    "each_task_says_what_it_is": ("exercises.py", r"· 5 minutes · 1 point", "· 9 minutes · 1 point"),
    "three_hints_each": ("exercises.py", r"<summary>Method", "<summary>How"),
    "each_task_has_its_cells": ("exercises.py", r'check="01.2"', 'check="01.1"'),
    "links_lead_somewhere": (
        "lesson.py",
        r"# ## The naive loop",
        "# See [this](nowhere.md).\n#\n# ## The naive loop",
    ),
    "numbers_stand_in_file_names_only": ("lesson.py", r"# # The loop", "# # 01 The loop"),
}


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """The loop module, in a checkout that may be spoilt."""
    import shutil

    base = course.root()
    shutil.copytree(base / "course/01_loop", tmp_path / "course/01_loop")
    for folder in ("notebooks", "exercises", "solutions", "picolab"):
        shutil.copytree(base / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(base / "pyproject.toml", tmp_path / "pyproject.toml")
    monkeypatch.setenv("PICOLAB_ROOT", str(tmp_path))
    return tmp_path / "course/01_loop"


@pytest.mark.parametrize("rule", FAULTS)
def test_a_rule_finds_its_fault(copy, rule):
    name, pattern, new = FAULTS[rule]
    text = (copy / name).read_text(encoding="utf-8")
    assert re.search(pattern, text), "the lesson has changed; choose another place to spoil"
    (copy / name).write_text(
        re.sub(pattern, lambda _: new, text, count=0 if "[456]" in pattern else 1), encoding="utf-8"
    )
    found = {finding.rule for finding in lint(course.module("01"))}
    assert rule in found


def test_rules_about_files_find_theirs(copy):
    (copy / "right/käse.py").write_text("x = 1\n", encoding="utf-8")
    (copy / "wrong/1_forgets_the_task.py").write_text("x = 1\n", encoding="utf-8")
    for path in (copy / "right").glob("2_*"):
        path.unlink()
    notebook = copy.parents[1] / "notebooks/01_loop.ipynb"
    notebook.write_text(
        notebook.read_text(encoding="utf-8").replace('"name": "python3"', '"name": "mine"'), encoding="utf-8"
    )
    found = {finding.rule for finding in lint(course.module("01"))}
    assert {"names_are_portable", "checks_are_proven", "the_kernel_is_python3"} <= found


def test_every_rule_is_proven_here():
    proven = {*FAULTS, "names_are_portable", "checks_are_proven", "the_kernel_is_python3"}
    assert proven == {rule.__name__ for rule in RULES}


def test_the_command_says_where_and_fails(copy, capsys):
    (copy / "right/käse.py").write_text("x = 1\n", encoding="utf-8")
    assert cli.main(["lint"]) == 1
    assert "right/käse.py: names_are_portable: use a short name" in capsys.readouterr().out
