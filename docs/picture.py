"""Makes docs/lesson.png, the README's picture, from the running product: `.venv/bin/python docs/picture.py`.

It serves a copy of the course in JupyterLab, opens the lesson on context growth, runs it, breaks the prefix at one call, and photographs
the widget.
"""

import secrets
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from picolab.classroom import course
from picolab.classroom.lab import choose_port, end, serve, wait_until_up

OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
]


def photograph(address: str, target: Path) -> None:
    """Run the lesson, move the widget, and take its picture."""
    browser = next(
        found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))
    )
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=OPTIONS)
        page = opened.new_page(viewport={"width": 1180, "height": 900})
        page.goto(address)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        page.keyboard.press("Control+b")
        time.sleep(4)
        page.click("text=Run >> nth=0")
        page.click("text=Run All Cells")
        handle = page.locator(".widget-hslider .noUi-handle").nth(3)
        handle.wait_for(timeout=90_000, state="attached")
        time.sleep(3)
        handle.scroll_into_view_if_needed()
        handle.focus()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        time.sleep(2)
        page.locator(".widget-hslider").first.evaluate(
            "each => each.closest('.jp-Cell').scrollIntoView({block: 'start'})"
        )
        time.sleep(1)
        page.screenshot(path=target)
        opened.close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="picolab-picture-", ignore_cleanup_errors=True) as folder:
        home, port, token = Path(folder), choose_port(None), secrets.token_hex(8)
        for name in ("notebooks", "course"):
            shutil.copytree(course.root() / name, home / name)
        shutil.copy(course.root() / "pyproject.toml", home)
        server = serve(home, port, token, PICOLAB_ROOT=folder, JUPYTERLAB_SETTINGS_DIR=f"{folder}/settings")
        try:
            wait_until_up(server, port)
            address = f"http://127.0.0.1:{port}/lab/tree/notebooks/07_context.ipynb?token={token}&reset"
            photograph(address, course.root() / "docs" / "lesson.png")
        finally:
            end(server)


if __name__ == "__main__":
    main()
