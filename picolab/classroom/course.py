"""Where the course is, which modules it has, and what their source files say."""

import hashlib
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from picolab.errors import PicolabError

MODULE = re.compile(r"^(\d\d)_([a-z0-9_]+)$")
HINT = re.compile(r"<details>\s*<summary>(?P<title>.*?)</summary>(?P<text>.*?)</details>", re.S)


def root() -> Path:
    """The folder of the checkout: PICOLAB_ROOT, or the nearest one above the current folder, or the package's own.

    Raises:
        PicolabError: none of these holds a course.
    """
    places = [Path.cwd(), *Path.cwd().parents, Path(__file__).resolve().parents[2]]
    if chosen := os.environ.get("PICOLAB_ROOT"):
        places = [Path(chosen)]
    for place in places:
        if (place / "course").is_dir() and (place / "pyproject.toml").is_file():
            return place
    raise PicolabError("there is no course here; change into the folder you cloned, and try again")


def state() -> Path:
    """The folder for what belongs to the learner: predictions, progress, archives. Not part of the repository."""
    return Path(os.environ.get("PICOLAB_HOME") or root() / ".picolab")


@dataclass(frozen=True)
class Cell:
    """One cell of a lesson or an exercise set, as it was written."""

    kind: str
    """code or markdown"""
    source: str
    options: dict = field(hash=False)
    """What follows `# %%`: tags, task, answer, check, points, …"""

    @property
    def tags(self) -> list[str]:
        return self.options.get("tags", [])


@dataclass(frozen=True)
class Task:
    """One graded task."""

    id: str
    title: str
    points: int
    level: int
    minutes: int
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Module:
    """One folder under course/."""

    number: str
    name: str
    folder: Path

    @property
    def stem(self) -> str:
        return f"{self.number}_{self.name}"

    @cached_property
    def lesson(self) -> list[Cell]:
        return read_cells(self.folder / "lesson.py")

    @cached_property
    def exercises(self) -> list[Cell]:
        path = self.folder / "exercises.py"
        return read_cells(path) if path.exists() else []

    @cached_property
    def tasks(self) -> list[Task]:
        """The graded tasks, in order."""
        return [_task(cell) for cell in self.exercises if "task" in cell.options]

    @property
    def checks_path(self) -> Path:
        return self.folder / "checks.py"

    @property
    def checks_digest(self) -> str:
        return digest(self.checks_path.read_text(encoding="utf-8")) if self.checks_path.exists() else ""

    def answers(self, kind: str) -> list[Path]:
        """The files in right/ or wrong/, in order."""
        return sorted((self.folder / kind).glob("*.py"))

    def notebook(self, kind: str) -> Path:
        """Where a generated notebook of this module lies: notebooks, exercises or solutions."""
        return root() / kind / f"{self.stem}.ipynb"


def digest(text: str) -> str:
    """A short name for a text: equal texts have equal ones."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def modules() -> list[Module]:
    """All modules, in order.

    Raises:
        PicolabError: two modules share a number.
    """
    found = []
    for folder in sorted((root() / "course").iterdir()):
        if folder.is_dir() and (match := MODULE.match(folder.name)):
            found.append(Module(match[1], match[2], folder))
    numbers = [each.number for each in found]
    for number in numbers:
        if numbers.count(number) > 1:
            raise PicolabError(f"two modules have the number {number}; rename one of the folders in course/")
    return found


def module(wanted: str) -> Module:
    """The module with this number, name, or notebook path.

    Raises:
        PicolabError: there is none.
    """
    key = Path(wanted).stem
    for each in modules():
        if key in (each.number, each.number.lstrip("0") or "0", each.name, each.stem):
            return each
    known = ", ".join(each.stem for each in modules())
    raise PicolabError(f"there is no module {wanted!r}; the modules are {known}")


def read_cells(path: Path) -> list[Cell]:
    """The cells of a percent file.

    Raises:
        PicolabError: the file is missing.
    """
    import jupytext

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PicolabError(f"{path} is missing") from None
    notebook = jupytext.reads(text, fmt="py:percent")
    return [Cell(cell.cell_type, cell.source, dict(cell.metadata)) for cell in notebook.cells]


def _task(cell: Cell) -> Task:
    heading = re.search(r"^#+ (.+)$", cell.source, re.M)
    hints = tuple(f"{m['title'].strip()}: {' '.join(m['text'].split())}" for m in HINT.finditer(cell.source))
    options = cell.options
    return Task(
        str(options["task"]),
        heading[1].strip() if heading else str(options["task"]),
        int(options.get("points", 1)),
        int(options.get("level", 1)),
        int(options.get("minutes", 10)),
        hints,
    )


def workspace(name: str) -> Path:
    """A small repository that agents work on; copy it, do not change it.

    Raises:
        PicolabError: there is none of that name.
    """
    base = root() / "course" / "workspaces"
    if not (base / name).is_dir():
        raise PicolabError(
            f"there is no workspace {name!r}; there are {', '.join(sorted(p.name for p in base.iterdir()))}"
        )
    return base / name


def kept_run(name: str) -> Path:
    """Where the trace of one of the learner's own runs is kept, for a later lesson to draw."""
    return state() / "runs" / f"{name}.jsonl"
