"""Two inputs at nearly the same moment, while the server is slow to take up either: both count."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ON_INSPECT, ROOT, at_rest, told

pytestmark = [pytest.mark.browser, pytest.mark.deep]
STEP = "[data-testid=stNumberInputStepUp]"
TURN = "[...document.querySelectorAll('a')].find((one) => one.textContent.trim().endsWith('Data'))"


@pytest.fixture
def slow(open_page, app_server) -> Page:
    """The page Learn of a slow server."""
    page = open_page()
    page.goto(app_server(ROOT / "app.py", program="tests.browser.apps.hesitant_streamlit"))
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
    page.get_by_role("link", name="Learn", exact=True).first.click()
    expect(page.locator(STEP).first).to_be_attached()
    at_rest(page)
    return page


@pytest.mark.parametrize("gap", [0, 30, 150])
def test_a_click_counts_though_another_input_follows(slow, gap):
    """`gap` milliseconds lie between them."""
    click = "document.querySelector('.st-key-learn_choose_pc_mi button').click()"
    slow.evaluate(f"() => {{ setTimeout(() => document.querySelector('{STEP}').click(), {gap}); {click}; }}")
    expect(slow.locator(".st-key-learn_all_pc_mi")).to_be_attached()


@pytest.mark.parametrize("gap", [0, 5])
def test_a_page_turn_holds_though_the_page_before_tells_something(slow, gap):
    """`gap` milliseconds after it was left: the browser still shows it then."""
    slow.evaluate(f"() => {{ {TURN}.click(); setTimeout(() => document.querySelector('{STEP}')?.click(), {gap}); }}")
    expect(slow.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    at_rest(slow)
    slow.wait_for_timeout(500)
    at_rest(slow)
    expect(slow.get_by_role("heading", name="Data", exact=True)).to_be_visible()


@pytest.mark.parametrize("gap", [300, 500])
def test_what_the_address_told_is_not_undone_by_the_next_input(slow, gap):
    """Which names the address of before: a step, then `gap` milliseconds later Escape, which leaves the hall's view.

    Back, which is asked for as well, leads there.
    """
    slow.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(slow.locator(ON_INSPECT)).to_be_visible()
    at_rest(slow)
    told(slow, slow.get_by_role("button", name="Present", exact=True).click)
    expect(slow.locator(".graph-view.presenting[data-ready]")).to_be_visible()
    told(slow, lambda: slow.keyboard.press("Home"))
    slow.keyboard.press("ArrowRight")
    slow.wait_for_timeout(gap)
    slow.keyboard.press("ArrowRight")
    slow.keyboard.press("Escape")
    slow.wait_for_url(lambda url: "present" not in url and "step=2" in url)
    expect(slow.get_by_role("button", name="Quiz me")).to_be_visible()
    slow.go_back()
    expect(slow.locator(".graph-view.presenting[data-ready]")).to_be_visible()
