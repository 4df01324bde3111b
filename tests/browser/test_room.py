"""The room that the graph has: the first screen at every width, the whole screen, and a panel that folds away."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import ROOT

pytestmark = pytest.mark.browser
SCREENS = [(390, 844), (800, 1100), (1280, 720), (1440, 900)]
IN_SIGHT = """root => [root.querySelector('.stage'), root.querySelector('.scrubber')].every(part => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight && bottom - top > 60; })"""
PLACES = "root => [...root.querySelectorAll('.node')].map(n => [n.dataset.node, n.getAttribute('transform')]).sort()"


@pytest.fixture
def open_at(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[..., Page]:
    """``open_at(path, width, height)``: a page of the app with the landing graph, drawn."""

    def open_one(path: str, width: int = 1440, height: int = 900) -> Page:
        page = open_page(viewport={"width": width, "height": height})
        page.goto(f"{app_server(ROOT / 'app.py')}/{path}")
        expect(graph(page)).to_be_visible(timeout=240_000)
        return page

    return open_one


def graph(page: Page) -> Locator:
    """The graph component once it is drawn."""
    return page.locator(".graph-view[data-ready]")


def holds(root: Locator, condition: str) -> None:
    """Wait until a condition on an element holds."""
    root.page.wait_for_function(f"root => ({condition})(root)", arg=root.element_handle())


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("path", ["", "inspect"], ids=["start", "inspect"])
def test_graph_and_slider_are_on_the_first_screen(open_at, path, width, height):
    """Nothing has to be scrolled, the picture is no strip, and the page has no bar to scroll sideways."""
    page = open_at(path, width, height)
    holds(graph(page), IN_SIGHT)
    picture = graph(page).locator(".stage > svg")
    assert picture.evaluate("svg => svg.clientHeight") >= 0.3 * height
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("refused", [False, True], ids=["screen", "window"])
def test_full_screen_by_button_and_key_and_back(open_at, refused):
    """Picture, slider and legend work in it; where the browser refuses the screen the whole window is used."""
    page = open_at("inspect")
    if refused:
        page.evaluate("() => { Element.prototype.requestFullscreen = () => Promise.reject(new Error('refused')) }")
    root, before = graph(page), graph(page).evaluate("root => root.clientHeight")
    root.get_by_role("button", name="full screen (key F)").click()
    fills = "root => root.clientWidth === innerWidth && root.clientHeight === innerHeight"
    holds(root, fills)
    root.locator("input[type=range]").press("ArrowLeft")
    expect(root).to_have_attribute("data-step", str(int(root.locator("input[type=range]").get_attribute("max")) - 1))
    root.locator(".legend summary").click()
    expect(root.locator(".legend")).to_contain_text("directed")
    holds(root, IN_SIGHT)
    root.locator(".stage > svg").press("Escape")
    holds(root, f"root => root.clientHeight === {before}")
    root.locator(".stage > svg").press("f")
    holds(root, fills)
    root.get_by_role("button", name="leave the full screen").click()
    holds(root, f"root => root.clientHeight === {before}")


@pytest.mark.parametrize("width", [1440, 800])
def test_explanation_is_folded_until_asked_for_and_moves_no_node(open_at, width):
    """By keyboard too; beside the graph where there is room, else below; places stay, and so does the pair."""
    page = open_at("inspect", width)
    root, heading = graph(page), page.get_by_role("heading", name="Explain this edge")
    expect(heading).to_have_count(0)
    places, wide = root.evaluate(PLACES), root.bounding_box()["width"]
    root.locator(".edge[tabindex='0']").first.press("Enter")
    expect(heading).to_be_visible()
    panel = page.locator(".st-key-inspect_why")
    if width == 1440:
        holds(root, f"root => root.clientWidth < {wide} - 300")
        assert panel.bounding_box()["x"] > root.bounding_box()["x"] + root.bounding_box()["width"]
    else:
        holds(root, "root => root.getBoundingClientRect().bottom < innerHeight - 50")
        assert panel.bounding_box()["y"] > root.bounding_box()["y"] + root.bounding_box()["height"]
    assert root.evaluate(PLACES) == places
    page.get_by_role("button", name="Fold away").press("Enter")
    expect(heading).to_have_count(0)
    holds(root, f"root => root.clientWidth === Math.round({wide})")
    assert root.evaluate(PLACES) == places
    expect(root.locator(".edge.selected")).to_have_count(1)
    page.get_by_role("button", name="Explain a pair").press("Enter")
    expect(heading).to_be_visible()
    expect(panel.get_by_text(re.compile("is kept|are joined|is joined|stays")).first).to_be_visible()


def test_zoom_chosen_by_hand_outlives_the_fold(open_at):
    """Only a graph that was fitted is fitted again."""
    page = open_at("inspect")
    root = graph(page)
    root.get_by_role("button", name="zoom in").click()
    scale = "root => root.querySelector('.stage svg > g').getAttribute('transform').match(/scale\\(.*/)[0]"
    zoomed, wide = root.evaluate(scale), root.bounding_box()["width"]
    page.get_by_role("button", name="Explain a pair").click()
    holds(root, f"root => root.clientWidth < {wide} - 300")
    assert root.evaluate(scale) == zoomed
