"""A tool that runs the tests of a workspace, in a process group that nothing outlives."""

import asyncio
import contextlib
import os
import re
import shlex
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from picolab.errors import ToolError
from picolab.tools.base import Tool, tool
from picolab.tools.cut import cut
from picolab.workspace import Workspace

MOST_OUTPUT = 200_000
PLUGINS = {
    "nbval": "nbval",
    "hypothesispytest": "hypothesis",
    "anyio": "anyio",
    "xdist": "xdist",
    "xdist.looponfail": "xdist",
}
"""Plugins of this environment that cost seconds to load, and the word by which a repository shows that it uses one."""


NOT_INHERITED = ("PYTEST_", "PICOLAB_", "COV_", "FORCE_COLOR", "CLICOLOR", "PY_COLORS", "MPLBACKEND", "JPY_")
"""Variables that would make the same tests behave otherwise, as a notebook's kernel sets some."""


def unused_plugins(root: Path) -> list[str]:
    """Options that keep out the plugins which nothing in the tests or their configuration names."""
    files = [*root.rglob("*.py"), *root.glob("*.ini"), *root.glob("*.toml"), *root.glob("*.cfg")][:2000]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files if path.is_file())
    return [option for name, word in PLUGINS.items() if word not in text for option in ("-p", f"no:{name}")]


async def run_pytest(
    root: Path, arguments: list[str], seconds: float, environment: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run `python -m pytest` in a folder; its exit status (-1 when its time ran out) and its output.

    It runs in a session of its own, which is killed at the end or on cancellation, so that no child of a test is left.
    """
    clean = {k: v for k, v in os.environ.items() if not k.startswith(NOT_INHERITED)}
    clean |= {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "160",
        **(environment or {}),
    }
    with tempfile.TemporaryFile() as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pytest", *unused_plugins(root), *arguments),
            cwd=root,
            env=clean,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            status = -1
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        return status, _same_everywhere(_ends_of(output), root)


def _same_everywhere(output: str, root: Path) -> str:
    """The output without what differs between two runs of the same tests: durations, and where the folders lie.

    What a model reads should depend on the failure alone; then the same failure costs the same tokens.
    """
    output = output.replace(f"{root}{os.sep}", "")
    output = re.sub(r"\x1b\[[0-9;]*m", "", output)
    output = re.sub(r"(?<=\bin )\d+\.\d+s(?: \(\d+:\d\d:\d\d\))?", "0s", output)
    return re.sub(r"(?m)^/\S*?(?=/lib/python3\.\d+/)", "…", output)


def _ends_of(file: IO[bytes]) -> str:
    """The text in a file; of a flood, only as much of both ends as anybody would read."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size <= 4 * MOST_OUTPUT:
        return file.read().decode("utf-8", errors="replace")
    head = file.read(MOST_OUTPUT)
    file.seek(-MOST_OUTPUT, os.SEEK_END)
    missing = f"\n[… {size - 2 * MOST_OUTPUT:,} bytes cut …]\n"
    return head.decode("utf-8", errors="replace") + missing + file.read().decode("utf-8", errors="replace")


def test_tool(workspace: Workspace, seconds: float = 120.0) -> Tool:
    """`run_tests` for one workspace."""

    @tool(timeout=seconds + 10, max_output=MOST_OUTPUT + 100)
    async def run_tests(target: str = "") -> str:
        """Run the tests with pytest, all of them or those that `target` names, and report what failed."""
        asked = shlex.split(target)
        if any(word.startswith("-") for word in asked):
            raise ToolError("target names test files or tests, not options of pytest")
        options = [
            "--tb=short",
            "-q",
            "-rfE",
            "--color=no",
            "-p",
            "no:cacheprovider",
            "--continue-on-collection-errors",
        ]
        status, output = await run_pytest(workspace.root, [*options, *asked], seconds)
        if status == -1:
            return f"the tests did not end within {seconds:g} seconds and were stopped\nexit status -1"
        return f"{cut(output, MOST_OUTPUT)}\nexit status {status}"

    return run_tests


test_tool.__test__ = False  # it makes a tool; it is not a test
