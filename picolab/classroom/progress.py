"""`picolab progress`: points so far, and what to do next. Kept beside the notebooks, not in them."""

import argparse
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from picolab.classroom import course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the progress as JSON")


def run(args: argparse.Namespace) -> int:
    rows = [_row(module, read()) for module in course.modules() if module.tasks]
    done = all(row["points"] == row["of"] for row in rows)
    if args.json:
        print(json.dumps({"schema": 1, "modules": rows, "next": _next(rows)}, ensure_ascii=False, indent=2))
    else:
        for row in rows:
            when = row["graded"] or "not graded yet"
            print(f"  {row['module']}  {row['name']:<14} {row['points']:>5g} of {row['of']:<3} {when}")
        print(f"next: {_next(rows)}")
    return 0 if done else 1


def _row(module: course.Module, kept: dict[str, Any]) -> dict[str, Any]:
    own = kept.get(module.number)
    own = own if isinstance(own, dict) else {}
    tasks = own.get("tasks") if isinstance(own.get("tasks"), dict) else {}
    points = sum(min(float(tasks.get(task.id, 0) or 0), task.points) for task in module.tasks)
    return {
        "module": module.number,
        "name": module.name,
        "points": round(points, 1),
        "of": sum(task.points for task in module.tasks),
        "graded": own.get("graded"),
        "open": [task.id for task in module.tasks if float(tasks.get(task.id, 0) or 0) < task.points],
    }


def _next(rows: list[dict[str, Any]]) -> str:
    for row in rows:
        if row["graded"] is None:
            return f"exercises/{row['module']}_{row['name']}.ipynb, then `picolab grade {row['module']}`"
        if row["open"]:
            return f"task {row['open'][0]} in exercises/{row['module']}_{row['name']}.ipynb, then `picolab grade {row['module']}`"
    return "everything that there is is done"


def _path() -> Path:
    return course.state() / "progress.json"


def read() -> dict[str, Any]:
    """Points kept so far; a damaged file is put aside, not lost."""
    try:
        kept = json.loads(_path().read_text(encoding="utf-8"))
        if isinstance(kept, dict):
            return kept
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        pass
    with suppress(OSError):
        _path().rename(_path().with_name(f"progress-damaged-{time.strftime('%Y%m%d-%H%M%S')}.json"))
    return {}


def record(grade) -> None:
    """Keep the points of a grade, the best of each task."""
    kept = read()
    before = kept.get(grade.module, {}).get("tasks", {}) if isinstance(kept.get(grade.module), dict) else {}
    tasks = {mark.task: max(mark.points, float(before.get(mark.task, 0) or 0)) for mark in grade.marks}
    kept[grade.module] = {"graded": time.strftime("%Y-%m-%d %H:%M"), "tasks": tasks}
    course.state().mkdir(parents=True, exist_ok=True)
    staged = _path().with_name(f"progress.{os.getpid()}.partial")
    staged.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    staged.replace(_path())
