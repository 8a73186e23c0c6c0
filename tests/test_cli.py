"""The one command: help, mistakes, and repairs from outside."""

import json
import subprocess
import sys

import pytest

from picolab import cli
from picolab.classroom.course import workspace


def test_without_a_command_it_lists_them_and_with_a_wrong_one_too(capsys):
    assert cli.main([]) == 0
    listed = capsys.readouterr().out
    for name in cli.COMMANDS:
        assert f"  {name}" in listed
    assert cli.main(["repare"]) == 2
    assert "no command 'repare'" in capsys.readouterr().err


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_explains_itself(name):
    with pytest.raises(SystemExit) as done:
        cli.main([name, "--help"])
    assert done.value.code == 0


def test_a_repair_as_json_has_outcome_evidence_and_diff(tmp_path, capsys):
    home = workspace("broken-build")
    arguments = [
        "repair",
        str(home),
        "--json",
        "--into",
        str(tmp_path / "kept"),
        "--trace",
        str(tmp_path / "run.jsonl"),
    ]
    assert cli.main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["schema"], report["state"], report["verified"]) == (1, "completed", True)
    assert len(report["failed_before"]) == 3
    assert len(report["passes_now"]) == 14
    assert report["fails_now"] == []
    assert "--- a/harvest/sheets.py" in report["diff"]
    assert report["tokens"]["input"] > 0
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path / "kept",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "14 passed" in done.stdout
    assert cli.main(["show", str(tmp_path / "run.jsonl")]) == 0
    assert "✔ completed" in capsys.readouterr().out


@pytest.mark.parametrize("what", ["missing", "file", "full", "inside"])
def test_bad_input_is_refused_before_anything_happens(what, tmp_path, capsys):
    home = workspace("broken-build")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("x", encoding="utf-8")
    arguments = {
        "missing": [str(tmp_path / "nowhere")],
        "file": [str(home / "README.md")],
        "full": [str(home), "--into", str(tmp_path / "full")],
        "inside": [str(home), "--into", str(home / "new")],
    }[what]
    assert cli.main(["repair", *arguments]) == 2
    assert capsys.readouterr().err.startswith("picolab repair: ")
    assert not (home / "new").exists()
