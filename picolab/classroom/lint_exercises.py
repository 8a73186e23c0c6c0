"""Rules for an exercise set: how many tasks, what each one says, and the answers that prove its checks."""

import re
from collections.abc import Iterator

from picolab.classroom.course import Module

Found = Iterator[tuple[str, str]]
STEPS = ["Nudge", "Method", "Nearly there"]
KINDS = re.compile(r"\b(predict|fix|complete|build|break)\b")


def four_to_seven_tasks(module: Module) -> Found:
    """Enough to practise, and few enough for an hour."""
    if not 4 <= len(module.tasks) <= 7:
        yield "exercises.py", f"{len(module.tasks)} tasks; a set has 4 to 7"


def tasks_get_harder(module: Module) -> Found:
    """Difficulty never falls."""
    levels = [task.level for task in module.tasks]
    if levels != sorted(levels):
        yield "exercises.py", f"the levels are {levels}; put the easier tasks first"


def each_task_says_what_it_is(module: Module) -> Found:
    """Level, minutes, points and kind stand under its heading, and agree with its options."""
    for cell in module.exercises:
        if "task" not in cell.options:
            continue
        name, options = cell.options["task"], cell.options
        marks = "◆" * int(options.get("level", 0)) + "◇" * (3 - int(options.get("level", 0)))
        points = int(options.get("points", 0))
        line = f"**{marks} · {options.get('minutes')} minutes · {points} point{'s' * (points != 1)} · "
        if line not in cell.source:
            yield "exercises.py", f"task {name} does not begin with “{line}…**”, as its options say"
        elif not KINDS.search(cell.source.split(line)[1].split("**")[0]):
            yield (
                "exercises.py",
                f"task {name} does not say whether it is to predict, fix, complete, build or break",
            )


def three_hints_each(module: Module) -> Found:
    """A nudge, the method, and nearly the answer."""
    for task in module.tasks:
        titles = [hint.partition(":")[0] for hint in task.hints]
        if titles != STEPS:
            yield (
                "exercises.py",
                f"task {task.id} has the hints {titles}; it needs {STEPS}, each in its own <details>",
            )


def each_task_has_its_cells(module: Module) -> Found:
    """One answer cell and one check cell for each task."""
    for task in module.tasks:
        for kind in ("answer", "check"):
            count = sum(cell.options.get(kind) == task.id for cell in module.exercises)
            if count != 1:
                yield "exercises.py", f"task {task.id} has {count} cells with {kind}=; it needs one"


def checks_are_proven(module: Module) -> Found:
    """Two other right answers, and three wrong ones that name the mistake they make."""
    for task in module.tasks:
        number = task.id.partition(".")[2]
        for kind, least in (("right", 2), ("wrong", 3)):
            mine = [path for path in module.answers(kind) if path.stem.partition("_")[0] == number]
            if len(mine) < least:
                yield f"{kind}/", f"task {task.id} has {len(mine)} answers here; it needs {least}"
    for path in module.answers("wrong"):
        if not path.read_text(encoding="utf-8").startswith("# expect: "):
            yield (
                f"wrong/{path.name}",
                "its first line is not “# expect: ” with words of the message it must get",
            )


RULES = [
    four_to_seven_tasks,
    tasks_get_harder,
    each_task_says_what_it_is,
    three_hints_each,
    each_task_has_its_cells,
    checks_are_proven,
]
