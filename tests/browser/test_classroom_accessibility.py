"""Accessibility checks of all pages of the classroom with axe-core: on a phone and on a screen, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, at_rest
from tests.browser.test_accessibility import findings

pytestmark = [pytest.mark.browser, pytest.mark.deep]
PATHS = {
    "lesson": "lessons?lesson=05-equivalence-classes",
    "numbers": "lessons?lesson=09-simpson",
    "practice": "lessons?lesson=practice",
    "build": "build",
    "class": "classroom",
    "effects": "effects?sample=asia",
    "presenter": "lessons?lesson=03-pc-by-hand&slide=2&present=1",
}


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_of_the_classroom_have_no_serious_finding(app_server, open_page, width, theme):
    """Lessons, games, Build, Effects and the presenter view pass, and so does every stage of a class."""
    address, found = app_server(ROOT / "app.py"), {}
    page = open_page(viewport={"width": width, "height": 844}, color_scheme=theme)
    for name, path in PATHS.items():
        page.goto(f"{address}/{path}")
        expect(page.locator("[data-testid=stMain] h1, .pens:visible, .graph-view[data-ready]").first).to_be_visible(
            timeout=240_000
        )
        at_rest(page)
        if name in ("lesson", "numbers"):
            page.get_by_role("button", name="Show whole lesson").click()
            at_rest(page)
        found[name] = findings(page)
    page.goto(f"{address}/lessons?lesson=03-pc-by-hand")
    page.get_by_role("button", name="Ask a class").click(timeout=120_000)
    join = page.locator("h2", has_text="join")
    expect(join).to_be_visible()
    at_rest(page)
    found["lobby"] = findings(page)
    phone = open_page(viewport={"width": 390, "height": 844}, color_scheme=theme)
    phone.goto(f"{address}/join/{join.inner_text()[-8:]}")
    phone.get_by_role("button", name="Join").click()
    page.get_by_role("button", name="Start questions").click()
    expect(phone.get_by_role("checkbox").first).to_be_visible()
    found["phone"] = findings(phone)
    page.get_by_role("button", name="Write question").click()
    expect(page.get_by_role("button", name="Ask this question")).to_be_visible()
    at_rest(page)
    found["menu"] = findings(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Show answer").click()
    page.get_by_role("button", name="End class").click()
    expect(page.get_by_role("button", name="Download answers")).to_be_visible()
    at_rest(page)
    found["results"] = findings(page)
    assert {name: one for name, one in found.items() if one} == {}
