"""A workspace is a fresh copy with a wall around it."""

import os

import pytest

from picolab.errors import PicolabError, ToolError
from picolab.workspace import Workspace, copy_of


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "source"
    (folder / "pkg").mkdir(parents=True)
    (folder / "pkg/a.py").write_text("x = 1\n", encoding="utf-8")
    (folder / ".venv").mkdir()
    (folder / ".venv/big").write_text("x", encoding="utf-8")
    (folder / "env").mkdir()
    (folder / "env/pyvenv.cfg").write_text("", encoding="utf-8")
    (folder / "pkg/__pycache__").mkdir()
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "path", ["../out", "/etc/passwd", "pkg/../../out", "link/x", "a\0b", "pkg/../../source2"]
)
def test_a_path_that_leads_outside_is_refused(source, path):
    (source / "link").symlink_to("/etc")
    with pytest.raises(ToolError):
        Workspace(source).resolve(path)


@pytest.mark.parametrize("path", ["pkg/a.py", "./pkg/../pkg/a.py", ".", "new/file.txt"])
def test_a_path_inside_is_given(source, path):
    assert str(Workspace(source).resolve(path)).startswith(str(source))


def test_a_copy_holds_what_is_not_made_from_the_rest(source, tmp_path):
    copy = copy_of(source, tmp_path / "copy")
    found = {p.relative_to(copy.root).as_posix() for p in copy.root.rglob("*") if p.is_file()}
    assert found == {"pkg/a.py", ".git/HEAD"}


def test_links_never_lead_a_write_back_to_the_original(source, tmp_path):
    (tmp_path / "elsewhere.txt").write_text("outside", encoding="utf-8")
    (source / "absolute").symlink_to(source / "pkg/a.py")
    (source / "outside").symlink_to(tmp_path / "elsewhere.txt")
    (source / "folder").symlink_to(source / "pkg")
    copy = copy_of(source, tmp_path / "copy")
    (copy.root / "absolute").write_text("changed", encoding="utf-8")
    (copy.root / "outside").write_text("changed", encoding="utf-8")
    (copy.root / "folder/a.py").write_text("changed", encoding="utf-8")
    assert (source / "pkg/a.py").read_text(encoding="utf-8") == "x = 1\n"
    assert (tmp_path / "elsewhere.txt").read_text(encoding="utf-8") == "outside"


def test_a_read_only_file_can_be_repaired_in_the_copy(source, tmp_path):
    (source / "pkg/a.py").chmod(0o444)
    copy = copy_of(source, tmp_path / "copy")
    assert os.access(copy.root / "pkg/a.py", os.W_OK)
    assert (copy.root / "pkg/a.py").stat().st_mode & 0o200


@pytest.mark.parametrize("what", ["missing", "a file", "empty"])
def test_what_is_no_repository_is_refused_with_advice(source, tmp_path, what):
    paths = {"missing": tmp_path / "nowhere", "a file": source / "pkg/a.py", "empty": tmp_path / "empty"}
    (tmp_path / "empty").mkdir()
    with pytest.raises(PicolabError):
        copy_of(paths[what])


def test_a_folder_that_is_far_too_large_is_refused(source, monkeypatch):
    from picolab import workspace

    monkeypatch.setattr(workspace, "MOST_FILES", 1)
    with pytest.raises(PicolabError, match="the limit is 1 files"):
        copy_of(source)
