"""Links and exports that return to the app: addresses with Back and Forward, self-contained reports, recipes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.conftest import ON_INSPECT, ROOT, at_rest, focus, open_fold

pytestmark = pytest.mark.browser


@pytest.fixture
def inspect(app_server: Callable[..., str], page: Page) -> Page:
    """Open Inspect with the first sample's result, and wait until no script runs."""
    page.goto(f"{app_server(ROOT / 'app.py')}/inspect")
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
    at_rest(page)
    return page


def download(page: Page, key: str, path) -> str:
    """Return the file behind a download button of the Inspect page."""
    button = page.locator(f".st-key-download_{key} button")
    if not button.is_visible():
        open_fold(page, re.compile("Export$"))
    expect(button).to_be_visible()
    at_rest(page)  # a button that is redrawn ignores clicks
    for last in (False, True):
        try:
            with page.expect_download(timeout=20_000) as waited:
                button.click()
            break
        except TimeoutError:  # the redraw that the opened fold caused came after the wait
            if last:
                raise
    waited.value.save_as(path)
    return path.read_text(encoding="utf-8")


@pytest.mark.deep
def test_back_and_forward_move_through_steps_and_views(inspect):
    """Each slider release and each change of the view has its own address, which also opens in a new tab."""
    page, slider = inspect, inspect.locator(".graph-view input[type=range]")
    last = int(slider.input_value())
    focus(slider)
    for step in (last - 1, last - 2):
        page.keyboard.press("ArrowLeft")
        expect(page).to_have_url(re.compile(rf"[?&]step={step}\b"))
    at_rest(page)
    page.go_back()
    expect(slider).to_have_value(str(last - 1))
    expect(page).to_have_url(re.compile(rf"[?&]step={last - 1}\b"))
    at_rest(page)
    page.go_forward()
    expect(slider).to_have_value(str(last - 2))
    at_rest(page)
    page.get_by_role("radio", name="Table").click()
    expect(page).to_have_url(re.compile("view=Table"))
    at_rest(page)
    page.go_back()
    expect(page.locator(".graph-view[data-ready]")).to_be_visible()
    expect(page).not_to_have_url(re.compile("view=Table"))
    at_rest(page)
    tab = page.context.new_page()
    tab.goto(page.url)
    expect(tab.locator(".graph-view input[type=range]")).to_have_value(str(last - 2), timeout=60_000)


def test_a_report_is_self_contained_and_prints(inspect, open_page, tmp_path):
    """Without the server, the report makes no request, runs no script, shows its graph, and prints on pages."""
    path = tmp_path / "report.html"
    text = download(inspect, "report_html", path)
    assert "<script" not in text
    reader = open_page(color_scheme="dark", viewport={"width": 390, "height": 800})
    reader.goto(path.as_uri())
    expect(reader.locator("svg.graph")).to_be_visible()
    expect(reader.get_by_role("heading", name="The edges")).to_be_visible()
    assert reader.request_urls == [path.as_uri()]
    assert reader.console_errors == []
    assert reader.evaluate("document.documentElement.scrollWidth") <= 390
    assert reader.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.deep
def test_a_recipe_is_followed_and_judged(inspect, tmp_path):
    """A recipe saved on Inspect is opened and run on Data, and its result is reported as identical."""
    path = tmp_path / "recipe.json"
    download(inspect, "recipe_json", path)
    inspect.get_by_role("link", name="Data", exact=True).first.click()
    expect(inspect.get_by_role("heading", name=re.compile("^In use: "))).to_be_visible()
    open_fold(inspect, "Repeat a run from a recipe")
    inspect.locator(".st-key-data_recipe_in input[type=file]").set_input_files(path)
    inspect.locator(".st-key-data_recipe_run button").click()
    expect(inspect.locator(ON_INSPECT)).to_be_visible(timeout=60_000)
    expect(inspect.get_by_text("The result is the same: 25 edges, of the same strength.")).to_be_visible()
