"""`picolab grade`: every answer in a pristine notebook of its own, in a fresh process, on fresh inputs."""

import argparse
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

from picolab.classroom import course
from picolab.classroom.answers import answer_name, run_cells, setup_cells, solutions
from picolab.classroom.checking import GRADING, SEED, judge, line_of, load_checks, share
from picolab.classroom.confined import end_all, namespaces
from picolab.classroom.course import Module, Task
from picolab.classroom.sheet import Sheet, read_sheet
from picolab.errors import PicolabError

CELL_SECONDS, TASK_SECONDS = 20, 60
MEGABYTES = 4096
"""Address space of each process; what a kernel really uses is bounded in `watching`."""
WORDS = {
    "died": "the kernel died while this answer ran: it left with os._exit, or a signal ended it",
    "memory": "the answer used more memory than a task may have (1.5 GB)",
    "output": "the answer printed more than anybody could read; its output was stopped",
    "timed out": f"the answer did not end within {CELL_SECONDS} seconds; is there a loop that never ends?",
}


@dataclass
class Mark:
    """What became of one task."""

    task: str
    title: str
    outcome: str
    """passed, partly, wrong, error, not answered, syntax error, timed out, memory, died, output, missing or doubled."""
    points: float
    of: int
    checks: list[dict[str, Any]] = field(default_factory=list)
    message: str = ""
    hint: str = ""


@dataclass
class Grade:
    """What became of one exercise set."""

    module: str
    notebook: str
    marks: list[Mark]
    notes: list[str]
    isolation: str
    seed: str

    @property
    def points(self) -> float:
        return round(sum(mark.points for mark in self.marks), 1)

    @property
    def of(self) -> int:
        return sum(mark.of for mark in self.marks)

    def as_json(self) -> dict[str, Any]:
        return {"schema": 1, **asdict(self), "points": self.points, "of": self.of}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", help="numbers of modules, or paths of notebooks")
    parser.add_argument("--all", action="store_true", help="grade every module")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--html", metavar="FILE", help="write the report as a page")


def run(args: argparse.Namespace) -> int:
    from picolab.classroom import progress, report

    if not args.what and not args.all:
        raise PicolabError("say what to grade: `picolab grade 01`, a path of a notebook, or --all")
    wanted = [m for m in course.modules() if m.exercises] if args.all else args.what
    grades, broken = [], []
    for each in wanted:
        try:
            grades.append(grade(each))
        except PicolabError as error:
            if not args.all:
                raise
            broken.append(str(error))
    for each in grades:
        progress.record(each)
        if not args.json:
            print(report.as_text(each))
    if args.json:
        shown = [each.as_json() for each in grades]
        print(
            json.dumps(shown[0] if len(shown) == 1 and not args.all else shown, ensure_ascii=False, indent=2)
        )
    for line in broken:
        print(f"picolab grade: {line}", file=sys.stderr)
    if args.html:
        Path(args.html).write_text(report.as_html(grades), encoding="utf-8")
        print(f"report written to {args.html}", file=sys.stderr)
    return 0 if not broken and all(each.points == each.of for each in grades) else 1


def grade(what: str | Path | Module) -> Grade:
    """Grade one exercise set, given as a module, its number, or the path of a notebook.

    Raises:
        PicolabError: there is no such notebook, or it cannot be read.
    """
    from picolab.classroom.build import make

    module = what if isinstance(what, Module) else course.module(str(what))
    given = Path(str(what))
    path = given if given.suffix == ".ipynb" else module.notebook("exercises")
    if not module.tasks:
        raise PicolabError(f"{module.stem} has no graded tasks")
    sheet = read_sheet(path, module, make(module, "exercises"))
    seed, wall = secrets.token_hex(8), namespaces()
    wanted = [task for task in module.tasks if task.id in sheet.answers]
    expected = _expected(module, wanted, seed) if wanted else {}
    with ThreadPoolExecutor(max(1, min(2, os.cpu_count() or 1))) as pool:
        made = dict(
            zip(
                (t.id for t in wanted),
                pool.map(lambda t: _grade_task(module, t, sheet, expected, seed, wall), wanted),
                strict=True,
            )
        )
    marks = [made.get(task.id) or _unusable(task, sheet) for task in module.tasks]
    return Grade(module.number, str(path), marks, sheet.notes, _isolation(wall), seed)


def _isolation(wall: list[str]) -> str:
    if any("p" in option for option in wall[1:2]):
        return "a process of its own for each task: no network, own process table, limited memory, time and output"
    if wall:
        return "a process of its own for each task: no network, limited memory, time and output"
    return "a process of its own for each task with limited memory, time and output; the network could not be cut off on this machine"


def _unusable(task: Task, sheet: Sheet) -> Mark:
    outcome, message = sheet.problems[task.id]
    return Mark(
        task.id, task.title, outcome, 0.0, task.points, [], message, task.hints[0] if task.hints else ""
    )


def _expected(module: Module, tasks: list[Task], seed: str) -> dict[str, list[str]]:
    """For each task the lines that its checks print for the solution, under the same seed."""
    import asyncio

    names = run_cells([*setup_cells(module), *solutions(module).values()])
    lines = {}
    for task in tasks:
        judgement = asyncio.run(judge(task.id, eval(answer_name(module, task.id), names), seed))
        if not judgement.ok:
            raise PicolabError(
                f"the course's own answer to {task.id} does not pass; that is a fault of the course"
            )
        lines[task.id] = [line_of(result) for result in judgement.results]
    return lines


# One task -----------------------------------------------------------------------------------------------------------


def _grade_task(
    module: Module, task: Task, sheet: Sheet, expected: dict[str, list[str]], seed: str, wall: list[str]
) -> Mark:
    with tempfile.TemporaryDirectory(prefix="picolab-grade-", ignore_cleanup_errors=True) as folder:
        base = _private_copy(Path(folder))
        notebook = _assemble(module, task, sheet.answers[task.id], expected[task.id])
        path = base / "exercises" / f"{module.stem}.ipynb"
        path.parent.mkdir()
        path.write_text(notebook, encoding="utf-8")
        log = Path(folder) / "log" / "cells.jsonl"
        log.parent.mkdir()
        _run(path, base, log, seed, wall)
        return _mark(module, task, _read_log(log), expected[task.id])


def _private_copy(folder: Path) -> Path:
    """A course folder that an answer may ruin."""
    base = folder / "course-copy"
    shutil.copytree(
        course.root() / "course",
        base / "course",
        ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"),
    )
    shutil.copy2(course.root() / "pyproject.toml", base / "pyproject.toml")
    (folder / "home").mkdir()
    (folder / "tmp").mkdir()
    return base


def _assemble(module: Module, task: Task, answer: str, expected: list[str]) -> str:
    """The pristine notebook with one learner's answer in it, the course's own answers before it, and one check."""
    import nbformat
    import nbformat.v4 as v4

    from picolab.classroom.answers import solution_of
    from picolab.classroom.build import KERNEL, ids

    cells = []
    for cell, id in zip(module.exercises, ids(module, module.exercises), strict=True):
        if cell.kind != "code":
            continue
        if "answer" in cell.options:
            source = answer if cell.options["answer"] == task.id else solution_of(cell)
            cells.append(
                v4.new_code_cell(_unmarked(source), id=id, metadata={"tags": ["nbval-ignore-output"]})
            )
            if cell.options["answer"] == task.id:
                continue
        elif "check" in cell.options:
            if cell.options["check"] == task.id:
                text = "".join(line + "\n" for line in expected)
                made = v4.new_code_cell(
                    cell.source,
                    id=id,
                    execution_count=1,
                    outputs=[v4.new_output("stream", name="stdout", text=text)],
                )
                cells.append(made)
                break
        else:
            cells.append(v4.new_code_cell(cell.source, id=id, metadata={"tags": ["nbval-ignore-output"]}))
    notebook = v4.new_notebook(
        cells=cells, metadata={"kernelspec": dict(KERNEL), "language_info": {"name": "python"}}
    )
    return nbformat.writes(notebook)


def _unmarked(source: str) -> str:
    """A cell without marks that would tell the test runner to look away."""
    return source.replace("NBVAL_", "nbval marks are ignored: ")


def _run(path: Path, base: Path, log: Path, seed: str, wall: list[str]) -> None:
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PICOLAB_", "JUPYTER_"))
    }
    environment |= {
        SEED: seed,
        GRADING: "1",
        "PICOLAB_ROOT": str(base),
        "PICOLAB_HOME": str(base / ".picolab"),
        "PICOLAB_CELL_LOG": str(log),
        "HOME": str(base.parent / "home"),
        "TMPDIR": str(base.parent / "tmp"),
        "IPYTHONDIR": str(base.parent / "home" / "ipython"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "PYTHONPATH": os.pathsep.join(
            [str(Path(course.__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
        ).rstrip(os.pathsep),
    }
    options = ["-p", "picolab.classroom.watching", "-p", "picolab.classroom.sockets", "-p", "nbval.plugin"]
    options += ["-p", "no:cacheprovider", "-q", "-x", "-c", os.devnull]
    nbval = [
        "--nbval",
        "--nbval-current-env",
        "--nbval-cell-timeout",
        str(CELL_SECONDS),
        "--nbval-kernel-startup-timeout",
        "60",
    ]
    confined = [sys.executable, "-m", "picolab.classroom.confined", str(MEGABYTES)]
    command = [
        *wall,
        *confined,
        sys.executable,
        "-m",
        "pytest",
        *options,
        *nbval,
        "--rootdir",
        str(base),
        str(path),
    ]
    process = subprocess.Popen(
        command,
        cwd=path.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(TASK_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    finally:
        end_all(psutil.Process(process.pid)) if process.poll() is None else None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        process.wait()


def _read_log(log: Path) -> list[dict[str, Any]]:
    records = []
    if log.exists():
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                records.append(record)
    return records


def _mark(module: Module, task: Task, records: list[dict[str, Any]], expected: list[str]) -> Mark:
    """From what the cells did to points, outcome and words."""
    from picolab.classroom.build import ids

    places = dict(zip(ids(module, module.exercises), module.exercises, strict=True))
    check = next(id for id, cell in places.items() if cell.options.get("check") == task.id)
    answer = next(id for id, cell in places.items() if cell.options.get("answer") == task.id)
    done = {r["cell"]: r for r in records if r.get("event") == "done"}
    stopped = next((r["event"] for r in records if r.get("event") in WORDS), None)
    printed = _printed(done.get(check))
    passed = [line for line in expected if line in printed]
    checks = [_check_result(line, printed) for line in expected]
    points = share(task.points, len(passed), len(expected))
    mark = Mark(
        task.id,
        task.title,
        "wrong",
        points,
        task.points,
        checks,
        "",
        task.hints[min(1, len(task.hints) - 1)] if task.hints else "",
    )
    error = _error(done.get(answer))
    if stopped:
        mark.outcome, mark.points, mark.message = stopped, 0.0, WORDS[stopped]
    elif done.get(check, {}).get("outcome") == "passed":
        mark.outcome, mark.hint = "passed", ""
    elif _timed_out(done.get(answer)) or _timed_out(done.get(check)) or (not done.get(check) and not error):
        mark.outcome, mark.points, mark.message = "timed out", 0.0, WORDS["timed out"]
    elif error:
        mark.outcome, mark.points, mark.message = _named(error)
    elif _error(done.get(check))[:1] == ("MemoryError",):
        mark.outcome, mark.message = "memory", WORDS["memory"]
    elif all(not each["ok"] and each["message"] == "not answered yet" for each in checks):
        mark.outcome, mark.message = "not answered", "the answer still says that it is not written"
    elif passed:
        mark.outcome = "partly" if len(passed) < len(expected) else "wrong"
    if mark.outcome in ("wrong", "partly") and not any(each["message"] for each in checks):
        mark.message = (
            _escaped(done.get(check)) or "the checks did not say what the course's own answer makes them say"
        )
    if mark.outcome != "passed" and mark.points >= mark.of:
        mark.points = share(task.points, max(0, len(expected) - 1), len(expected))
    return mark


def _printed(record: dict[str, Any] | None) -> list[str]:
    if not record:
        return []
    return "".join(
        o.get("text", "") for o in record["outputs"] if o["kind"] == "stream" and o.get("name") == "stdout"
    ).splitlines()


def _check_result(line: str, printed: list[str]) -> dict[str, Any]:
    name = line.split(" ")[1]
    said = next((p for p in printed if p.startswith((f"fail {name} ", f"none {name} "))), None)
    message = ""
    if said:
        try:
            message = str(json.loads(said.split(" ", 2)[2]))
        except ValueError:
            message = said
    elif line not in printed and any(p.startswith(f"pass {name} ") for p in printed):
        message = "on these inputs the answer leads to other values than the course's own; is something in it fixed?"
    return {"name": name, "ok": line in printed, "message": message}


def _error(record: dict[str, Any] | None) -> tuple[str, str, str] | tuple[()]:
    found = [o for o in (record or {}).get("outputs", []) if o["kind"] == "error"]
    return (
        (found[-1].get("ename", ""), found[-1].get("evalue", ""), found[-1].get("traceback", ""))
        if found
        else ()
    )


def _named(error: tuple) -> tuple[str, float, str]:
    name, words, _ = error
    if name == "MemoryError":
        return "memory", 0.0, WORDS["memory"]
    message = f"running the answer cell raised {name}: {words}"
    if name in ("NameError", "ModuleNotFoundError", "ImportError"):
        message += ". Only your answer cells are graded: what an answer needs must stand in it, or in a cell the course gives"
    return "error", 0.0, message


def _escaped(record: dict[str, Any] | None) -> str:
    error = _error(record)
    return f"the check raised {error[0]}: {error[1]}" if error and error[0] != "CheckFailed" else ""


def _timed_out(record: dict[str, Any] | None) -> bool:
    return bool(record) and record["outcome"] != "passed" and "imeout" in record.get("why", "")


__all__ = ["Grade", "Mark", "grade", "load_checks"]
