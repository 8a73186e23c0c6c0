"""The first widget in a real browser, by keyboard only; and pages that have no kernel."""

import contextlib
import re
import subprocess
import sys

import nbformat
import pytest
from playwright.sync_api import TimeoutError

from picolab.classroom import course

ONLY = """from picolab import explore
explore.context(start=3_000, increment=1_500, steps=20)"""


@pytest.fixture(scope="module")
def page(browser, lab):
    """The lesson's widget alone in a notebook, run."""
    opened = browser.new_page(viewport={"width": 1000, "height": 1400})
    opened.goto(lab.address("notebooks/07_context.ipynb"))
    opened.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    yield opened
    opened.close()


def test_the_widget_is_moved_by_keyboard_and_its_words_follow(browser, lab):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(ONLY)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, lab.folder / "only.ipynb")
    page = browser.new_page(viewport={"width": 1000, "height": 1400})
    page.goto(lab.address("only.ipynb"))
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    status = page.locator("[role=status]", has_text="Processed")
    for _ in range(4):  # a kernel that is still connecting drops what it is asked
        with contextlib.suppress(TimeoutError):  # JupyterLab may have something to say first
            page.locator(".jp-Dialog .jp-mod-accept").click(timeout=1_500)
        page.locator(".jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Shift+Enter")
        with contextlib.suppress(TimeoutError):
            status.wait_for(timeout=12_000)
            break
    assert "31,500 positions" in status.inner_text()
    slider = (
        page.locator(".widget-slider, .jupyter-widgets.widget-hslider")
        .nth(2)
        .locator("[role=slider], .noUi-handle")
        .first
    )
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "() => document.querySelector('[role=status]').innerText.includes('21 calls')", timeout=20_000
    )
    assert "33,000 positions" in status.inner_text()
    page.keyboard.press("Tab")
    page.locator("input[type=checkbox]").first.focus()
    page.keyboard.press("Space")
    page.wait_for_function(
        "() => document.querySelector('[role=status]').innerText.includes('nothing is reused')",
        timeout=20_000,
    )
    assert (
        page.locator("figure.pl-figure img")
        .first.get_attribute("alt")
        .startswith("Two line charts over 21 model calls")
    )
    page.close()


def test_a_lesson_without_a_kernel_shows_its_figures_and_words(page):
    assert page.locator(".jp-RenderedHTMLCommon h1").first.inner_text().startswith("Context growth")
    html = page.content()
    assert "Error displaying widget" not in html


@pytest.mark.parametrize("module", course.modules(), ids=lambda m: m.stem)
def test_a_page_made_by_nbconvert_keeps_every_description(module, tmp_path):
    path = module.notebook("notebooks")
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path), str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    html = (tmp_path / f"{module.stem}.html").read_text(encoding="utf-8")
    images = re.findall(r"<img[^>]*>", html)
    figures = [image for image in images if "data:image/png" in image]
    assert figures
    for image in figures:
        alt = re.search(r'alt="([^"]*)"', image)
        assert alt, image[:120]
        assert len(alt[1]) > 30, image[:120]
        assert "No description" not in image
    assert "Error displaying widget" not in html
