"""`picolab update`: the learner's answers in the newest exercises. Nothing that a learner wrote is ever lost."""

import argparse
import copy
import time
import warnings
from pathlib import Path

from picolab.classroom import course
from picolab.classroom.course import digest
from picolab.errors import PicolabError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("modules", nargs="*", help="numbers of modules; all of them if none is given")


def run(args: argparse.Namespace) -> int:
    from picolab.classroom.build import dump, make, write

    for module in [course.module(each) for each in args.modules] or course.modules():
        path = module.notebook("exercises")
        if not module.exercises:
            continue
        if not path.exists():
            write(path, make(module, "exercises"))
            print(f"{path.name}: made anew")
            continue
        try:
            old = read_learners(path)
        except PicolabError:
            kept = archive(path, "unreadable")
            write(path, make(module, "exercises"))
            print(f"{path.name}: could not be read; it is kept as {kept}, and a new one was made")
            continue
        fresh, answers = carry_answers(old, make(module, "exercises"))
        if dump(fresh) == path.read_text(encoding="utf-8"):
            print(f"{path.name}: nothing to do")
            continue
        kept = archive(path, "before-update")
        write(path, fresh)
        print(f"{path.name}: updated, {len(answers)} answers kept; what was there before is {kept}")
    return 0


def read_learners(path: Path):
    """A learner's notebook.

    Raises:
        PicolabError: it is missing, not a notebook, or holds the marks of a merge that was not finished.
    """
    import nbformat

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PicolabError(f"{path} is not there; `picolab update` makes it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PicolabError(f"{path} cannot be read: {error}") from None
    if "\n<<<<<<< " in text or text.startswith("<<<<<<< "):
        raise PicolabError(
            f"{path} holds the marks of an unfinished merge (<<<<<<<). Finish the merge, or run `picolab update`, which keeps "
            "the file as it is in .picolab/archive and makes a new one"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # doubled and missing ids are dealt with by whoever reads the cells
            notebook = nbformat.reads(text, as_version=4)
            nbformat.validate(notebook)
        return notebook
    except Exception as error:
        raise PicolabError(
            f"{path} is not a notebook any more ({type(error).__name__}). Run `picolab update`, which keeps the file in "
            ".picolab/archive and makes a new one"
        ) from None


def is_answer(cell) -> bool:
    return cell.cell_type == "code" and "answer" in cell.metadata


def is_written(cell) -> bool:
    """Whether an answer cell holds anything else than the stub it was made with."""
    return digest(cell.source) != cell.metadata.get("stub")


def carry_answers(old, new):
    """`new` with every answer and every extra cell of `old` in it; also the tasks whose answers were carried.

    Answers are found by cell id, or by the task written in the cell's metadata. An answer whose task is gone, and each
    cell of the learner's own, stays behind the cell it stood behind, or at the end.
    """
    fresh = copy.deepcopy(new)
    theirs = {cell.id: cell for cell in fresh.cells}
    by_task = {cell.metadata.answer: cell for cell in fresh.cells if is_answer(cell)}
    carried, taken, behind = [], set(), None
    for cell in old.cells:
        target = theirs.get(cell.id) or (
            by_task.get(cell.metadata.get("answer")) if is_answer(cell) else None
        )
        if target is not None and target.id not in taken:
            taken.add(target.id)
            if is_answer(target) and (is_written(cell) or not is_answer(cell)):
                target.source = cell.source
                carried.append(target.metadata.answer)
            if is_answer(target) or target.metadata.get("check"):
                target.outputs, target.execution_count = cell.get("outputs", []), cell.get("execution_count")
            behind = target
        elif _is_own(cell):
            extra = _own_copy(cell)
            place = next((i for i, c in enumerate(fresh.cells) if c is behind), len(fresh.cells) - 1)
            fresh.cells.insert(place + 1, extra)
            behind = extra
    return fresh, carried


def _is_own(cell) -> bool:
    """Whether a cell that the new version does not have is the learner's: not one of the course's, unchanged."""
    return bool(cell.source.strip()) and digest(cell.source) != cell.metadata.get("made")


def _own_copy(cell):
    extra = copy.deepcopy(cell)
    for name in ("answer", "stub", "made", "check", "task"):
        extra.metadata.pop(name, None)
    return extra


def archive(path: Path, why: str) -> Path:
    """Keep a file, byte for byte, among the learner's archives; returns where."""
    folder = course.state() / "archive"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    target, number = folder / f"{path.stem}-{stamp}-{why}.ipynb", 1
    while target.exists():
        number += 1
        target = folder / f"{path.stem}-{stamp}-{why}-{number}.ipynb"
    target.write_bytes(path.read_bytes())
    return target
