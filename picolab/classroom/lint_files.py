"""Rules for the files of a module: names that every system takes, kernels that everybody has, links that lead somewhere."""

import json
import re
from collections.abc import Iterator

from picolab.classroom import course
from picolab.classroom.course import Module

Found = Iterator[tuple[str, str]]
PORTABLE = re.compile(r"^[A-Za-z0-9_.-]{1,60}$")
RESERVED = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))}


def names_are_portable(module: Module) -> Found:
    """Short, ASCII, and nothing that Windows refuses."""
    for path in sorted(module.folder.rglob("*")):
        if "__pycache__" in path.parts:
            continue
        if not PORTABLE.match(path.name) or path.stem.lower() in RESERVED or path.name.endswith("."):
            yield (
                path.relative_to(module.folder).as_posix(),
                "use a short name of ASCII letters, digits, _ and -",
            )


def the_kernel_is_python3(module: Module) -> Found:
    """Every notebook opens with the kernel that every Jupyter has."""
    for kind in ("notebooks", "exercises", "solutions"):
        path = module.notebook(kind)
        if path.exists():
            kernel = (
                json.loads(path.read_text(encoding="utf-8"))["metadata"].get("kernelspec", {}).get("name")
            )
            if kernel != "python3":
                yield f"../../{kind}/{path.name}", f"its kernel is {kernel!r}; run `picolab build`"


def links_lead_somewhere(module: Module) -> Found:
    """Relative links name files that are there, and no address stands bare in the text."""
    for name, cells in (("lesson.py", module.lesson), ("exercises.py", module.exercises)):
        for cell in cells:
            if cell.kind != "markdown":
                continue
            text = re.sub(r"```.*?```|`[^`]*`", " ", cell.source, flags=re.S)
            for target in re.findall(r"\]\(([^)#\s]+)", text):
                if not re.match(r"[a-z]+:", target) and not (course.root() / "notebooks" / target).exists():
                    yield name, f"the link to {target} leads nowhere; links are taken from notebooks/"
            for target in re.findall(
                r"`((?:notebooks|exercises|solutions|picolab|course)/[\w./]+)`", cell.source
            ):
                if not (course.root() / target.rstrip("/")).exists():
                    yield name, f"{target} is named and is not there"
            if re.search(r"(?<![(<])https?://", text):
                yield name, "an address stands bare in the text; write [words](address)"


def numbers_stand_in_file_names_only(module: Module) -> Found:
    """A module can move: its own number is in no lesson's text, except where tasks are named."""
    title = next((cell.source for cell in module.lesson if cell.source.startswith("# ")), "")
    if module.number in title.splitlines()[0]:
        yield "lesson.py", f"the title holds the number {module.number}; the file name is enough"


RULES = [names_are_portable, the_kernel_is_python3, links_lead_somewhere, numbers_stand_in_file_names_only]
