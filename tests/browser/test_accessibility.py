"""Every page and view before axe-core: nothing serious in what Edgewise makes, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, wait_until

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # the first page of a fresh server loads the compiled kernels

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RUN = """async () => {
    const found = await axe.run(document, {resultTypes: ["violations"], elementRef: false});
    return found.violations.filter((one) => ["serious", "critical"].includes(one.impact)).flatMap((one) =>
        one.nodes.map((node) => [one.id, node.target.flat().join(" "), node.html.slice(0, 300)]));
}"""
# In the markup of Streamlit and Plotly, which the app can't change: rule, what the element's HTML holds, and why.
THEIRS: tuple[tuple[str, str, str], ...] = ()
VIEWS = ("Graph", "Network", "Matrix", "Table")
LANDMARKS = {
    "Start": ".graph-view[data-ready]",
    "Data": "[data-testid=stDataFrame] canvas",
    "Learn": ".st-key-learn_run",
    "Compare": ".st-key-compare_run",
    "Experiments": "[data-testid=stMain] button",
    "Lessons": ".graph-view[data-ready]",
    "Learn more": "[data-testid=stDataFrame] canvas",
}
READY = {
    "Graph": ".graph-view[data-ready]",
    "Network": "iframe",
    "Matrix": ".js-plotly-plot .xtick",
    "Table": "[data-testid=stDataFrame] canvas",
}


def findings(page: Page) -> list[tuple[str, str, str]]:
    """What is serious or critical on screen, without what others made."""
    wait_until(page, "!document.querySelector('[data-testid=stStatusWidget], [data-stale=true]')")
    page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
    return [
        (rule, target, html)
        for rule, target, html in page.evaluate(RUN)
        if not any(rule == known and part in html + target for known, part, _why in THEIRS)
    ]


@pytest.fixture
def open_app(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[[str], Page]:
    """``open_app(theme)``: the app with its first graph drawn."""

    def open_one(theme: str) -> Page:
        page = open_page(color_scheme=theme)
        page.set_default_timeout(60_000)
        page.goto(app_server(ROOT / "app.py"))
        expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
        return page

    return open_one


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_have_no_serious_finding(open_app, theme):
    """All but Inspect, as one finds them."""
    page, found = open_app(theme), {}
    for title, landmark in LANDMARKS.items():
        page.get_by_role("link", name=title, exact=True).first.click()
        expect(page.locator(landmark).first).to_be_visible()
        found[title] = findings(page)
    assert {title: one for title, one in found.items() if one} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_views_of_a_run_have_no_serious_finding(open_app, theme):
    """Inspect with each view, and with an edge explained."""
    page, found = open_app(theme), {}
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    for view in VIEWS:
        page.get_by_role("radio", name=view, exact=True).click()
        expect(page.locator(READY[view]).first).to_be_attached()
        found[view] = findings(page)
    page.get_by_role("radio", name="Graph", exact=True).click()
    expect(page.locator(".graph-view[data-ready]")).to_be_visible()
    page.locator(".graph-view .edge[tabindex='0'] .hit").first.dispatch_event("click")
    expect(page.locator(".st-key-inspect_why")).to_be_visible()
    found["Explain"] = findings(page)
    assert {title: one for title, one in found.items() if one} == {}
