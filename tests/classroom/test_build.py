"""Notebooks are made from one source each, stay fresh or say why they are not, and leak no answer."""

import asyncio

import nbformat
import pytest

from picolab import cli
from picolab.classroom import course
from picolab.classroom.answers import library_source, solution_of, stub_of
from picolab.classroom.build import check_module, make
from picolab.classroom.course import Cell
from picolab.errors import PicolabError


def answer(text, **options):
    return Cell("code", text, {"answer": "9.1", **options})


def build(*arguments):
    return cli.main(["build", *arguments])


def touched(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_build_is_fresh_and_a_second_one_changes_nothing(tiny, capsys):
    assert build() == 0
    made = {p: p.read_bytes() for p in tiny.rglob("*.ipynb")}
    assert {p.relative_to(tiny).as_posix() for p in made} == {
        f"{k}/42_tiny.ipynb" for k in ("notebooks", "exercises", "solutions")
    }
    assert build("--check") == 0
    assert build() == 0
    assert "everything is fresh" in capsys.readouterr().out
    assert {p: p.read_bytes() for p in tiny.rglob("*.ipynb")} == made
    lesson = nbformat.read(tiny / "notebooks/42_tiny.ipynb", as_version=4)
    assert lesson.cells[1].outputs[0].text == "2\n"
    assert lesson.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("lesson.py", "1 + 1", "1 + 2", "notebooks/42_tiny.ipynb"),
        ("exercises.py", "42.1 Double", "42.1 Twice", "exercises/42_tiny.ipynb"),
        ("exercises.py", "return 2 * n", "return n * 2", "solutions/42_tiny.ipynb"),
        ("checks.py", "expected 0", "expected nothing", "exercises/42_tiny.ipynb"),
    ],
)
def test_touching_one_line_of_a_source_makes_its_notebooks_stale(tiny, capsys, file, old, new, stale):
    build()
    capsys.readouterr()
    touched(tiny / "course/42_tiny" / file, old, new)
    assert build("--check") == 1
    assert stale in capsys.readouterr().out


def test_touching_the_library_makes_what_was_run_with_it_stale(tiny, capsys):
    (tiny / "picolab").mkdir()
    (tiny / "picolab/thing.py").write_text("x = 1\n", encoding="utf-8")
    build()
    capsys.readouterr()
    assert build("--check") == 0
    (tiny / "picolab/thing.py").write_text("x = 2\n", encoding="utf-8")
    assert build("--check") == 1
    assert "the package has changed" in capsys.readouterr().out


def test_missing_foreign_and_failed_notebooks_are_named(tiny, capsys):
    build()
    (tiny / "notebooks/42_tiny.ipynb").unlink()
    (tiny / "solutions/99_other.ipynb").write_text("{}", encoding="utf-8")
    capsys.readouterr()
    assert build("--check") == 1
    said = capsys.readouterr().out
    assert "notebooks/42_tiny.ipynb is missing" in said
    assert "99_other.ipynb belongs to no module" in said


def test_a_lesson_that_fails_is_an_error_and_writes_nothing(tiny, capsys):
    touched(tiny / "course/42_tiny/lesson.py", "print(1 + 1)", "1 / 0")
    assert build() == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert not (tiny / "notebooks/42_tiny.ipynb").exists()


def test_a_build_keeps_answers_that_stand_in_the_exercises(tiny, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    build()
    path = tiny / "exercises/42_tiny.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cell = next(c for c in notebook.cells if c.metadata.get("answer") == "42.1")
    cell.source = "def double(n):\n    return 'mine'"
    nbformat.write(notebook, path)
    assert build("--check") == 0
    touched(tiny / "course/42_tiny/exercises.py", "42.2 The sum", "42.2 The total")
    assert build() == 0
    assert "return 'mine'" in path.read_text(encoding="utf-8")
    assert "The total" in path.read_text(encoding="utf-8")
    monkeypatch.setenv("CI", "true")
    assert check_module(course.module("42"))


def test_cell_ids_are_stable_and_of_their_own():
    for module in course.modules():
        first, second = make(module, "exercises"), make(module, "solutions")
        assert [c.id for c in first.cells] == [c.id for c in second.cells]
        assert len({c.id for c in first.cells}) == len(first.cells)


def test_a_stub_keeps_the_signature_and_the_docstring_and_nothing_else():
    source = 'def f(a: int, *, b=2) -> int:\n    """Do it."""\n    # BEGIN SOLUTION\n    secret = a\n    return secret * b\n    # END SOLUTION'
    stub = stub_of(answer(source))
    assert stub.startswith('def f(a: int, *, b=2) -> int:\n    """Do it."""\n    raise NotImplementedError')
    assert "secret" not in stub
    assert solution_of(answer(source)).count("SOLUTION") == 0


def test_a_piece_of_the_library_becomes_a_stub_without_its_body():
    stub = stub_of(answer("", source="picolab.loop:loop"))
    assert "async def loop(ask: Ask, act: Act, review: Review, history: History) -> Reply:" in stub
    assert "Run until a reply without calls passes review" in stub
    assert "history.add" not in stub
    compile(stub, "stub", "exec")
    whole = stub_of(answer("", source="picolab.history:History"))
    assert "def replace_view(self, messages" in whole
    assert "self.view = list(messages)" not in whole
    compile(whole, "stub", "exec")
    assert library_source("picolab.loop:loop") == solution_of(answer("", source="picolab.loop:loop"))


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    # BEGIN SOLUTION\n    return 1",
        "def f():\n    return 1\n    # END SOLUTION",
        "def f():\n    # BEGIN SOLUTION\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION",
        "def f():\n    return 1",
    ],
)
def test_markers_that_do_not_pair_up_are_an_error_because_they_would_leak(source):
    with pytest.raises(PicolabError, match=r"9\.1"):
        stub_of(answer(source))


def test_an_answer_that_names_nothing_is_an_error():
    with pytest.raises(PicolabError, match=r"picolab\.loop:nothing"):
        solution_of(answer("", source="picolab.loop:nothing"))


def test_a_check_judges_at_once_and_gives_the_next_hint_each_time(tiny, capsys):
    from picolab.classroom import CheckFailed, check

    said = []
    for _ in range(4):
        with pytest.raises(CheckFailed) as failed:
            asyncio.run(check("42.1", lambda n: n))
        said.append("\n".join(failed.value._render_traceback_()))
    assert [
        "Nudge" in said[0],
        "Method" in said[1],
        "Nearly there" in said[2],
        "Nearly there" in said[3],
    ] == [True] * 4
    assert "expected" in said[0]
    asyncio.run(check("42.1", lambda n: 2 * n))
    assert "2 points" in capsys.readouterr().out
    with pytest.raises(CheckFailed, match="not answered yet"):
        asyncio.run(check("42.1", None))


def test_an_answer_that_raises_is_told_where_and_with_what(tiny):
    from picolab.classroom import CheckFailed, check

    names = {}
    exec(compile("def double(n):\n    half = n / 0\n    return half", "/a/learners/cell", "exec"), names)
    with pytest.raises(CheckFailed, match=r"ZeroDivisionError.*double\(n=\d+\), line 2"):
        asyncio.run(check("42.1", names["double"]))
