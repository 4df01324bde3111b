"""Accessibility checks with axe-core: no serious finding and no unexplained term, in both themes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_S, ROOT, SUBMENUS, option, turn_to, wait_until
from viz.glossary.terms import pattern, term_of

pytestmark = [pytest.mark.browser, pytest.mark.deep]
expect.set_options(timeout=60_000)  # the first page of a fresh server loads the compiled kernels

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RUN = """async () => {
    const found = await axe.run(document, {resultTypes: ["violations"], elementRef: false});
    return found.violations.filter((one) => ["serious", "critical"].includes(one.impact)).flatMap((one) =>
        one.nodes.map((node) => [one.id, node.target.flat().join(" "), node.html.slice(0, 300)]));
}"""
# Findings in the markup of Streamlit and Plotly, which the app can't change: rule, part of the HTML, reason.
# On a phone the menu is in the sidebar, and Streamlit puts the entries of each section into a <div> of its list.
MENU = "the sections of st.navigation; position='hidden' would need a menu of our own at every width"
THEIRS: tuple[tuple[str, str, str], ...] = (
    ("list", 'data-testid="stSidebarNavItems"', MENU),
    ("listitem", '<li class="st-emotion-cache-', MENU),
)
VIEWS = ("Graph", "Spring layout", "Matrix", "Table")
LANDMARKS = {
    "Start": ".graph-view[data-ready]",
    "Data": "[data-testid=stDataFrame] canvas",
    "Learn": ".st-key-learn_run",
    "Build": ".pens:visible",
    "Query": ".query-view .card",
    "Effects": ".graph-view[data-ready]",
    "Compare": ".st-key-compare_run",
    "Experiments": "[data-testid=stMain] button",
    "Projects": ".st-key-projects_import",
    "Lessons": ".graph-view[data-ready]",
    "Class": "[data-testid=stHeading]:has-text('Class')",
    "Learn more": "[data-testid=stDataFrame] canvas",
}
# The visible text of the page, without code and without the content of closed folds.
PROSE = """() => [...document.querySelectorAll("[data-testid=stMarkdownContainer]")]
    .filter((one) => !one.closest("code, .words")).map((one) => one.innerText)"""
LISTED = "() => [...document.querySelectorAll('.words dt')].map((one) => one.textContent)"
READY = {
    "Graph": ".graph-view[data-ready]",
    "Spring layout": "iframe",
    "Matrix": ".js-plotly-plot .xtick",
    "Table": "[data-testid=stDataFrame] canvas",
}


def findings(page: Page) -> list[tuple[str, str, str]]:
    """Return the serious and critical findings on screen, without those in foreign markup."""
    wait_until(page, "!document.querySelector('[data-testid=stStatusWidget], [data-stale=true]')")
    page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
    return [
        (rule, target, html)
        for rule, target, html in page.evaluate(RUN)
        if not any(rule == known and part in html + target for known, part, _why in THEIRS)
    ]


def unexplained(page: Page) -> set[str]:
    """Return the terms on screen that Python finds and the page's glossary lacks."""
    words = re.compile(pattern().replace(r"\p{L}\p{N}_", r"\w"))
    deadline = time.monotonic() + PATIENCE_S
    while True:
        terms = {term_of(word) for text in page.evaluate(PROSE) for word in words.findall(text)}
        left = terms - set(page.evaluate(LISTED))
        if not left or time.monotonic() > deadline:
            return left
        page.wait_for_timeout(50)


@pytest.fixture
def open_app(
    app_server: Callable[..., str], open_page: Callable[..., Page], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Page]:
    """Return ``open_app(theme)``: the app on a server that keeps work, with its first graph drawn."""
    keeping = {"EDGEWISE_KEEP": "yes", "EDGEWISE_DATA": str(tmp_path_factory.getbasetemp() / "work")}

    def open_one(theme: str) -> Page:
        page = open_page(color_scheme=theme, viewport={"width": 1600, "height": 1000})  # the whole menu fits
        page.set_default_timeout(60_000)
        page.goto(app_server(ROOT / "app.py", env=keeping))
        expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
        return page

    return open_one


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_have_no_serious_finding(open_app, theme):
    """Every page except Inspect passes in its initial state, and the glossary explains every term on it."""
    page, found, left = open_app(theme), {}, {}
    menu = page.locator("[data-testid=stTopNavLink]").all_inner_texts()
    menu = [entry.splitlines()[-1] for entry in menu]  # below the name of its icon
    menu += [title for titles in SUBMENUS.values() for title in titles]
    assert sorted(menu) == sorted([*LANDMARKS, "Inspect"])
    for title, landmark in LANDMARKS.items():
        turn_to(page, title)
        expect(page.locator(landmark).first).to_be_visible()
        if title != "Learn more":  # this page lists all terms itself
            left[title] = unexplained(page)
        if title not in ("Learn more", "Class"):  # a class has no glossary until it is open
            page.locator(".words details").first.evaluate("one => { one.open = true; }")
        found[title] = findings(page)
    assert {title: one for title, one in found.items() if one} == {}
    assert {title: one for title, one in left.items() if one} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_views_of_a_run_have_no_serious_finding(open_app, theme):
    """Inspect passes with each view, and with an edge explained."""
    page, found = open_app(theme), {}
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    for view in VIEWS:
        page.get_by_role("radio", name=view, exact=True).click()
        expect(page.locator(READY[view]).first).to_be_attached()
        found[view] = findings(page)
        assert unexplained(page) == set()
    page.get_by_role("radio", name="Graph", exact=True).click()
    expect(page.locator(".graph-view[data-ready]")).to_be_visible()
    page.locator(".graph-view .edge[tabindex='0'] .hit").first.dispatch_event("click")
    expect(page.locator(".st-key-inspect_why")).to_be_visible()
    found["Explain"] = findings(page)
    assert unexplained(page) == set()
    option(page, "Start quiz").click()
    expect(page.get_by_text("Question 1 of")).to_be_visible()
    found["Quiz"] = findings(page)
    page.get_by_role("radiogroup", name="Your answer").get_by_role("radio").first.check(force=True)
    page.get_by_role("button", name="Submit answer", exact=True).click()
    expect(page.get_by_role("button", name="Next question")).to_be_visible()
    found["Reveal"] = findings(page)
    assert {title: one for title, one in found.items() if one} == {}
