"""Tools that list, read and edit the text files of a workspace."""

import os
import tempfile
import tokenize
from pathlib import Path

from picolab.errors import ToolError
from picolab.tools.base import Tool, tool
from picolab.workspace import LEFT_OUT, Workspace

MOST_LISTED = 5000
MOST_BYTES = 2_000_000


def read_text(path: Path) -> tuple[str, str]:
    """A file's text, line ends and byte-order mark kept, and its encoding.

    Raises:
        ToolError: no such file, too large, or not text.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ToolError(f"{path.name} is larger than {MOST_BYTES:,} bytes; it is not read")
        data = path.read_bytes()
        encoding = _encoding(path, data)
        return data.decode(encoding), encoding
    except (UnicodeDecodeError, LookupError, SyntaxError):
        raise ToolError(f"{path.name} is not a text file in an encoding known here") from None
    except OSError as error:
        raise ToolError(f"{path.name} cannot be read: {error.strerror}") from None


def _encoding(path: Path, data: bytes) -> str:
    """UTF-8, unless a Python file declares another; the byte-order mark stays part of the text."""
    if path.suffix != ".py":
        return "utf-8"
    lines = iter(data.splitlines(keepends=True))
    found, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    return found.removesuffix("-sig")


def write_text(path: Path, text: str, encoding: str) -> None:
    """Replace a file in one step, so that a reader sees the old or the new text and never half of one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".picolab-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode(encoding))
        os.chmod(name, path.stat().st_mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def file_tools(workspace: Workspace) -> list[Tool]:
    """`list_files`, `read_file` and `edit_file` for one workspace."""

    @tool(parallel=True)
    def list_files(pattern: str = "**/*") -> str:
        """List the files that match a pattern such as **/*.py, one path a line."""
        found = sorted(
            p for p in workspace.root.glob(_checked(pattern)) if p.is_file() and not _made(p, workspace)
        )
        lines = [workspace.relative(path) for path in found]
        more = (
            [f"[… {len(lines) - MOST_LISTED:,} more; narrow the pattern]"] if len(lines) > MOST_LISTED else []
        )
        return "\n".join(lines[:MOST_LISTED] + more) or "(no file matches)"

    @tool(parallel=True, max_output=400_000)
    def read_file(path: str, offset: int = 1, limit: int = 5000) -> str:
        """Read lines of a text file, beginning with line `offset`, exactly as they stand."""
        if offset < 1 or limit < 1:
            raise ToolError("offset and limit count lines and begin at 1")
        text, _ = read_text(_existing(workspace, path))
        lines = text.splitlines(keepends=True)
        chosen = lines[offset - 1 : offset - 1 + limit]
        last = offset - 1 + len(chosen)
        more = (
            f"\n[… lines {offset}–{last} of {len(lines)}; read on with offset={last + 1}]"
            if last < len(lines)
            else ""
        )
        return "".join(chosen) + more

    @tool(max_payload=200_000)
    def edit_file(path: str, old: str, new: str) -> str:
        """Replace a text that stands exactly once in a file."""
        target = _existing(workspace, path)
        text, encoding = read_text(target)
        count = text.count(old) if old else 0
        if count != 1:
            why = "is empty" if not old else "does not stand" if count == 0 else f"stands {count} times"
            raise ToolError(f"the old text {why} in {path}; give a text that stands there exactly once")
        write_text(target, text.replace(old, new), encoding)
        return f"{path}: replaced {len(old.splitlines())} lines by {len(new.splitlines())}"

    return [list_files, read_file, edit_file]


def _checked(pattern: str) -> str:
    if not pattern or pattern.startswith(("/", "~")) or ".." in pattern.split("/"):
        raise ToolError("the pattern must stay inside the workspace, like **/*.py")
    return pattern


def _made(path: Path, workspace: Workspace) -> bool:
    parts = path.relative_to(workspace.root).parts
    return any(part in LEFT_OUT or part == ".git" for part in parts)


def _existing(workspace: Workspace, path: str) -> Path:
    target = workspace.resolve(path)
    if not target.is_file():
        raise ToolError(f"there is no file {path!r}; list_files shows what there is")
    return target
