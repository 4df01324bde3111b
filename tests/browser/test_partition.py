"""Clusters in a real browser: letters and colors, an unchanged layout, the tree, the calls."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from .conftest import LOOKS, SCREENSHOTS, at_rest, focus, outside, photograph, resting_box, wait_until
from .test_app import graph, places
from .test_graph_view import DEMO, Demo

pytestmark = [pytest.mark.browser, pytest.mark.deep]
SOMETHING_DRAWN = """() => [...document.querySelectorAll('canvas')].some(
    one => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some(Boolean))"""


def zoom(page: Page) -> str:
    return graph(page).locator(".stage > svg > g").get_attribute("transform")


def toggle(page: Page) -> None:
    """Toggle the coloring by cluster."""
    page.locator(".st-key-by_cluster label").click()


def test_colouring_moves_nothing(open_run):
    """Coloring adds a letter to every node and moves nothing; position, zoom, step and selection stay."""
    page = open_run()
    graph(page).locator(".edge[tabindex='0'] .hit").first.dispatch_event("click")
    expect(graph(page).locator(".edge.selected")).to_have_count(1)
    expect(page.get_by_role("button", name="Close panel")).to_be_visible()  # next to the graph, which becomes narrower
    at_rest(page)
    resting_box(graph(page).locator(".node").first)
    before = places(page), zoom(page), graph(page).get_attribute("data-step")
    toggle(page)
    expect(graph(page).locator(".node .badge")).to_have_count(20)
    assert (places(page), zoom(page), graph(page).get_attribute("data-step")) == before
    expect(graph(page).locator(".edge.selected")).to_have_count(1)
    letters = graph(page).locator(".node .letter").all_text_contents()
    assert {letter: letters.count(letter) for letter in "ABC"} == {"A": 12, "B": 3, "C": 5}
    first = graph(page).locator(".node").first
    expect(first).to_have_attribute("aria-label", re.compile("^variable BirthAsphyxia, cluster A, 12 variables$"))
    graph(page).locator(".legend summary").click()
    expect(graph(page).locator(".legend")).to_contain_text("cluster B, 3 variables")
    toggle(page)
    expect(graph(page).locator(".badge")).to_have_count(0)
    assert (places(page), zoom(page)) == before[:2]
    assert page.console_errors == []


def test_clusters_can_be_reached_by_keyboard(open_run):
    """Tab, Space and the arrow keys reach the toggle and the parts."""
    page = open_run()
    focus(page.locator(".st-key-by_cluster input"))
    page.keyboard.press("Space")
    expect(graph(page).locator(".node .badge")).to_have_count(20)
    focus(page.get_by_role("radio", name="Clusters", exact=True))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.get_by_text(re.compile("The dashed line cuts the tree"))).to_be_visible()


def test_pc_is_counted_without_leaving_the_result(open_run):
    """No run has PATH's level, so a click counts PC's calls and adds a bar; the run on screen stays."""
    page = open_run("path")
    page.get_by_role("radio", name="Statistical calls", exact=True).click()
    expect(page.locator(".barlayer .trace").first).to_be_visible()
    page.get_by_role("button", name="Count PC's calls").click()
    expect(page.get_by_text(re.compile(r"PATH made 1,8\d\d calls, PC-stable 2,740: 3\d% fewer"))).to_be_visible()
    expect(page.get_by_text("2. PATH on Child (simulated) (alpha 0.1)").first).to_be_visible()
    assert page.console_errors == []
    assert outside(page.request_urls, page.url.rstrip("/").rsplit("/", 1)[0]) == []


def test_a_hill_climb_is_replayed_move_by_move(open_run):
    """Each step of the slider names its move and the gain in score; the curve shows the score."""
    page = open_run("hc", "asia")
    focus(graph(page).locator("input[type=range]"))
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        sentence = graph(page).locator(".sentence")
        expect(sentence).to_contain_text(re.compile(r"moves · added the edge \w+ → \w+, score \+\d"))
    assert page.get_by_label("Curve").evaluate("s => s.options[s.value].text") == "score"
    expect(graph(page).locator(".readouts")).to_contain_text(re.compile(r"score \u22121\d,\d{3}\.\d"))


@pytest.mark.parametrize("kind", ["groups", "dots"])
def test_twenty_groups_are_distinguishable(app_server, page, kind):
    """Each node and legend entry has a letter, with a unique color and shape; the saved picture has them too."""
    demo = Demo(page, app_server(DEMO), kind)
    look = """root => [...root.querySelectorAll('.legend .badge')].map(b => [b.textContent,
        b.querySelector('rect').style.fill, b.querySelector('rect').getAttribute('rx')])"""
    looks = demo.look(look)
    assert [letter for letter, *_ in looks] == list("ABCDEFGHIJKLMNOPQRST")
    assert len({(fill, corner) for _, fill, corner in looks}) == 20
    demo.root.locator(".legend summary").click()
    room = demo.look("root => [root.querySelector('.legend').offsetHeight, root.querySelector('.stage').offsetHeight]")
    assert room[0] < room[1]
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"partition_{kind}.png")
    demo.root.locator(".legend summary").click()
    with page.expect_download() as saved:
        demo.root.get_by_role("button", name="Download the graph as shown (SVG)").click()
    texts = [one.text for one in ElementTree.parse(saved.value.path()).iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("T") == 1 + (2 if kind == "groups" else 5)  # one in the legend, and one for each variable


@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_pictures_for_a_person_to_look_at(open_run, theme, width):
    """Graph, network and every part are photographed in both themes, wide and narrow."""
    page = open_run("phgs", color_scheme=theme, viewport={"width": width, "height": 1000})
    toggle(page)
    expect(graph(page).locator(".node .badge")).to_have_count(20)
    photograph(page, f"partition_graph_{theme}")
    for name in ("Clusters", "Dendrogram", "Statistical calls"):
        part = page.get_by_role("radio", name=name, exact=True)
        part.click()
        photograph(page, f"partition_{name}_{theme}", part)
    page.get_by_role("radio", name="Spring layout", exact=True).click()
    wait_until(page.locator("iframe").element_handle().content_frame(), SOMETHING_DRAWN)
    photograph(page, f"partition_network_{theme}")
