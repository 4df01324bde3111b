"""Variable and level names with a special meaning in browsers, on every page and in every view."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, TABLE_FILE, choose_learner, click_mark, open_fold, turn_to, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.deep]
expect.set_options(timeout=60_000)  # the first page of a fresh server loads the compiled kernels

NAMES = ("__proto__", "constructor", "toString", "length", "hasOwnProperty", "valueOf", "scattermapbox", "0")
LEVELS = ("__proto__", "constructor", "length")


def table() -> bytes:
    """Return a CSV file with a chain of variables, each of which copies the previous one in three of four rows."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (800, len(NAMES)))
    for k in range(1, len(NAMES)):
        follows = rng.random(800) < 0.75
        codes[follows, k] = codes[follows, k - 1]
    text = io.StringIO()
    csv.writer(text).writerows([NAMES, *([LEVELS[code] for code in row] for row in codes)])
    return text.getvalue().encode()


@pytest.fixture
def page(open_page, app_server) -> Page:
    """Open the app with the table in use."""
    one = open_page()
    one.set_default_timeout(60_000)
    one.goto(app_server(ROOT / "app.py"))
    expect(one.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
    turn_to(one, "Data")
    content = {"name": "names.csv", "mimeType": "text/csv", "buffer": table()}
    one.locator(TABLE_FILE).set_input_files(content)
    expect(one.get_by_role("heading", name="names.csv")).to_be_visible()
    return one


def learn(page: Page, key: str) -> None:
    """Run a learner and wait until Inspect draws its graph."""
    turn_to(page, "Learn")
    choose_learner(page, key)
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.locator(".st-key-inspect_view")).to_be_visible(timeout=240_000)
    expect(page.locator(".graph-view[data-ready]")).to_be_visible()


def expect_ticks(page: Page, axis: str, names: set[str]) -> None:
    """Wait until one chart on screen has exactly these names on an axis."""
    wait_until(
        page,
        """([axis, names]) => [...document.querySelectorAll('.js-plotly-plot')].some((chart) => {
            const reported = [...chart.querySelectorAll(`.${axis}tick`)].map((tick) => tick.textContent)
                .map((text) => text.replace(/\\u2060/g, ""))
                .filter(Boolean);
            return reported.length === names.length && names.every((name) => reported.includes(name)); })""",
        [axis, sorted(names)],
    )


def test_every_view_shows_such_names(page):
    """Graph, matrix and heat map show the names; the explanation of a clicked pair has the levels on its axis."""
    learn(page, "path")
    for name in NAMES:
        expect(page.locator(".graph-view").get_by_text(name, exact=True).first).to_be_attached()
    page.get_by_role("radio", name="Spring layout", exact=True).click()
    expect(page.frame_locator("iframe").first.locator("canvas")).to_be_visible()
    page.get_by_role("radio", name="Matrix", exact=True).click()
    for axis in "xy":
        expect_ticks(page, axis, set(NAMES))
    matrix = page.locator("[class*=st-key-inspect_matrix_]")
    point = matrix.locator(".points path.point").first
    point.hover(force=True)
    expect(matrix.locator(".hoverlayer")).to_contain_text("largest p")
    click_mark(point)
    expect_ticks(page, "y", set(LEVELS))
    page.get_by_role("radio", name="Table", exact=True).click()
    expect(page.get_by_text("7 edges.", exact=True)).to_be_visible()
    page.get_by_role("radio", name="Φ heat map", exact=True).click()
    expect_ticks(page, "x", set(NAMES))
    assert page.console_errors == []


def test_every_page_shows_such_names(page):
    """The Data page's chart of levels, the background knowledge and the comparison of two runs show the names."""
    expect_ticks(page, "x", set(LEVELS))
    learn(page, "mmhc")
    learn(page, "hc")
    for title, heading in (("Compare", "Compare graphs"), ("Start", "Learn a Bayesian network")):
        turn_to(page, title)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.locator(".graph-view[data-ready]").first).to_be_visible()
    turn_to(page, "Learn")
    expect(page.get_by_role("heading", name="Learn a graph")).to_be_visible()
    open_fold(page, "Background knowledge")
    expect(page.locator("[data-testid=stDataFrame]").first).to_be_visible()
    assert page.console_errors == []
