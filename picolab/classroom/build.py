"""`picolab build`: notebooks, exercises and solutions from course/, and the proof that they are fresh."""

import argparse
import asyncio
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from picolab.classroom import course
from picolab.classroom.answers import solution_of, stub_of
from picolab.classroom.course import Cell, Module, digest
from picolab.classroom.sockets import sockets_in
from picolab.errors import PicolabError

KINDS = ("notebooks", "exercises", "solutions")
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
WIDGET = "application/vnd.jupyter.widget-view+json"
ASKED = {"recall", "predict", "reveal"}
"""Cells whose code would give away what they ask; a reader sees their output only, and can unfold the code."""
SECONDS = 120
"""Time for one cell while building."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("modules", nargs="*", help="numbers of modules; all of them if none is given")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if anything is stale")
    parser.add_argument("--force", action="store_true", help="run notebooks again even if nothing changed")


def run(args: argparse.Namespace) -> int:
    wanted = [course.module(each) for each in args.modules] or course.modules()
    from picolab.classroom import readme

    if args.check:
        stale = [line for each in wanted for line in check_module(each)] + _strangers() + readme.stale()
        for line in stale:
            print(f"stale: {line}")
        print(
            "run `make build`, look at what changed, and commit it"
            if stale
            else f"{len(wanted)} modules are fresh"
        )
        return 1 if stale else 0
    for line in asyncio.run(_build_all(wanted, args.force)):
        print(line)
    for path in readme.write():
        print(f"wrote {path}")
    return 0


# Making -------------------------------------------------------------------------------------------------------------


def make(module: Module, kind: str):
    """A notebook of one kind, not yet executed: cells with stable ids, and what it was made from."""
    import nbformat.v4 as v4

    cells = module.lesson if kind == "notebooks" else module.exercises
    notebook = v4.new_notebook(
        metadata={
            "kernelspec": dict(KERNEL),
            "language_info": {"name": "python"},
            "picolab": {
                "module": module.number,
                "kind": kind,
                "code": code_digest(),
                "checks": module.checks_digest,
            },
        }
    )
    if kind == "exercises":
        del notebook.metadata.picolab["code"]
    notebook.cells = [_cell(cell, kind, id) for cell, id in zip(cells, ids(module, cells), strict=True)]
    return notebook


def code_digest() -> str:
    """A short name for the package and the workspaces that lessons run on; executed outputs belong to one."""
    base = course.root()
    files = [*sorted((base / "picolab").rglob("*.py")), *sorted((base / "course" / "workspaces").rglob("*"))]
    texts = [
        f"{p.relative_to(base).as_posix()}\0{p.read_bytes().decode('utf-8', 'replace')}"
        for p in files
        if p.is_file() and "__pycache__" not in p.parts
    ]
    return digest("\0".join(texts))


def ids(module: Module, cells: list[Cell]) -> list[str]:
    """A stable id for each cell: from its task, or from its heading and its place under that heading.

    Raises:
        PicolabError: two cells would share one.
    """
    found, heading, counts = [], "", {}
    for cell in cells:
        options = cell.options
        if "answer" in options or "check" in options:
            key = f"answer/{options['answer']}" if "answer" in options else f"check/{options['check']}"
        else:
            if cell.kind == "markdown" and (match := re.search(r"^#+ (.+)$", cell.source, re.M)):
                heading = match[1]
            place = f"{heading}/{cell.kind}"
            counts[place] = counts.get(place, 0) + 1
            key = f"{place}/{counts[place]}"
        found.append(digest(f"{module.stem}/{key}"))
    for id in found:
        if found.count(id) > 1:
            raise PicolabError(
                f"{module.stem}: two cells share the id {id}; give one of them another task or heading"
            )
    return found


def _cell(cell: Cell, kind: str, id: str) -> Any:
    import nbformat.v4 as v4

    source, options = (
        cell.source,
        {k: v for k, v in cell.options.items() if k in ("tags", "task", "answer", "check", "points")},
    )
    if ASKED & set(cell.tags):
        options["jupyter"] = {"source_hidden": True}
    if "answer" in cell.options:
        source = stub_of(cell) if kind == "exercises" else solution_of(cell)
        options["editable"] = True
        if kind == "exercises":
            options["stub"] = digest(source)
    if kind == "exercises":
        options["made"] = digest(source)
    if cell.kind == "markdown":
        return v4.new_markdown_cell(source, id=id, metadata=options)
    return v4.new_code_cell(source, id=id, metadata=options)


async def _build_all(wanted: list[Module], force: bool) -> list[str]:
    two_at_once = asyncio.Semaphore(2)

    async def build(module: Module, kind: str) -> str | None:
        async with two_at_once:
            return await _build(module, kind, force)

    jobs = [build(module, kind) for module in wanted for kind in KINDS if _has(module, kind)]
    results = await asyncio.gather(*jobs, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    done = [line for line in results if line]
    for path in _strangers_paths():
        path.unlink()
        done.append(f"removed {path.relative_to(course.root())}, which no module makes")
    return done or ["everything is fresh"]


def _has(module: Module, kind: str) -> bool:
    return kind == "notebooks" or bool(module.exercises)


async def _build(module: Module, kind: str, force: bool) -> str | None:
    path, notebook = module.notebook(kind), make(module, kind)
    old = _read(path)
    if kind == "exercises":
        from picolab.classroom.update import carry_answers

        fresh, kept = carry_answers(old, notebook) if old else (notebook, [])
        if old is None or dump(fresh) != dump(old):
            write(path, fresh)
            return f"wrote {path.relative_to(course.root())}" + (
                f", your answers to {', '.join(kept)} in it" if kept else ""
            )
        return None
    if old and not force and not _differences(old, notebook) and _is_executed(old):
        return None
    await execute(notebook, path.parent)
    write(path, notebook)
    return f"ran and wrote {path.relative_to(course.root())}"


async def execute(notebook, folder: Path) -> None:
    """Run a notebook in a fresh kernel, with a learner's state of its own, and keep outputs that travel well.

    Raises:
        PicolabError: a cell failed.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from traitlets.config import Config

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="picolab-build-") as home:
        environment = os.environ | {"PICOLAB_HOME": home, "PYTHONHASHSEED": "0", "MPLBACKEND": "agg"}
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            store_widget_state=False,
            record_timing=False,
            config=Config(KernelManager=sockets_in(home)),
        )
        try:
            await client.async_execute(env=environment)
        except CellExecutionError as error:
            name = f"{notebook.metadata.picolab.module} ({notebook.metadata.picolab.kind})"
            raise PicolabError(f"module {name} does not run:\n{error}") from None
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)


def dump(notebook) -> str:
    """A notebook as text, always the same way."""
    import nbformat

    return nbformat.writes(notebook, indent=1, ensure_ascii=False, sort_keys=True).rstrip("\n") + "\n"


def write(path: Path, notebook) -> None:
    """Write a notebook in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_suffix(".partial")
    staged.write_text(dump(notebook), encoding="utf-8", newline="\n")
    staged.replace(path)


def _read(path: Path):
    import nbformat

    if not path.exists():
        return None
    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except Exception as error:
        raise PicolabError(
            f"{path} cannot be read ({type(error).__name__}). If it holds your work, move it away and keep it; "
            "`picolab build` then makes a new one."
        ) from None


# Checking -----------------------------------------------------------------------------------------------------------


def check_module(module: Module) -> list[str]:
    """One line for each thing that is stale in a module's three notebooks."""
    lines = []
    for kind in KINDS:
        if not _has(module, kind):
            continue
        path = module.notebook(kind)
        name = path.relative_to(course.root())
        old = _read(path)
        if old is None:
            lines.append(f"{name} is missing")
            continue
        lines += [f"{name}: {reason}" for reason in _differences(old, make(module, kind))]
        if kind != "exercises" and not _is_executed(old):
            lines.append(f"{name}: it was not run to its end")
        if (
            kind == "exercises"
            and any(cell.get("outputs") for cell in old.cells if cell.cell_type == "code")
            and os.environ.get("CI")
        ):
            lines.append(f"{name}: it holds outputs")
    return lines


def _differences(old, new) -> list[str]:
    """What differs between a notebook and what it should be; outputs are not compared."""
    found = []
    mine, theirs = {c.id: c for c in old.cells}, {c.id: c for c in new.cells}
    if [c.id for c in old.cells if c.id in theirs] != list(theirs):
        found.append("cells are missing or in another order")
    for id, cell in theirs.items():
        if (
            id in mine
            and not _is_learners(mine[id])
            and (mine[id].source, mine[id].metadata) != (cell.source, cell.metadata)
        ):
            found.append(f"cell {id} ({_first_line(cell.source)}) has changed")
    if os.environ.get("CI") and set(mine) - set(theirs):
        found.append("it holds cells that the course does not")
    for what, words in (
        ("checks", "checks.py has changed"),
        ("code", "the package has changed since it was run"),
    ):
        if old.metadata.get("picolab", {}).get(what) != new.metadata.picolab.get(what):
            found.append(words)
    return found


def _is_learners(cell) -> bool:
    """Whether a learner has written into this answer cell; in CI nobody has, and any difference counts."""
    stub = cell.metadata.get("stub")
    return stub is not None and digest(cell.source) != stub and not os.environ.get("CI")


def _first_line(source: str) -> str:
    line = source.strip().splitlines()[0] if source.strip() else ""
    return repr(line[:60])


def _is_executed(notebook) -> bool:
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    failed = any(output.output_type == "error" for cell in code for output in cell.outputs)
    return all(cell.execution_count for cell in code) and not failed


def _strangers_paths() -> list[Path]:
    made = {module.notebook(kind) for module in course.modules() for kind in KINDS if _has(module, kind)}
    return [
        p
        for kind in ("notebooks", "solutions")
        for p in sorted((course.root() / kind).glob("*.ipynb"))
        if p not in made
    ]


def _strangers() -> list[str]:
    return [f"{path.relative_to(course.root())} belongs to no module" for path in _strangers_paths()]
