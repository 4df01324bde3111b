"""The first screen of each page holds its heading and its main action or picture, at three widths."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, SCREENSHOTS

pytestmark = [pytest.mark.browser, pytest.mark.deep]
HEIGHT = 800
PATIENCE = 180_000  # milliseconds; a busy machine first learns the sample
# What a visitor comes for, by page: the first of these that is visible has to begin on the first screen.
PRIMARY = "[data-testid=stMain] button[kind=primary], [data-testid=stMain] [data-testid=stBaseButton-primary]"
MAIN = {
    "": ".graph-view[data-ready] svg:not([class])",
    "data": PRIMARY,
    "learn": PRIMARY,
    "inspect": ".graph-view[data-ready] svg:not([class])",
    "compare": f".graph-view[data-ready] svg:not([class]), {PRIMARY}",
    "query": ".st-key-query_picture",
    "effects": f".graph-view[data-ready] svg:not([class]), {PRIMARY}, [data-testid=stMain] .stSelectbox",
    "lessons": "[data-testid=stMain] a, [data-testid=stMain] button",
    "build": f".graph-view[data-ready] svg:not([class]), {PRIMARY}",
    "projects": "[data-testid=stMain] p",
    "experiments": "[data-testid=stMain] .stSelectbox, [data-testid=stMain] p",
}

NEXT = {"": ".st-key-start_tools a"}  # the link to the next step, which is on the first screen too


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800, 390])
def test_heading_and_main_action_are_on_the_first_screen(open_page, app_server, width, scheme):
    """No page is wider than the screen, and none hides its heading or its main action below the fold."""
    page = open_page(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
    address, found = app_server(ROOT / "app.py"), {}
    SCREENSHOTS.mkdir(exist_ok=True)
    for name, main in MAIN.items():
        page.goto(f"{address}/{name}")
        heading = page.locator("[data-testid=stMain] h1").first
        expect(heading).to_be_visible(timeout=PATIENCE)
        expect(page.locator("[data-testid=stApp]")).to_have_attribute(
            "data-test-script-state", "notRunning", timeout=PATIENCE
        )
        expect(page.locator(f":is({main}):visible").first).to_be_visible(timeout=PATIENCE)
        page.screenshot(path=SCREENSHOTS / f"first_{name or 'start'}_{width}_{scheme}.png")
        sought = {"heading": "[data-testid=stMain] h1", "main": main} | ({"next": NEXT[name]} if name in NEXT else {})
        tops = {what: top(page, selector) for what, selector in sought.items()}
        wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
        found |= {(name, what): y for what, y in tops.items() if not 0 <= y < HEIGHT - 40}
        found |= {(name, "wide"): 0} if wide else {}
    assert not found


def top(page: Page, selector: str) -> float:
    """Return the upper edge of the first visible element, in pixels."""
    box = page.locator(f":is({selector}):visible").first.bounding_box()
    assert box is not None
    return box["y"]
