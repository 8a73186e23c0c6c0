"""`picolab doctor`: what is right with this machine, and for what is not, the fix."""

import argparse
import json
import os
import re
import shutil
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from picolab.classroom import course

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")


@dataclass(frozen=True)
class Line:
    """One thing that was looked at."""

    what: str
    ok: bool
    said: str
    needed: bool = True
    """Whether the course needs it; without the others it says what is lost."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print every line as JSON")


def run(args: argparse.Namespace) -> int:
    lines = [check() for check in CHECKS]
    healthy = all(line.ok for line in lines if line.needed)
    if args.json:
        print(json.dumps({"schema": 1, "ok": healthy, "lines": [asdict(line) for line in lines]}, indent=2))
    else:
        for line in lines:
            mark = "✔" if line.ok else "✖" if line.needed else "○"
            print(f"  {mark} {line.what:<16} {line.said}")
    return 0 if healthy else 1


def python() -> Line:
    version = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= (3, 11)
    return Line(
        "Python",
        ok,
        f"{version}" if ok else f"{version} is too old; install 3.11 or newer and run `make setup`",
    )


def packages() -> Line:
    """Whether what is installed is what uv.lock says."""
    text = (course.root() / "uv.lock").read_text(encoding="utf-8")
    locked: dict[str, set[str]] = {}
    for name, version in re.findall(r'\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]+)"', text):
        locked.setdefault(name, set()).add(version)  # the lock may hold one version for each Python
    wrong = []
    for name in _direct():
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            found = "missing"
        if found not in locked.get(name, {found}):
            wrong.append(f"{name} is {found}, not {' or '.join(sorted(locked[name]))}")
    said = f"{len(locked)} as uv.lock says" if not wrong else "; ".join(wrong[:3]) + ": run `make setup`"
    return Line("packages", not wrong, said)


def _direct() -> list[str]:
    import tomllib

    project = tomllib.loads((course.root() / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.split(r"[<>=! ]", each)[0] for each in project["dependencies"]]


def kernel() -> Line:
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        spec = KernelSpecManager().get_kernel_spec("python3")
    except NoSuchKernel:
        return Line("kernel", False, "there is no kernel python3: run `make setup`")
    mine = Path(spec.argv[0]).resolve() == Path(sys.executable).resolve() or spec.argv[0] in (
        "python",
        "python3",
    )
    return Line(
        "kernel",
        True,
        "python3" if mine else f"python3, which runs {spec.argv[0]}; the grader uses this one instead",
    )


def disk() -> Line:
    free = shutil.disk_usage(course.root()).free // 1024**2
    return Line("disk", free > 300, f"{free:,} MB free" + ("" if free > 300 else "; make room"))


def memory() -> Line:
    import psutil

    free = psutil.virtual_memory().available // 1024**2
    return Line(
        "memory",
        free > 1024,
        f"{free:,} MB free" + ("" if free > 1024 else "; close something, a lesson needs up to 2 GB"),
    )


def writing() -> Line:
    try:
        course.state().mkdir(parents=True, exist_ok=True)
        probe = course.state() / "probe"
        probe.write_text("ä", encoding="utf-8")
        probe.unlink()
        return Line("writing", True, f"{course.state()}")
    except OSError as error:
        return Line(
            "writing",
            False,
            f"{course.state()} cannot be written ({error.strerror}); set PICOLAB_HOME to a folder of yours",
        )


def notebooks() -> Line:
    missing = [m.notebook("notebooks").name for m in course.modules() if not m.notebook("notebooks").exists()]
    said = (
        f"{len(course.modules())} lessons are there"
        if not missing
        else f"{missing[0]} is missing: run `make build`"
    )
    return Line("notebooks", not missing, said)


def text() -> Line:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    ok = encoding == "utf8"
    return Line(
        "text", ok, "UTF-8" if ok else f"the terminal speaks {encoding}; set PYTHONUTF8=1", needed=False
    )


def git() -> Line:
    return _tool("git", "you cannot get newer versions of the course with `git pull`")


def ripgrep() -> Line:
    return _tool("rg", "searching is done in Python, which is slower", "ripgrep")


def wall() -> Line:
    from picolab.classroom.confined import namespaces

    found = namespaces()
    lost = "answers are graded with the network on, in limited processes of their own"
    return Line("grading wall", bool(found), "no network while grading" if found else lost, needed=False)


def port() -> Line:
    with socket.socket() as probe:
        taken = probe.connect_ex(("127.0.0.1", 8888)) == 0
    return Line(
        "port 8888", not taken, "free" if not taken else "taken; `make lab` takes the next one", needed=False
    )


def browser() -> Line:
    found = next((name for name in BROWSERS if shutil.which(name)), None)
    lost = "none found; open the printed address in one, and the browser tests are skipped"
    return Line("browser", bool(found), found or lost, needed=False)


def key() -> Line:
    known = [name for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY") if os.environ.get(name)]
    return Line(
        "model key",
        bool(known),
        f"{' and '.join(known)} set" if known else "none, and none is needed",
        needed=False,
    )


def _tool(command: str, lost: str, name: str = "") -> Line:
    path = shutil.which(command)
    return Line(name or command, path is not None, path or f"not found; {lost}", needed=False)


CHECKS: tuple[Callable[[], Line], ...] = (
    python,
    packages,
    kernel,
    notebooks,
    disk,
    memory,
    writing,
    text,
    wall,
    git,
    ripgrep,
    browser,
    port,
    key,
)
