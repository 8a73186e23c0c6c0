"""A private folder for one run: a fresh copy that may be broken, with a wall around it."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

from picolab.errors import PicolabError, ToolError

LEFT_OUT = {
    "__pycache__",
    ".venv",
    "venv",
    "node_modules",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
}
"""Folders that are made anew from the rest, and are not copied."""
MOST_FILES = 20_000
MOST_BYTES = 500_000_000


class Workspace:
    """A folder that tools may read and write, and nothing outside it."""

    def __init__(self, root: str | Path):
        self.root = Path(root).resolve()

    def resolve(self, path: str) -> Path:
        """The absolute path of a path given relative to the workspace.

        Raises:
            ToolError: it leads outside, by `..`, as an absolute path, or through a symbolic link.
        """
        if "\0" in path:
            raise ToolError("a path cannot hold a NUL character")
        target = (self.root / path).resolve()
        if target != self.root and self.root not in target.parents:
            raise ToolError(f"{path!r} is outside the workspace; give a path relative to its top folder")
        return target

    def relative(self, path: Path) -> str:
        """A path as the model sees it: relative, with forward slashes."""
        return path.relative_to(self.root).as_posix()


def copy_of(source: str | Path, target: str | Path | None = None) -> Workspace:
    """A workspace with a copy of everything in `source` that is not made from the rest.

    Links that stay inside are kept, relative; a link to a file outside becomes a copy of that file; a link to a folder
    outside is left out. The source is only read.

    Raises:
        PicolabError: the source is missing, not a folder, empty, too large or not readable.
    """
    root = Path(source)
    if not root.is_dir():
        what = "is a file; give the folder that holds the repository" if root.is_file() else "does not exist"
        raise PicolabError(f"{source} {what}")
    root = root.resolve()
    paths = list(_to_copy(root))
    if not paths:
        raise PicolabError(f"{source} is empty; there is nothing to repair")
    _refuse_too_much(root, paths)
    if target is None:
        target = Path(tempfile.mkdtemp(prefix="picolab-")) / (root.name or "repository")
    target = Path(target)
    target.mkdir(parents=True, exist_ok=True)
    for path in paths:
        _copy_one(path, root, target / path.relative_to(root))
    return Workspace(target)


def _to_copy(root: Path):
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if not _is_left_out(here / name))
        yield from (here / name for name in sorted([*folders, *files]))


def _is_left_out(folder: Path) -> bool:
    return folder.name in LEFT_OUT or (folder / "pyvenv.cfg").exists()


def _refuse_too_much(root: Path, paths: list[Path]) -> None:
    size = sum(path.lstat().st_size for path in paths)
    if len(paths) > MOST_FILES or size > MOST_BYTES:
        raise PicolabError(
            f"{root} holds {len(paths):,} files of {size / 1e6:,.0f} MB; the limit is {MOST_FILES:,} files and "
            f"{MOST_BYTES / 1e6:,.0f} MB. Name the folder of the project itself, without its data."
        )


def _copy_one(path: Path, root: Path, target: Path) -> None:
    try:
        if path.is_symlink():
            _copy_link(path, root, target)
        elif path.is_dir():
            target.mkdir(exist_ok=True)
        elif path.is_file() and path.name != ".git":
            shutil.copy2(path, target)
            target.chmod(target.stat().st_mode | stat.S_IWUSR | stat.S_IRUSR)
    except PermissionError:
        raise PicolabError(
            f"{path} cannot be read; make it readable, or move it out of the repository"
        ) from None


def _copy_link(path: Path, root: Path, target: Path) -> None:
    end = path.resolve()
    if end == root or root in end.parents:
        inside = os.path.relpath(end, path.parent.resolve())
        target.symlink_to(inside)
    elif end.is_file():
        shutil.copyfile(end, target)
