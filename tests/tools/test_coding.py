"""Files are read in pages and edited exactly, inside the workspace only, and only after they were read."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picolab.errors import ToolError
from picolab.tools.coding import change, coding_tools, decode
from picolab.workspace import Workspace


@pytest.fixture
def tools(tmp_path):
    (tmp_path / "top").mkdir()
    (tmp_path / "secret").write_text("secret\n", encoding="utf-8")
    return tmp_path / "top", {each.name: each for each in coding_tools(Workspace(tmp_path / "top"))}


@given(st.text("ab\n", max_size=30), st.text("ab\n", min_size=1, max_size=3), st.text("abc", max_size=3))
def test_an_edit_everywhere_is_what_str_replace_gives(text, old, new):
    if old == new or old not in text:
        with pytest.raises(ToolError):
            change(text, old, new, True, "f")
    else:
        assert change(text, old, new, True, "f") == text.replace(old, new)


@given(st.binary(max_size=60))
def test_what_is_decoded_encodes_to_the_same_bytes(data):
    try:
        text, encoding, mark = decode(data, "f")
    except ToolError:
        return
    assert mark + text.encode(encoding) == data


def test_a_text_that_overlaps_itself_is_not_unique():
    with pytest.raises(ToolError, match="stands 2 times"):
        change("aaa", "aa", "b", False, "f")


@pytest.mark.parametrize(
    "data",
    [
        "é one\ntwo".encode(),
        b"\xef\xbb\xbfone\r\ntwo\r\n",
        b"\xe9 one\ntwo\n",
        b"\xff\xfe" + "one\r\ntwo".encode("utf-16-le"),
        b"one\r\ntwo\nthree",
    ],
)
def test_an_edit_keeps_encoding_line_ends_and_mode(tools, data):
    top, use = tools
    (top / "f").write_bytes(data)
    (top / "f").chmod(0o750)
    (top / "link").symlink_to("f")
    use["read"]("link")
    use["edit"]("link", "two", "2")
    two, number = (
        ("two".encode("utf-16-le"), "2".encode("utf-16-le")) if data[:2] == b"\xff\xfe" else (b"two", b"2")
    )
    assert (top / "f").read_bytes() == data.replace(two, number)
    assert (top / "f").stat().st_mode & 0o777 == 0o750
    assert (top / "link").is_symlink()
    assert sorted(os.listdir(top)) == ["f", "link"]


def test_pages_put_together_are_the_file(tools):
    top, use = tools
    (top / "f").write_text("".join(f"line {n}\n" for n in range(7)), encoding="utf-8")
    pages = [use["read"]("f", offset, 3).split("\n") for offset in (1, 4, 7)]
    lines = [line.partition("\t")[2] for page in pages for line in page if not line.startswith("[…")]
    assert lines == [f"line {n}" for n in range(7)]


def test_a_file_is_edited_only_as_it_was_read(tools):
    top, use = tools
    (top / "f").write_text("one\n", encoding="utf-8")
    for name, arguments in (("edit", ("one", "two")), ("write", ("two",))):
        with pytest.raises(ToolError, match="read it first"):
            use[name]("f", *arguments)
    use["read"]("f")
    (top / "f").write_text("one more\n", encoding="utf-8")
    with pytest.raises(ToolError, match="read it again"):
        use["edit"]("f", "one", "two")


def test_several_edits_are_made_all_or_not_at_all(tools):
    top, use = tools
    use["write"]("f", "a b")
    with pytest.raises(ToolError):
        use["multi_edit"]("f", [{"old": "a", "new": "c"}, {"old": "missing", "new": "d"}])
    assert (top / "f").read_text(encoding="utf-8") == "a b"
    use["multi_edit"]("f", [{"old": "a", "new": "c"}, {"old": "c b", "new": "d"}])
    assert (top / "f").read_text(encoding="utf-8") == "d"


@pytest.mark.parametrize(
    "path", ["../secret", "/etc/passwd", "out/secret", "direct", "a/../../secret", "", "a\0b", "loop"]
)
def test_nothing_outside_is_read_or_written(tools, path, tmp_path):
    top, use = tools
    (top / "a").mkdir()
    (top / "out").symlink_to("..")
    (top / "direct").symlink_to(tmp_path / "secret")
    (top / "loop").symlink_to("loop")
    for name, arguments in (("read", ()), ("write", ("x",))):
        with pytest.raises(ToolError):
            use[name](path, *arguments)
    assert (tmp_path / "secret").read_text(encoding="utf-8") == "secret\n"


@pytest.mark.timeout(10)
def test_pipes_folders_and_binary_files_are_refused_at_once(tools):
    top, use = tools
    os.mkfifo(top / "pipe")
    (top / "folder").mkdir()
    (top / "binary").write_bytes(b"\0\1")
    for name in ("pipe", "folder", "binary", ".", "pipe/x", "nowhere/x"):
        with pytest.raises(ToolError):
            use["read"](name)


def test_a_path_that_ends_by_going_up_names_the_folder_and_not_a_file_in_it(tools):
    top, use = tools
    (top / "a/b").mkdir(parents=True)
    (top / "a/a").write_text("inner\n", encoding="utf-8")
    with pytest.raises(ToolError, match="not a regular file"):
        use["read"]("a/b/..")
    assert use["read"]("a/b/../a") == "1\tinner"
