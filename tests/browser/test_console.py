"""No page logs an error in the console, and none evaluates text as code, which the server's policy forbids."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ON_INSPECT, ROOT, at_rest, posed
from tests.browser.test_first_screens import MAIN, PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.deep]
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine
WATCH = """window.evaluated = []; document.addEventListener('securitypolicyviolation', event => {
    if (event.blockedURI === 'eval') window.evaluated.push([event.sourceFile, event.lineNumber, event.sample]); });"""
NOT_FOUND = "404 (Not Found)"  # Streamlit's page looks for its server below the address of the page first


def errors(page: Page) -> list[object]:
    """Return the errors of the console, and where text was evaluated."""
    return [line for line in page.console_errors if NOT_FOUND not in line] + page.evaluate("window.evaluated")


@pytest.fixture
def watched(open_page: Callable[..., Page]) -> Page:
    page = open_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(WATCH)
    return page


@pytest.mark.parametrize("name", [*MAIN, "learn_more"])
def test_no_page_logs_an_error(name: str, watched: Page, app_server: Callable[..., str]) -> None:
    """Each page opened by its address, with all its folds open."""
    watched.goto(f"{app_server(ROOT / 'app.py')}/{name}")
    expect(watched.locator("[data-testid=stMain] h1").first).to_be_visible(timeout=PATIENCE)
    at_rest(watched)
    for fold in watched.locator("[data-testid=stMain] summary:visible").all():
        fold.evaluate("fold => fold.click()")
    posed(watched)
    assert errors(watched) == []


def test_views_and_explanations_of_a_run_log_no_error(watched: Page, app_server: Callable[..., str]) -> None:
    """The views of Inspect with an explained edge, and an effect."""
    address = app_server(ROOT / "app.py")
    watched.goto(f"{address}/inspect")
    graph = watched.locator(f"{ON_INSPECT} .graph-view[data-ready]")
    expect(graph).to_be_visible(timeout=PATIENCE)
    graph.locator(".edge:not(.away)").first.focus()
    watched.keyboard.press("Enter")
    expect(watched.locator(".st-key-inspect_why")).to_be_visible(timeout=PATIENCE)
    posed(watched)
    for view in ("Matrix", "Table", "Graph"):
        watched.get_by_role("radio", name=view, exact=True).click()
        posed(watched)
    watched.goto(f"{address}/effects?sample=asia")
    watched.get_by_text("Effect", exact=True).first.click(timeout=PATIENCE)
    posed(watched)
    assert errors(watched) == []
