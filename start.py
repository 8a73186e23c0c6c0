#!/usr/bin/env python3
"""Sets up the course and starts it, with nothing but a Python interpreter: `python3 start.py lab`.

The Makefile calls this file. It uses the standard library only, says what it does, and says what to do when a step fails.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
STAMP = os.path.join(VENV, ".picolab-stamp")
LEAST = (3, 11)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
TARGETS = {
    "lab": "set up, check the machine, run the agent once, and open JupyterLab (PORT=… to choose the port)",
    "test": "set up, and run everything that CI runs",
    "setup": "make .venv with exactly what uv.lock says, and nothing else",
    "build": "make notebooks/, exercises/ and solutions/ from course/",
    "check": "say what generated files are stale, and what is wrong with the shape of a lesson",
    "grade": "grade your exercises: make grade N=01",
    "help": "print this list",
}


class Stop(Exception):
    """A step failed; the message says what to do."""


def say(text):
    print("» " + text, flush=True)


def run(command, advice, quiet=False, **options):
    """Run a command; if it fails, stop with advice."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            check=False,
            stdout=subprocess.PIPE if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
            **options,
        )
    except OSError as error:
        raise Stop("%s could not be started: %s\n%s" % (command[0], error, advice))
    if done.returncode:
        shown = done.stdout.decode("utf-8", "replace")[-2000:] if quiet else ""
        raise Stop(
            "%s\nthis failed with status %d: %s\n%s" % (shown, done.returncode, " ".join(command), advice)
        )


# Setting up ---------------------------------------------------------------------------------------------------------


def version_of(python):
    """The version of an interpreter, or None if it does not run."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        out = subprocess.run([python, "-c", code], capture_output=True, timeout=30, check=False)
        return tuple(int(part) for part in out.stdout.decode().split(".")) if out.returncode == 0 else None
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def find_python():
    """An interpreter that is new enough: PYTHON if it is set, else this one, else one on the PATH."""
    chosen = os.environ.get("PYTHON")
    names = (
        [chosen]
        if chosen
        else [sys.executable, "python3.13", "python3.12", "python3.11", "python3", "python"]
    )
    for name in names:
        path = shutil.which(name) if name else None
        version = version_of(path) if path else None
        if version and version >= LEAST:
            return path, version
    where = "PYTHON=%s is not one" % chosen if chosen else "none was found"
    raise Stop(
        "Python %d.%d or newer is needed, and %s. Install one (from python.org, or your system's packages), then try again; "
        "or name one: make lab PYTHON=/path/to/python3.13" % (LEAST + (where,))
    )


def fingerprint(version):
    """What the environment was made from; when this changes it is made again."""
    made_from = ["%d.%d" % version, VENV]
    for name in ("uv.lock", "pyproject.toml"):
        with open(os.path.join(ROOT, name), "rb") as file:
            made_from.append(hashlib.sha256(file.read()).hexdigest())
    return "\n".join(made_from)


def is_ready(wanted):
    try:
        with open(STAMP, encoding="utf-8") as file:
            if file.read() != wanted:
                return False
    except OSError:
        return False
    return version_of(tool("python")) is not None


def tool(name):
    return os.path.join(BIN, name + (".exe" if os.name == "nt" else ""))


def setup():
    """The environment, exactly as uv.lock says; done already, it takes no time and no network."""
    own = version_of(tool("python")) if not os.environ.get("PYTHON") else None
    if own and own >= LEAST and is_ready(fingerprint(own)):
        say("the environment is ready (.venv, Python %d.%d)" % own)
        return
    python, version = find_python()
    wanted = fingerprint(version)
    if is_ready(wanted):
        say("the environment is ready (.venv, Python %d.%d)" % version)
        return
    free = shutil.disk_usage(ROOT).free
    if free < 1500 * 1024**2:
        raise Stop(
            "about 1.5 GB of disk is needed here and %d MB are free; make room, then try again"
            % (free // 1024**2)
        )
    if os.path.exists(STAMP):
        os.remove(STAMP)
    if version_of(tool("python")) != version or not moved_here():
        say("making .venv with Python %d.%d" % version)
        run(
            [python, "-m", "venv", "--clear", VENV],
            "Python's venv module is missing or broken. On Debian and Ubuntu: apt install python%d.%d-venv. Elsewhere, install a "
            "complete Python. Is this folder writable?" % version,
            quiet=True,
        )
    network = "Is there a network? Behind a proxy, set HTTPS_PROXY. The first set-up downloads about 200 MB; later ones need nothing."
    if not os.path.exists(tool("uv")):
        get_uv(network)
    say("installing exactly what uv.lock says")
    environment = dict(
        os.environ,
        UV_PROJECT_ENVIRONMENT=VENV,
        VIRTUAL_ENV=VENV,
        UV_PYTHON=tool("python"),
        UV_LINK_MODE="copy",
    )
    if not can_write(os.path.expanduser("~")):
        environment["UV_CACHE_DIR"] = os.path.join(tempfile.gettempdir(), "picolab-uv-cache")
    run([tool("uv"), "sync", "--frozen", "--no-progress", "--quiet"], network, env=environment)
    with open(STAMP, "w", encoding="utf-8") as file:
        file.write(wanted)
    say("the environment is ready (.venv, Python %d.%d)" % version)


def get_uv(network):
    """The uv that uv.lock pins; later set-ups use it to bring in whatever the lock says by then."""
    with open(os.path.join(ROOT, "uv.lock"), encoding="utf-8") as file:
        pinned = re.search(r'name = "uv"\nversion = "([^"]+)"', file.read()).group(1)
    say("installing uv %s" % pinned)
    run(
        [tool("python"), "-m", "ensurepip", "--upgrade"],
        "Python's ensurepip is missing; install a complete Python.",
        quiet=True,
    )
    run(
        [tool("python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv==" + pinned],
        network,
        quiet=True,
    )


def moved_here():
    """Whether .venv was made in this very folder: its scripts hold absolute paths."""
    try:
        with open(os.path.join(BIN, "activate"), encoding="utf-8") as file:
            return VENV in file.read()
    except OSError:
        return os.name == "nt"


def can_write(folder):
    return os.path.isdir(folder) and os.access(folder, os.W_OK)


# The targets --------------------------------------------------------------------------------------------------------


def lab():
    setup()
    say("checking this machine")
    subprocess.run([tool("picolab"), "doctor"], cwd=ROOT, check=False)
    say("running the agent on a broken repository")
    advice = "The agent could not repair the course's own example. `.venv/bin/picolab doctor` may say why."
    run([tool("picolab"), "repair", os.path.join("course", "workspaces", "broken-build")], advice)
    say("starting JupyterLab; Ctrl-C ends it")
    port = ["--port", os.environ["PORT"]] if os.environ.get("PORT") else []
    return replace_by([tool("picolab"), "lab", *port])


def replace_by(command):
    """Hand over to a command, so that Ctrl-C reaches it and nothing else."""
    if os.name == "nt":
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    os.chdir(ROOT)
    os.execv(command[0], command)


def test():
    setup()
    browser()
    lint = "Run `.venv/bin/ruff check --fix` and `.venv/bin/ruff format`, and look at what is left."
    steps = [
        ("style", [tool("ruff"), "check"], lint),
        ("format", [tool("ruff"), "format", "--check", "--quiet"], lint),
        (
            "generated files",
            [tool("picolab"), "build", "--check"],
            "Run `make build`, look at what changed, and commit it.",
        ),
        (
            "lessons' shape",
            [tool("picolab"), "lint"],
            "Each line above names a file and what to change in it.",
        ),
        (
            "tests",
            [tool("python"), "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"],
            "The failures are above.",
        ),
    ]
    for name, command, advice in steps:
        say("checking " + name)
        began = time.time()
        run(command, advice)
        say("%s: ok, %.0f s" % (name, time.time() - began))


def browser():
    """A browser for the tests that need one; installed where that can be done without asking."""
    if any(shutil.which(name) for name in CHROMIUM):
        return
    if os.name == "posix" and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        say("installing Chromium for the browser tests")
        run(
            ["apt-get", "update", "-qq"],
            "The package lists could not be fetched; is there a network?",
            quiet=True,
        )
        options = ["install", "-y", "-qq", "--no-install-recommends"]
        run(
            ["apt-get", *options, "chromium"],
            "Chromium could not be installed; install it by hand.",
            quiet=True,
            env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"),
        )
    else:
        say("no Chromium was found: the tests that need a browser are skipped, and say so")


def build():
    setup()
    run([tool("picolab"), "build"], "The message above names the file.")


def check():
    setup()
    run([tool("picolab"), "build", "--check"], "Run `make build`, look at what changed, and commit it.")
    run([tool("picolab"), "lint"], "Each line above names a file and what to change in it.")


def grade():
    setup()
    number = os.environ.get("N") or (sys.argv[2] if len(sys.argv) > 2 else "")
    if not number:
        raise Stop("say which module: make grade N=01")
    return subprocess.run([tool("picolab"), "grade", number], cwd=ROOT, check=False).returncode


def help_():
    print("make TARGET, or python3 start.py TARGET where there is no make:\n")
    for name, what in TARGETS.items():
        print("  %-7s %s" % (name, what))


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else "help"
    actions = {
        "lab": lab,
        "test": test,
        "setup": setup,
        "build": build,
        "check": check,
        "grade": grade,
        "help": help_,
    }
    if wanted not in actions:
        help_()
        print("\nthere is no target %r" % wanted, file=sys.stderr)
        return 2
    try:
        return actions[wanted]() or 0
    except Stop as stop:
        print("\n✖ %s" % stop, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
