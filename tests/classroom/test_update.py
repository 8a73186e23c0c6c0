"""What a learner wrote is carried into newer exercises, and archived byte for byte before anything is written."""

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from picolab import cli
from picolab.classroom import course
from picolab.classroom.build import make, write
from picolab.classroom.update import carry_answers

odd_text = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)


def learners(answers, extra=()):
    notebook = make(course.module("42"), "exercises")
    for cell in notebook.cells:
        if cell.metadata.get("answer") in answers:
            cell.source = answers[cell.metadata.answer]
    for at, cell in extra:
        notebook.cells.insert(at, cell)
    path = course.module("42").notebook("exercises")
    write(path, notebook)
    return path


def newer(tiny):
    """The course moves on: a task gets a new text, and another task is taken out."""
    path = tiny / "course/42_tiny/exercises.py"
    text = path.read_text(encoding="utf-8").replace("42.1 Double", "42.1 Twice as much")
    begin, end = text.index('# %% [markdown] task="42.3"'), len(text)
    path.write_text(text[:begin] + text[end:], encoding="utf-8")


def archived():
    return sorted((course.state() / "archive").glob("*.ipynb"))


def test_answers_and_own_cells_come_along_and_the_old_file_is_kept_byte_for_byte(tiny):
    own = nbformat.v4.new_code_cell("helper = 7  # mine")
    answers = {
        "42.1": "def double(n):\n    return n + n",
        "42.3": "async def wait_for(thing):\n    return 'mine'",
    }
    path = learners(answers, [(3, own)])
    before = path.read_bytes()
    newer(tiny)
    assert cli.main(["update", "42"]) == 0
    (kept,) = archived()
    assert kept.read_bytes() == before
    fresh = nbformat.read(path, as_version=4)
    sources = [cell.source for cell in fresh.cells]
    assert answers["42.1"] in sources
    assert answers["42.3"] in sources, "an answer whose task is gone stays in the notebook"
    assert own.source in sources
    assert any("Twice as much" in source for source in sources)
    after = path.read_bytes()
    assert cli.main(["update", "42"]) == 0
    assert path.read_bytes() == after


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(odd_text, odd_text)
def test_any_text_comes_through_as_it_was(tiny, answer, own):
    old = make(course.module("42"), "exercises")
    cell = next(c for c in old.cells if c.metadata.get("answer") == "42.1")
    cell.source = answer
    old.cells.append(nbformat.v4.new_markdown_cell(own))
    fresh, _ = carry_answers(old, make(course.module("42"), "exercises"))
    found = next(c for c in fresh.cells if c.metadata.get("answer") == "42.1")
    assert found.source == answer
    if own.strip():
        assert own in [c.source for c in fresh.cells]


def test_an_answer_whose_cell_lost_its_id_is_found_by_its_label(tiny):
    old = make(course.module("42"), "exercises")
    cell = next(c for c in old.cells if c.metadata.get("answer") == "42.2")
    cell.id, cell.source = "another0", "total = sum"
    fresh, carried = carry_answers(old, make(course.module("42"), "exercises"))
    assert carried == ["42.2"]
    assert len(fresh.cells) == len(old.cells)


@pytest.mark.parametrize("text", ["", "broken", '{"cells": [\n<<<<<<< ours\n=======\n>>>>>>> theirs\n'])
def test_a_file_that_cannot_be_read_is_kept_and_a_new_one_made(tiny, text):
    path = learners({})
    path.write_text(text, encoding="utf-8")
    assert cli.main(["update", "42"]) == 0
    (kept,) = archived()
    assert kept.read_text(encoding="utf-8") == text
    assert nbformat.read(path, as_version=4).cells


def test_a_missing_file_is_made_anew(tiny):
    assert cli.main(["update", "42"]) == 0
    assert course.module("42").notebook("exercises").exists()


def test_reset_brings_one_task_or_all_back_and_archives_first(tiny):
    answers = {"42.1": "def double(n):\n    return 'mine'", "42.2": "total = sum"}
    path = learners(answers)
    before = path.read_bytes()
    assert cli.main(["reset", "42", "42.1"]) == 0
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    assert answers["42.1"] not in sources
    assert answers["42.2"] in sources
    assert archived()[0].read_bytes() == before
    middle = path.read_bytes()
    assert cli.main(["reset", "42"]) == 0
    assert answers["42.2"] not in path.read_text(encoding="utf-8")
    assert {each.read_bytes() for each in archived()} == {before, middle}


def test_reset_of_a_task_that_is_none_changes_nothing(tiny, capsys):
    path = learners({})
    before = path.read_bytes()
    assert cli.main(["reset", "42", "42.9"]) == 2
    assert "42.1, 42.2, 42.3" in capsys.readouterr().err
    assert path.read_bytes() == before
