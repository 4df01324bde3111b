"""The widget of a replay in JupyterLab and in marimo, each in a server of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from sysconfig import get_paths

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.polling import wait_until

from .conftest import ROOT, SCREENSHOTS, free_port

pytestmark = [pytest.mark.browser, pytest.mark.deep]
PINS = Path(__file__).with_name("notebooks.txt")
PATIENCE_MS = 180_000.0
FRAME = "iframe[title='Replay of a run']"
LEARN = "from edgewise import compare, learn, load_sample, sweep\nasia = load_sample('asia').dataset\n"
# Cells of the notebook in JupyterLab.
CELLS = (
    LEARN + "result = learn('pc', asia)\nview = result.view()\nseen = []\n"
    "view.observe(lambda change: seen.append(change['new']), 'selected')\nview",
    "print('now', view.selected, view.step, seen)",
    "view.selected, view.step = ('tub', 'either'), 3",
    "result",
    "sweep('pc', asia, 'alpha', [0.001, 0.05, 0.2])",
    "compare(result, learn('hc', asia))",
)
MARIMO = f"""
import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo
{"".join("    " + line + chr(10) for line in LEARN.splitlines())}    result = learn("pc", asia)
    result
    return (mo, result)

@app.cell
def _(mo, result):
    view = mo.ui.anywidget(result.view())
    view
    return (view,)

@app.cell
def _(mo, view):
    mo.md(f"now {{view.widget.selected}} {{view.value['state']['step']}}")
    return
"""


@pytest.fixture(scope="module")
def python() -> Path:
    """Return the Python of an environment with the pinned notebooks, and this project's packages below them."""
    folder = ROOT / ".venv" / "notebooks"
    python, stamp = folder / "bin" / "python", folder / PINS.read_text("utf-8").replace("\n", " ").strip()
    if not stamp.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", PINS], check=True)
        stamp.touch()
    (site,) = folder.glob("lib/python*/site-packages")
    lines = (get_paths()["purelib"], ROOT, ROOT / "learners" / "public")
    (site / "project.pth").write_text("\n".join(map(str, lines)) + "\n", encoding="utf-8")
    return python


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return a function that starts a server in an empty folder, and returns its address; end it on teardown."""
    processes = []

    def start(command: list[object], port: int, path: str) -> str:
        own = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
        with (tmp_path / "log.txt").open("wb") as log:
            made = subprocess.Popen(
                list(map(str, command)),
                cwd=tmp_path,
                env=os.environ | own,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        processes.append(made)
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(address + path))
        return address

    yield start
    for process in processes:
        process.terminate()
        process.wait(timeout=60)


def answers(address: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


class Notebook:
    """A notebook that is open in JupyterLab."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(timeout=PATIENCE_MS)
        self.cells = page.locator(".jp-Notebook .jp-CodeCell")

    def run(self, k: int) -> None:
        """Run a cell, again if the kernel was not connected yet, and wait until it has ended."""
        prompt = self.cells.nth(k).locator(".jp-InputPrompt")

        def begun() -> bool:
            if not re.search(r"[\d*]", prompt.inner_text()):
                self.cells.nth(k).locator(".jp-InputArea-editor").click()
                self.page.keyboard.press("Shift+Enter")
                self.page.wait_for_function("() => new Promise((done) => setTimeout(() => done(true), 3000))")
            return bool(re.search(r"[\d*]", prompt.inner_text()))

        wait_until(begun)
        expect(prompt).to_have_text(re.compile(r"\[\d+\]"), timeout=PATIENCE_MS)

    def frame(self, k: int) -> FrameLocator:
        """Return the replay below a cell, once it is ready."""
        frame = self.cells.nth(k).frame_locator(FRAME)
        frame.locator(".graph-view[data-ready]").wait_for()
        return frame


def choose(page: Page, frame: FrameLocator, a: int, b: int) -> None:
    frame.locator(f'.edge[data-a="{a}"][data-b="{b}"]').focus()
    page.keyboard.press("Enter")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_jupyterlab_shows_the_widget_and_hears_it(python, served, browser: Browser, tmp_path, theme):
    """Clicks reach observers, Python moves the slider, and results and sweeps display themselves."""
    cells = [
        {"cell_type": "code", "id": f"cell{k}", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for k, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}
    (tmp_path / "run.ipynb").write_text(json.dumps(book), encoding="utf-8")
    themes = {"theme": f"JupyterLab {theme.title()}"}
    settings = tmp_path / "CONFIG" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "themes.jupyterlab-settings").write_text(json.dumps(themes), encoding="utf-8")
    port = free_port()
    flags = [f"--port={port}", "--ip=127.0.0.1", "--no-browser", "--allow-root", "--IdentityProvider.token=word"]
    address = served([python, "-m", "jupyterlab", *flags, f"--ServerApp.root_dir={tmp_path}"], port, "/api")
    with browser.new_context(viewport={"width": 1280, "height": 1100}) as context:
        notebook = Notebook(context.new_page(), f"{address}/lab/tree/run.ipynb?token=word&reset")
        notebook.run(0)
        frame = notebook.frame(0)
        assert frame.locator("html").get_attribute("data-theme") == theme
        choose(notebook.page, frame, 2, 4)
        expect(frame.locator(".why .claim")).to_contain_text("smoke")
        notebook.page.screenshot(path=SCREENSHOTS / f"jupyterlab_{theme}.png")
        output = notebook.cells.nth(1).locator(".jp-OutputArea-output")
        notebook.run(1)
        expect(output).to_have_text("now ('smoke', 'bronc') 27 [('smoke', 'bronc')]")
        notebook.run(2)
        expect(frame.locator(".graph-view")).to_have_attribute("data-step", "3")
        expect(frame.locator(".why .claim")).to_contain_text("tub → either")
        notebook.run(3)
        expect(notebook.frame(3).locator(".sentence")).to_contain_text("step 27 of 27")
        notebook.run(4)
        expect(notebook.frame(4).get_by_role("button", name="Slider: What if: Significance level")).to_be_visible()
        notebook.run(5)
        expect(notebook.frame(5).locator(".lead")).to_have_text(
            "PC-stable and Hill climbing: 2 equal, 2 in Hill climbing only, 3 undetermined in one."
        )


def test_marimo_shows_the_widget_and_reacts(python, served, browser: Browser, tmp_path):
    """A result displays itself; a click reruns the cells that use the widget."""
    (tmp_path / "book.py").write_text(MARIMO, encoding="utf-8")
    port = free_port()
    address = served(
        [python, "-m", "marimo", "run", "book.py", "--headless", "--no-token", "--port", port], port, "/health"
    )
    with browser.new_context(viewport={"width": 1280, "height": 1100}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        frames = page.locator(FRAME)
        expect(frames).to_have_count(2, timeout=PATIENCE_MS)
        for k in (0, 1):
            frame = page.frame_locator(FRAME).nth(k)
            frame.locator(".graph-view[data-ready]").wait_for()
        choose(page, frame, 2, 4)
        expect(page.get_by_text("now ('smoke', 'bronc') 27")).to_be_visible(timeout=PATIENCE_MS)
        page.screenshot(path=SCREENSHOTS / "marimo.png")
