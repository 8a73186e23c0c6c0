"""Reading and editing files as a coding agent does: numbered pages, and no edit of a file that was not read."""

import codecs
import hashlib
import re

from picolab.errors import ToolError
from picolab.tools.base import Tool, tool
from picolab.tools.confine import parent_of, read_regular, replace_file
from picolab.workspace import Workspace

MOST_BYTES = 10_000_000
MARKS = [
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
]


def decode(data: bytes, path: str) -> tuple[str, str, bytes]:
    """A file's text with its line ends, its encoding, and its byte-order mark; encoding again gives the same bytes.

    Raises:
        ToolError: it is not text.
    """
    mark, encoding = next(((m, e) for m, e in MARKS if data.startswith(m)), (b"", "utf-8"))
    body = data[len(mark) :]
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        if mark:
            raise ToolError(f"{path!r} is not text in the encoding it claims; leave it alone") from None
        text, encoding = body.decode("latin-1"), "latin-1"
    if "\0" in text:
        raise ToolError(f"{path!r} is a binary file; only text can be read and edited")
    return text, encoding, mark


def change(text: str, old: str, new: str, everywhere: bool, path: str) -> str:
    """The text with `old` replaced; a line end in `old` matches the file's, and one in `new` becomes the file's.

    Raises:
        ToolError: `old` is empty, equals `new`, is missing, or stands more than once and `everywhere` is not set.
    """
    if not old or old == new:
        raise ToolError("old must be a text that stands in the file, and new another one; send both again")
    if "\r\n" in text and not re.search(r"(?<!\r)\n", text):
        old, new = (re.sub(r"\r?\n", "\r\n", each) for each in (old, new))
    lines = [text.count("\n", 0, m.start()) + 1 for m in re.finditer(f"(?={re.escape(old)})", text)]
    if not lines:
        raise ToolError(f"old does not stand in {path!r}; read the file again and copy the text exactly")
    if len(lines) > 1 and not everywhere:
        where = ", ".join(map(str, lines[:10]))
        raise ToolError(
            f"old stands {len(lines)} times in {path!r}, from lines {where}; add text around it, or set replace_all"
        )
    return text.replace(old, new)


def coding_tools(workspace: Workspace) -> list[Tool]:
    """`read`, `write`, `edit` and `multi_edit` for one run in one workspace; they share what has been read."""
    root, seen = workspace.root, {}

    def load(folder: int, name: str, where: str, must_be_seen: bool) -> tuple[bytes, int]:
        data, state = read_regular(folder, name, where, MOST_BYTES)
        if must_be_seen and where not in seen:
            raise ToolError(f"{where!r} has not been read in this run; read it first, then edit")
        if must_be_seen and seen[where] != _digest(data):
            raise ToolError(f"{where!r} has changed since it was read; read it again, then edit")
        return data, state.st_mode

    def edit_all(path: str, edits: list[tuple[str, str, bool]]) -> str:
        with parent_of(root, path) as (folder, name, where):
            data, mode = load(folder, name, where, True)
            text, encoding, mark = decode(data, where)
            for old, new, everywhere in edits:
                text = change(text, old, new, everywhere, where)
            save(folder, name, where, mark + _encode(text, encoding, where), mode)
        return f"{where}: {len(edits)} edits made" if len(edits) != 1 else f"{where}: edited"

    def save(folder: int, name: str, where: str, data: bytes, mode: int) -> None:
        if not mode & 0o222:
            raise ToolError(f"{where!r} is read-only; leave it alone, or ask for it to be made writable")
        replace_file(folder, name, data, mode)
        seen[where] = _digest(data)

    @tool(parallel=True)
    def read(path: str, offset: int = 1, limit: int = 500) -> str:
        """Read `limit` lines of a text file from line `offset`, each after its number and a tab."""
        if offset < 1 or limit < 1:
            raise ToolError("offset and limit count lines and begin at 1")
        with parent_of(root, path) as (folder, name, where):
            data, _ = load(folder, name, where, False)
        lines = decode(data, where)[0].split("\n")
        lines = lines[:-1] if lines[-1] == "" else lines
        page = lines[offset - 1 : offset - 1 + limit]
        seen[where] = _digest(data)
        last = offset - 1 + len(page)
        more = (
            [f"[… {len(lines) - last} more lines; read on with offset={last + 1}]"]
            if last < len(lines)
            else []
        )
        shown = [f"{n}\t{line.removesuffix(chr(13))}" for n, line in enumerate(page, offset)]
        return "\n".join(shown + more) or "(no lines)"

    @tool(max_payload=1_000_000)
    def write(path: str, content: str) -> str:
        """Write a whole file as UTF-8; one that exists must have been read before."""
        with parent_of(root, path) as (folder, name, where):
            try:
                mode = load(folder, name, where, True)[1]
            except ToolError as error:
                if not str(error).startswith("there is no file"):
                    raise
                mode = 0o644
            save(folder, name, where, _encode(content, "utf-8", where), mode)
        return f"{where}: written"

    @tool(max_payload=1_000_000)
    def edit(path: str, old: str, new: str, replace_all: bool = False) -> str:
        """Replace a text that stands exactly once in a file you have read; with replace_all, everywhere."""
        return edit_all(path, [(old, new, replace_all)])

    @tool(max_payload=1_000_000)
    def multi_edit(path: str, edits: list[dict[str, str]]) -> str:
        """Make several edits of one file, each an object with old and new, in order: all of them or none."""
        if not edits or any(set(each) != {"old", "new"} for each in edits):
            raise ToolError("edits must be a list of objects with old and new; send at least one")
        return edit_all(path, [(each["old"], each["new"], False) for each in edits])

    return [read, write, edit, multi_edit]


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _encode(text: str, encoding: str, path: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        raise ToolError(
            f"{path!r} is {encoding}, which cannot hold this text; use other characters"
        ) from None
