"""`picolab lab`: JupyterLab at the start page, with its address printed, and an end that leaves nothing behind."""

import argparse
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from contextlib import suppress
from pathlib import Path

from picolab.classroom import course
from picolab.errors import PicolabError

FIRST_PORT, START = 8888, "notebooks/00_welcome.ipynb"
PATIENCE = 60
"""Seconds that the server has to answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, help=f"the port to serve on; the first free one from {FIRST_PORT} if not given"
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser, only print the address")


def run(args: argparse.Namespace) -> int:
    port, token = choose_port(args.port), secrets.token_hex(24)
    start = START if (course.root() / START).exists() else "README.md"
    address = f"http://127.0.0.1:{port}/lab/tree/{start}?token={token}"
    server = serve(course.root(), port, token)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        wait_until_up(server, port)
        print(f"\n  JupyterLab is at {address}\n  Ctrl-C ends it.\n", flush=True)
        if not args.no_browser and has_screen():
            webbrowser.open(address)
        return server.wait()
    except KeyboardInterrupt:
        print("\nending JupyterLab")
        return 0
    finally:
        end(server)


def _no_news() -> None:
    """Keep JupyterLab from asking, over the first lesson, whether it may fetch news from the network."""
    folder = Path(sys.prefix) / "share" / "jupyter" / "lab" / "settings"
    wanted = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "overrides.json").write_text(json.dumps(wanted), encoding="utf-8")


def serve(folder: Path, port: int, token: str, **variables: str) -> subprocess.Popen:
    """Start JupyterLab on a folder, in a session of its own."""
    _no_news()
    environment = os.environ | {"JUPYTER_TOKEN": token, **variables}
    return subprocess.Popen(command(folder, port), cwd=folder, env=environment, start_new_session=True)


def command(folder: Path, port: int) -> list[str]:
    """The command that serves a folder to this machine only, with a token."""
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.open_browser": False,
        "ServerApp.root_dir": folder,
        "ServerApp.log_level": "ERROR",
    }
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        *root,
        *(f"--{name}={value}" for name, value in options.items()),
    ]


def choose_port(wanted: int | None) -> int:
    """The port asked for, or the first free one.

    Raises:
        PicolabError: the port asked for is taken or is none; the message names a free one.
    """
    if wanted is not None and not 1 <= wanted <= 65_535:
        raise PicolabError(f"{wanted} is no port; choose one from 1024 to 65535")
    free = next(port for port in range(wanted or FIRST_PORT, 65_536) if _is_free(port))
    if wanted is not None and free != wanted:
        raise PicolabError(f"port {wanted} is taken; port {free} is free: make lab PORT={free}")
    if wanted is None and free != FIRST_PORT:
        print(f"port {FIRST_PORT} is taken, so port {free} is used")
    return free


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return False
    return True


def has_screen() -> bool:
    """Whether there is a desktop on which a browser could open."""
    if os.environ.get("CI") or os.environ.get("CODESPACES") or os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def wait_until_up(server: subprocess.Popen, port: int) -> None:
    """Return when the server answers.

    Raises:
        PicolabError: it ended, or took too long.
    """
    for _ in range(PATIENCE * 5):
        if server.poll() is not None:
            raise PicolabError(
                f"JupyterLab ended at once with status {server.returncode}; `picolab doctor` may say why"
            )
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise PicolabError(f"JupyterLab did not answer within {PATIENCE} seconds")


def end(server: subprocess.Popen) -> None:
    """End the server, and with it every kernel it started."""
    import psutil

    from picolab.classroom.confined import end_all

    if server.poll() is None:
        family = psutil.Process(server.pid).children(recursive=True)
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            end_all(psutil.Process(server.pid))
        for each in family:
            if each.is_running():
                end_all(each)
