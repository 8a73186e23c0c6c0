"""Opening what a path names inside a folder, and never anything outside it, even while others move things about.

Every folder on the way is opened from the one before it, without following links; a link is read and walked by hand.
So no name is looked up twice, and a link that is swapped in meanwhile is met as a link.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from picolab.errors import ToolError

MOST_LINKS = 40
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextlib.contextmanager
def parent_of(root: Path, path: str) -> Iterator[tuple[int, str, str]]:
    """A descriptor of the folder that holds a path's end, the end's name, and its path from the root, links resolved.

    Raises:
        ToolError: the path leads outside, through something that is no folder, or through too many links.
    """
    stack = [os.open(root, FOLDER)]
    try:
        names = _walk(root, path, stack)
        while len(stack) > max(len(names), 1):
            os.close(stack.pop())
        yield stack[-1], names[-1] if names else ".", "/".join(names) or "."
    finally:
        for each in stack:
            os.close(each)


def _walk(root: Path, path: str, stack: list[int]) -> list[str]:
    """Open every folder on the way but the last name; the names, with links resolved."""
    if "\0" in path or not path:
        raise ToolError(
            "a path must not be empty or hold a NUL character; give one relative to the top folder"
        )
    todo, names, links = _parts(root, path, path), [], 0
    while todo:
        name = todo.pop(0)
        if name == "..":
            if not names:
                raise _outside(path)
            names.pop()
            if len(stack) > len(names) + 1:
                os.close(stack.pop())
            continue
        _enter(stack, names, path)
        try:
            target = os.readlink(name, dir_fd=stack[-1])
        except OSError:
            names.append(name)
            continue
        links += 1
        if links > MOST_LINKS:
            raise ToolError(f"{path!r} goes through too many links; name the file itself")
        todo = _parts(root, target, path) + todo
        if target.startswith("/"):
            names.clear()
            while len(stack) > 1:
                os.close(stack.pop())
    return names


def _enter(stack: list[int], names: list[str], path: str) -> None:
    """Open the folder that was named last, if it is not open yet."""
    if len(stack) > len(names):
        return
    try:
        stack.append(os.open(names[-1], FOLDER, dir_fd=stack[-1]))
    except OSError as error:
        known = {errno.ENOENT: "does not exist", errno.ENOTDIR: "is not a folder", errno.ELOOP: "is a link"}
        why = known.get(error.errno, error.strerror)
        raise ToolError(
            f"{'/'.join(names)!r} {why}, so {path!r} cannot be reached; look at the folder above it"
        ) from None


def _parts(root: Path, text: str, path: str) -> list[str]:
    if text.startswith("/"):
        top = f"{root}/"
        if f"{text}/" != top and not text.startswith(top):
            raise _outside(path)
        text = text[len(top) :]
    return [part for part in text.split("/") if part not in ("", ".")]


def _outside(path: str) -> ToolError:
    return ToolError(f"{path!r} is outside the workspace; give a path relative to its top folder")


def read_regular(folder: int, name: str, path: str, most: int) -> tuple[bytes, os.stat_result]:
    """The bytes and the state of a regular file; nothing else is opened, so a pipe or a device cannot hang this.

    Raises:
        ToolError: no such file, not a regular one, not readable, or longer than `most` bytes.
    """
    try:
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise ToolError(f"{path!r} is not a regular file; name a text file")
        with open(os.open(name, FILE, dir_fd=folder), "rb") as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode):
                raise ToolError(f"{path!r} is not a regular file; name a text file")
            data = file.read(most + 1)
    except FileNotFoundError:
        raise ToolError(f"there is no file {path!r}; list the files to see what there is") from None
    except OSError as error:
        raise ToolError(f"{path!r} cannot be read ({error.strerror}); choose another file") from None
    if len(data) > most:
        raise ToolError(f"{path!r} is larger than {most:,} bytes; search in it instead of reading it")
    return data, state


def replace_file(folder: int, name: str, data: bytes, mode: int) -> None:
    """Put a file in place in one step, flushed to disk; a reader sees the old or the new one, never half."""
    staged = f".picolab-{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with open(os.open(staged, flags, 0o600, dir_fd=folder), "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), stat.S_IMODE(mode))
            os.fsync(file.fileno())
        os.replace(staged, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(staged, dir_fd=folder)
        raise ToolError(f"{name!r} cannot be written ({error.strerror}); nothing was changed") from None
