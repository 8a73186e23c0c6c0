"""What a learner's notebook holds: their answers by task, and everything about the file that needs saying."""

import ast
from dataclasses import dataclass, field
from pathlib import Path

from picolab.classroom.course import Module
from picolab.classroom.update import is_answer, is_written, read_learners

MARKS = ("NBVAL_SKIP", "NBVAL_IGNORE_OUTPUT", "NBVAL_CHECK_OUTPUT", "NBVAL_RAISES_EXCEPTION")


@dataclass
class Sheet:
    """Answers by task, problems by task, and notes about the file."""

    answers: dict[str, str] = field(default_factory=dict)
    problems: dict[str, tuple[str, str]] = field(default_factory=dict)
    """For a task without a usable answer: the outcome, and what to do."""
    notes: list[str] = field(default_factory=list)


def read_sheet(path: Path, module: Module, pristine) -> Sheet:
    """The answers in a notebook, whatever else was done to it.

    Raises:
        PicolabError: the file cannot be read as a notebook.
    """
    notebook, sheet = read_learners(path), Sheet()
    for task in module.tasks:
        cell = next(c for c in pristine.cells if c.metadata.get("answer") == task.id)
        found = [
            c for c in notebook.cells if c.id == cell.id or (is_answer(c) and c.metadata.answer == task.id)
        ]
        if found and all(c.id != cell.id for c in found):
            sheet.notes.append(f"{task.id}: the answer cell had lost its id and was found by its label")
        _take(sheet, task.id, found)
    _remark(sheet, notebook, pristine)
    return sheet


def _take(sheet: Sheet, task: str, found: list) -> None:
    if not found:
        sheet.problems[task] = (
            "missing",
            "its answer cell is gone; `picolab update` puts it back and keeps everything else",
        )
        return
    written = [cell for cell in found if is_written(cell)]
    if len(written) > 1 and len({cell.source for cell in written}) > 1:
        sheet.problems[task] = (
            "doubled",
            "it has two answer cells that differ, so none was taken; delete one of them",
        )
        return
    cell = (written or found)[0]
    if len(found) > 1:
        sheet.notes.append(f"{task}: its answer cell stands twice; the one that was filled in was taken")
    if cell.cell_type != "code":
        sheet.problems[task] = (
            "missing",
            "its answer cell is not a code cell any more; change it back to code",
        )
    elif not is_written(cell) or not cell.source.strip():
        sheet.problems[task] = ("not answered", "nothing was written into its answer cell")
    elif error := syntax_error(cell.source):
        sheet.problems[task] = ("syntax error", error)
    else:
        sheet.answers[task] = cell.source


def syntax_error(source: str) -> str:
    """Where a cell is not Python; empty when it is, with notebook magics and top-level await allowed."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        compile(
            TransformerManager().transform_cell(source),
            "answer",
            "exec",
            flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
        )
        return ""
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        words = getattr(error, "msg", None) or str(error)
        return f"line {line} of the answer: {words}" if line else words


def _remark(sheet: Sheet, notebook, pristine) -> None:
    """Say what was found and not used: the grader takes answers and nothing else."""
    kernel = notebook.metadata.get("kernelspec", {}).get("name", "python3")
    if kernel != "python3":
        sheet.notes.append(f"the notebook asks for the kernel {kernel!r}; it was graded with python3")
    theirs = {c.id: c for c in notebook.cells}
    for cell in pristine.cells:
        if "check" in cell.metadata:
            mine = theirs.get(cell.id)
            if mine is None:
                sheet.notes.append(f"{cell.metadata.check}: its check cell is gone; the original was used")
            elif mine.source.strip() != cell.source.strip():
                sheet.notes.append(
                    f"{cell.metadata.check}: its check cell was changed; the original was used"
                )
    for cell in notebook.cells:
        marked = [mark for mark in MARKS if mark in cell.source] + (
            ["raises-exception"] if "raises-exception" in cell.metadata.get("tags", []) else []
        )
        if marked:
            sheet.notes.append(f"a cell is marked {marked[0]}; such marks were ignored")
    order = [c.metadata.answer for c in notebook.cells if is_answer(c)]
    if order != sorted(order):
        sheet.notes.append("answer cells were moved; each was graded in its own place")
