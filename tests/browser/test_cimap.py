"""CImap's thresholds and charts in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import SCREENSHOTS, focus, outside, resting_box
from .test_app import graph, places
from .test_lmm import step_and_edges

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def press(page: Page, name: str) -> None:
    """Press one button of a group."""
    page.get_by_role("radio", name=name, exact=True).click()


def line(page: Page):
    """Return the threshold line."""
    return graph(page).get_by_role("slider", name=re.compile("false discovery|information", re.IGNORECASE)).last


def test_any_share_of_false_discoveries_is_dragged_without_a_rerun(open_run):
    """The line removes edges while it is dragged; nodes stay; back at the run's threshold its own graph is shown."""
    page = open_run("cimap")
    own = int(graph(page).get_attribute("data-edges"))
    before = places(page)
    press(page, "FDR q")
    expect(line(page)).to_be_visible()
    focus(line(page))
    page.keyboard.press("Home")
    strict = step_and_edges(page)[1]
    page.keyboard.press("End")
    loose = step_and_edges(page)[1]
    assert strict < loose
    box = resting_box(line(page))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 25, steps=6)
    assert strict <= step_and_edges(page)[1] < loose
    page.mouse.up()
    assert places(page) == before
    press(page, "Steps of the run")
    expect(graph(page)).to_have_attribute("data-edges", str(own))
    assert page.console_errors == []


def test_why_order_matters_is_answered_side_by_side(open_run):
    """Every chart is drawn, with a description, in the dark theme."""
    page = open_run("cimap", color_scheme="dark")
    for name, words in {
        "Threshold": "sorted against the line",
        "Order of tests": "in the order of their turns",
        "Power": "Power falls as degrees of freedom rise",
        "Column order": "columns",
    }.items():
        press(page, name)
        expect(page.get_by_text(re.compile(words)).filter(visible=True).first).to_be_visible()
    page.screenshot(path=SCREENSHOTS / "cimap_order_dark.png", full_page=True)
    address = page.url.split("/inspect")[0]
    assert outside(page.request_urls, address) == []
    assert page.console_errors == []
