"""A browser and a JupyterLab for the tests that look at things as a person does."""

import os
import secrets
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from picolab.classroom import course
from picolab.classroom.lab import end, serve, wait_until_up

settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared machine")  # a slow draw tells of the machine, not of the test
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    """A port that nobody uses; not the first one, which another worker may be choosing too."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass(frozen=True)
class Lab:
    """A JupyterLab that is being served."""

    folder: Path
    base: str
    token: str

    def address(self, path: str) -> str:
        """Where a notebook of it is opened."""
        return f"{self.base}/tree/{path}?token={self.token}&reset"


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium. Where there is none the test is skipped and says so; in CI that is a failure.

    One a module, because Playwright keeps an event loop running in this thread for as long as it lives, and whatever
    test came next in the same process could not start its own.
    """
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        assert not os.environ.get("CI"), "CI needs a browser, and start.py should have installed one"
        pytest.skip("no Chromium was found; install one to run the browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab on a copy of the notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    for name in ("notebooks", "exercises", "course"):
        shutil.copytree(course.root() / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(course.root() / "pyproject.toml", folder / "pyproject.toml")
    token, port = secrets.token_hex(8), free_port()
    places = {"PICOLAB_ROOT": folder, "PICOLAB_HOME": folder / "state"}
    places |= {"JUPYTER_CONFIG_DIR": folder / "config", "JUPYTERLAB_SETTINGS_DIR": folder / "settings"}
    server = serve(folder, port, token, **{name: str(path) for name, path in places.items()})
    try:
        wait_until_up(server, port)
        yield Lab(folder, f"http://127.0.0.1:{port}/lab", token)
    finally:
        end(server)
