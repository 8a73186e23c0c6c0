"""Turning a task's answer into the learner's stub, and running a solution without a notebook."""

import ast
import asyncio
import importlib
import inspect
import re
from typing import Any

from picolab.classroom.course import Cell, Module
from picolab.errors import PicolabError

BEGIN, END, STUB = "# BEGIN SOLUTION", "# END SOLUTION", "# STUB "


def solution_of(cell: Cell) -> str:
    """The answer as the solution shows it: the library's own source, or what stands between the markers."""
    if "source" in cell.options:
        return library_source(cell.options["source"])
    kept = [
        line for line in cell.source.splitlines() if line.strip() not in (BEGIN, END) and not _is_stub(line)
    ]
    return "\n".join(kept).strip("\n")


def stub_of(cell: Cell) -> str:
    """The answer cell as the learner gets it: signature and docstring kept, everything else gone.

    Raises:
        PicolabError: the markers do not pair up, which would leak the answer.
    """
    task = cell.options["answer"]
    if "source" in cell.options:
        return _stripped(library_source(cell.options["source"]), task)
    if BEGIN not in cell.source:
        raise PicolabError(
            f"task {task}: its answer cell has neither markers nor a source=…; the answer would leak"
        )
    kept, block = [], None
    for number, line in enumerate(cell.source.splitlines(), 1):
        mark = line.strip()
        if mark in (BEGIN, END):
            if (mark == BEGIN) != (block is None):
                raise PicolabError(f"task {task}: line {number} of its answer cell is an unpaired {mark!r}")
            if mark == END:
                stubs = [each.replace(STUB, "", 1) for each in block if _is_stub(each)]
                indent = line[: len(line) - len(line.lstrip())]
                kept += stubs or [_not_yet(indent, task)]
            block = [] if mark == BEGIN else None
        elif block is not None:
            block.append(line)
        else:
            kept.append(line)
    if block is not None:
        raise PicolabError(f"task {task}: {BEGIN!r} has no {END!r} in its answer cell")
    return "\n".join(kept).strip("\n")


def _is_stub(line: str) -> bool:
    return line.strip().startswith(STUB.strip())


def _not_yet(indent: str, task: str) -> str:
    return f'{indent}raise NotImplementedError("{task}: write your answer here")'


def library_source(name: str) -> str:
    """The source of a piece of the library, given as `module:name`.

    Raises:
        PicolabError: there is no such piece.
    """
    module, _, piece = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), piece)
        return inspect.getsource(found).rstrip("\n")
    except (ImportError, AttributeError, TypeError, OSError) as error:
        raise PicolabError(f"an answer names {name}, which is not there: {error}") from None


def _stripped(source: str, task: str) -> str:
    """A function or class without its bodies; decorators, signatures, annotations and docstrings are kept."""
    lines = source.splitlines()
    cuts: list[tuple[int, int, str]] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            indent = " " * (node.body[0].col_offset)
            first = body[0].lineno if body else node.end_lineno + 1
            if (
                isinstance(body[0] if body else None, ast.FunctionDef | ast.ClassDef)
                and body[0].decorator_list
            ):
                first = body[0].decorator_list[0].lineno
            cuts.append((first, node.end_lineno, _not_yet(indent, task)))
    outer = [c for c in cuts if not any(o[0] <= c[0] and c[1] <= o[1] and o is not c for o in cuts)]
    for first, last, line in sorted(outer, reverse=True):
        lines[first - 1 : last] = [line]
    return "\n".join(lines)


def run_cells(sources: list[str], namespace: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run code cells one after another, top-level await included, and return their names."""
    namespace = {"__name__": "__main__"} if namespace is None else namespace

    async def run() -> None:
        for number, source in enumerate(sources):
            code = compile(source, f"<cell {number}>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            if inspect.iscoroutine(made := eval(code, namespace)):
                await made

    asyncio.run(run())
    return namespace


def answer_name(module: Module, task: str) -> str:
    """The name that a task's check cell hands to `check`."""
    for cell in module.exercises:
        if cell.options.get("check") == task and (
            match := re.search(r"check\([^,]+,\s*(.+)\)\s*$", cell.source.strip())
        ):
            return match[1]
    raise PicolabError(f"task {task} has no cell that calls check(…)")


def setup_cells(module: Module) -> list[str]:
    """The code cells of an exercise set that belong to no task."""
    return [
        c.source for c in module.exercises if c.kind == "code" and not {"answer", "check"} & set(c.options)
    ]


def solutions(module: Module) -> dict[str, str]:
    """Every task's answer."""
    return {str(c.options["answer"]): solution_of(c) for c in module.exercises if "answer" in c.options}
