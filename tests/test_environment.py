"""The files that make an environment agree with each other, and each failure of a set-up says what to do."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib

import pytest
import yaml

from picolab import cli
from picolab.classroom import course, doctor, lab
from picolab.errors import PicolabError

ROOT = course.root()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
DEVCONTAINER = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def start(*arguments, **variables):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHON"} | variables
    return subprocess.run(
        [sys.executable, "start.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_lock_holds_everything_that_the_project_asks_for():
    (own,) = [p for p in LOCK["package"] if p["name"] == "picolab"]
    asked = {re.split(r"[<>=!\[ ]", each)[0].lower() for each in PROJECT["project"]["dependencies"]}
    assert {each["name"] for each in own["dependencies"]} == asked
    groups = {re.split(r"[<>=!\[ ]", each)[0].lower() for each in PROJECT["dependency-groups"]["dev"]}
    assert {each["name"] for each in own["dev-dependencies"]["dev"]} == groups
    assert LOCK["requires-python"] == PROJECT["project"]["requires-python"] == ">=3.11"


def test_codespaces_and_conda_install_the_same_lock_with_a_python_that_the_project_takes():
    assert DEVCONTAINER["updateContentCommand"] == "python3 start.py setup"
    version = re.search(r"python:(\d+\.\d+)", DEVCONTAINER["image"])[1]
    assert tuple(map(int, version.split("."))) >= (3, 11)
    assert DEVCONTAINER["postCreateCommand"].endswith("|| true"), "a failing doctor would stop the chain"
    assert DEVCONTAINER["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"].endswith(
        ".venv/bin/python"
    )
    for secret in DEVCONTAINER["secrets"].values():
        assert secret["description"].startswith("Optional")
        assert secret["documentationUrl"].startswith("https://")
    assert CONDA["channels"] == ["conda-forge", "nodefaults"]
    assert CONDA["dependencies"][0] == "python >=3.11,<3.14"
    assert "start.py setup" in (ROOT / "environment.yml").read_text(encoding="utf-8")


def test_make_knows_every_target_and_help_lists_them():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"^\.PHONY: (.+)$", makefile, re.M)[1].split())
    assert targets == {"help", "lab", "test", "setup", "build", "check", "grade"}
    done = start("help")
    assert done.returncode == 0
    for target in targets:
        assert re.search(rf"^  {target} ", done.stdout, re.M)


def test_every_command_the_readme_names_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"picolab ([a-z]+)\b", text)) & {"repair", "grade", "progress", "reset", "update"}
    assert named == {"repair", "grade", "progress", "reset", "update"}
    assert named <= set(cli.COMMANDS)
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_readmes_example_of_a_model_runs():
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)[1]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "You said: hello\n", done.stderr


def test_ci_runs_the_readmes_test_command():
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert script.rstrip().endswith("make test")
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_setting_up_again_takes_no_time_and_no_network():
    began = time.monotonic()
    done = start("setup")
    if "making .venv" in done.stdout:
        pytest.fail(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"PYTHON": "/no/such/python"}, "Python 3.11 or newer is needed"),
        ({"PYTHON": sys.executable + "-missing"}, "is not one"),
    ],
)
def test_a_missing_python_is_told_with_what_to_do(variables, says):
    done = start("setup", **variables)
    assert done.returncode == 1
    assert says in done.stderr
    assert "make lab PYTHON=" in done.stderr


def test_an_unknown_target_lists_the_known_ones():
    done = start("fly")
    assert done.returncode == 2
    assert "setup" in done.stdout


def test_grading_without_a_number_says_how():
    done = start("grade", N="")
    assert done.returncode == 1
    assert "make grade N=01" in done.stderr


def test_doctor_finds_this_machine_fit_and_says_each_thing_on_a_line(capsys):
    assert cli.main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) == len(doctor.CHECKS)
    assert cli.main(["doctor", "--json"]) == 0
    lines = json.loads(capsys.readouterr().out)["lines"]
    assert all(line["ok"] for line in lines if line["needed"])


def test_doctor_names_the_fix_for_what_is_wrong(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("PICOLAB_HOME", str(tmp_path / "file" / "state"))
    line = doctor.writing()
    assert not line.ok
    assert "PICOLAB_HOME" in line.said


def test_a_port_that_is_taken_is_refused_with_a_free_one_or_passed_over():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(PicolabError, match=rf"port {port} is taken; port \d+ is free: make lab PORT="):
            lab.choose_port(port)
    assert lab.choose_port(port) == port
    for bad in (0, 70_000, -1):
        with pytest.raises(PicolabError, match="no port"):
            lab.choose_port(bad)


@pytest.mark.skipif(sys.platform == "win32", reason="signals to process groups are not to be had there")
def test_the_lab_prints_its_address_and_ends_cleanly_on_ctrl_c():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "picolab.cli", "lab", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        address = next(line for line in server.stdout if "JupyterLab is at" in line)
        assert f"http://127.0.0.1:{port}/lab/tree/notebooks/00_welcome.ipynb?token=" in address
        server.send_signal(signal.SIGINT)
        rest, _ = server.communicate(timeout=30)
        assert "Traceback" not in rest
        assert server.returncode == 0
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0
    finally:
        server.kill()
