"""`picolab reset`: exercises as they were at first. What was there is archived, byte for byte."""

import argparse

from picolab.classroom import course
from picolab.classroom.update import archive, read_learners
from picolab.errors import PicolabError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("module", help="the number of a module")
    parser.add_argument("task", nargs="?", help="one task, such as 01.2; the whole set if none is given")


def run(args: argparse.Namespace) -> int:
    from picolab.classroom.build import make, write

    module = course.module(args.module)
    path, fresh = module.notebook("exercises"), make(module, "exercises")
    if args.task and args.task not in {task.id for task in module.tasks}:
        known = ", ".join(task.id for task in module.tasks)
        raise PicolabError(f"there is no task {args.task!r} in {module.stem}; its tasks are {known}")
    kept = archive(path, "before-reset") if path.exists() else None
    if args.task and kept:
        notebook = read_learners(path)
        stub = next(cell for cell in fresh.cells if cell.metadata.get("answer") == args.task)
        found = [
            cell for cell in notebook.cells if cell.id == stub.id or cell.metadata.get("answer") == args.task
        ]
        if not found:
            raise PicolabError(
                f"{path.name} has no cell for {args.task} any more; `picolab update {module.number}` puts it back"
            )
        for cell in found:
            cell.source, cell.outputs, cell.execution_count = stub.source, [], None
        fresh = notebook
    write(path, fresh)
    what = f"{args.task} in {path.name}" if args.task else path.name
    print(f"{what} is as it was at first." + (f" What you had is {kept}" if kept else ""))
    return 0
