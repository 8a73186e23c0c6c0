"""Lessons and solutions run, twice over; exercises are red in exactly their graded cells, and leak nothing."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from picolab.classroom import course
from picolab.classroom.answers import BEGIN, END, solutions
from picolab.classroom.build import check_module, dump, make
from picolab.classroom.confined import namespaces
from picolab.classroom.sockets import sockets_in
from picolab.classroom.update import is_answer, is_written

MODULES = course.modules()
RUNNABLE = [m.notebook(kind) for m in MODULES for kind in ("notebooks", "solutions")]
OURS = "error:::__main__"
"""Any warning that a cell itself causes is an error; what libraries say to each other is theirs to mend."""
SANITIZE = """
[address]
regex: 0x[0-9a-f]{6,}
replace: 0xADDRESS
"""


def alone(command, tmp_path, **variables):
    """Run a command without a network, where this machine can do that; CI must be able to."""
    wall = ["unshare", "-rn"] if namespaces() else []
    assert wall or not os.environ.get("CI"), (
        "CI has to be able to cut off the network, and `unshare` could not"
    )
    confined = [*wall, sys.executable, "-m", "picolab.classroom.confined", "8192", *command]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    environment |= {
        "PICOLAB_HOME": str(tmp_path / "state"),
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "agg",
        **variables,
    }
    return subprocess.run(
        confined, capture_output=True, text=True, timeout=280, env=environment, cwd=course.root(), check=False
    )


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.stem)
def test_generated_notebooks_are_fresh(module):
    assert check_module(module) == []


@pytest.mark.parametrize("path", RUNNABLE, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_nbval_finds_the_outputs_that_are_stored(path, tmp_path):
    (tmp_path / "sanitize.cfg").write_text(SANITIZE, encoding="utf-8")
    plugins = [
        "-p",
        "picolab.classroom.sockets",
        "-p",
        "nbval.plugin",
        "-p",
        "pytest_timeout",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
    ]
    options = [
        "--nbval",
        "--nbval-current-env",
        "--nbval-cell-timeout",
        "60",
        "--timeout",
        "180",
        "-W",
        "error",
    ]
    options += ["--nbval-sanitize-with", str(tmp_path / "sanitize.cfg"), "--rootdir", str(course.root())]
    done = alone(
        [sys.executable, "-m", "pytest", "-q", *plugins, *options, str(path)],
        tmp_path,
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
        PYTHONWARNINGS=OURS,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-1000:]
    assert " passed" in done.stdout


RUN = """
import sys, nbformat
from nbclient import NotebookClient
from traitlets.config import Config
from picolab.classroom.sockets import sockets_in
notebook = nbformat.read(sys.argv[1], as_version=4)
there, config = {"metadata": {"path": sys.argv[2]}}, Config(KernelManager=sockets_in(sys.argv[3]))
NotebookClient(notebook, timeout=60, kernel_name="python3", resources=there, config=config).execute()
"""


@pytest.mark.parametrize("path", RUNNABLE, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_nbclient_runs_every_cell_with_warnings_as_errors(path, tmp_path):
    done = alone(
        [sys.executable, "-c", RUN, str(path), str(path.parent), str(tmp_path)],
        tmp_path,
        PYTHONWARNINGS=OURS,
    )
    assert done.returncode == 0, done.stderr[-6000:]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.stem)
def test_a_shipped_exercise_set_is_red_in_exactly_its_graded_cells(module, tmp_path, monkeypatch):
    monkeypatch.setenv("PICOLAB_HOME", str(tmp_path))
    notebook = nbformat.read(module.notebook("exercises"), as_version=4)
    if not os.environ.get("CI") and any(is_answer(cell) and is_written(cell) for cell in notebook.cells):
        pytest.skip("somebody has begun to answer these exercises; CI runs this on a fresh clone")
    resources = {"metadata": {"path": str(module.notebook("exercises").parent)}}
    config = Config(KernelManager=sockets_in(tmp_path))
    NotebookClient(
        notebook, timeout=60, kernel_name="python3", allow_errors=True, resources=resources, config=config
    ).execute()
    red = [
        cell.id for cell in notebook.cells if any(o.output_type == "error" for o in cell.get("outputs", []))
    ]
    graded = [cell.id for cell in notebook.cells if "check" in cell.metadata]
    assert red == graded
    said = [o.evalue for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "error"]
    assert all("not answered yet" in each for each in said), said


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.stem)
def test_exercises_hold_no_output_and_no_line_of_an_answer(module):
    text = dump(make(module, "exercises"))
    notebook = nbformat.reads(text, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    assert BEGIN not in text
    assert END not in text
    answers = [cell for cell in notebook.cells if "answer" in cell.metadata]
    assert len(answers) == len(module.tasks)
    for cell in answers:
        shown = {line.strip() for line in cell.source.splitlines()}
        solution = [line.strip() for line in solutions(module)[cell.metadata.answer].splitlines()]
        hidden = [line for line in solution if line not in shown]
        assert hidden, f"the stub of {cell.metadata.answer} shows its whole answer"
        assert "NotImplementedError" in cell.source or any(line.endswith("= None") for line in shown)


@pytest.mark.parametrize("path", RUNNABLE, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_stored_outputs_name_no_folder_of_the_machine_that_made_them(path):
    text = path.read_text(encoding="utf-8")
    assert str(course.root()) not in text
    assert str(Path.home()) + "/" not in text
    assert "/tmp/" not in text
