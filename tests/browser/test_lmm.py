"""LMM's elimination in a real browser: the slider, the threshold line, and the panels."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import (
    LOOKS,
    NUMBERS,
    ON_INSPECT,
    ROOT,
    choose_learner,
    click_mark,
    click_row,
    focus,
    outside,
    photograph,
    resting_box,
    turn_to,
)
from .test_app import graph, places, slide_to, story

pytestmark = pytest.mark.browser


@pytest.fixture
def open_lmm(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return ``open_lmm(**context)``: Inspect with a run of LMM on the `letters` sample."""

    def open_one(**context: object) -> Page:
        page = open_page(**context)
        page.goto(app_server(ROOT / "app.py"))
        page.get_by_role("button", name="Nineteen letters").first.click()
        choose_learner(page, "lmm")
        expect(page.get_by_text("Preset")).to_be_visible()
        page.get_by_role("button", name="Run learner", exact=True).click()
        # After a change of the kernels the first run compiles them.
        expect(page.locator(ON_INSPECT)).to_be_visible(timeout=180_000)
        expect(graph(page)).to_be_visible()
        return page

    return open_one


def line(page: Page):
    """Return the threshold line."""
    return graph(page).get_by_role("slider", name=re.compile("threshold γ"))


def step_and_edges(page: Page) -> tuple[int, int]:
    """Return step and edge count of the graph once all pending changes are drawn."""
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    return int(graph(page).get_attribute("data-step")), int(graph(page).get_attribute("data-edges"))


def pull(page: Page, pixels: float, *, release: bool = True) -> None:
    """Drag the line down by the given number of pixels, once the page has stopped moving."""
    box = resting_box(line(page))
    x, y = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + pixels, steps=6)
    if release:
        page.mouse.up()


def test_edges_leave_while_the_slider_is_dragged(open_lmm):
    """All edges disappear before the mouse is released; dots mark awareness; no node moves, no request is sent."""
    page = open_lmm()
    before, (_, edges) = places(page), step_and_edges(page)
    assert edges == 20
    expect(graph(page).locator(".edge:not(.ghost) .aware").nth(edges - 1)).to_be_attached()
    slide_to(page, 0.9, release=False)
    fewer = step_and_edges(page)[1]
    assert 0 < fewer < edges
    page.mouse.move(page.viewport_size["width"] - 2, 500)
    assert step_and_edges(page)[1] == 0
    page.mouse.up()
    expect(page.get_by_text(re.compile(r"removed, rank 1 of \d+"))).to_be_visible()
    assert places(page) == before
    assert page.console_errors == []
    assert outside(page.request_urls, page.url.rstrip("/").rsplit("/", 1)[0]) == []


@pytest.mark.deep
def test_line_of_the_threshold_moves_the_scrubber(open_lmm):
    """Dragging the line down immediately shows a step with more edges, the first at which all edges exceed the line."""
    page = open_lmm()
    step, edges = step_and_edges(page)
    expect(line(page)).to_have_attribute("aria-valuenow", "0.03")
    pull(page, 24, release=False)
    expect(graph(page)).not_to_have_attribute("data-step", str(step))
    lower, more = step_and_edges(page)
    assert lower < step
    assert more > edges
    expect(line(page)).to_have_attribute("aria-valuenow", re.compile(r"^0\.00|e-"))
    expect(line(page)).to_have_attribute("aria-valuetext", re.compile(rf"stops at step {lower}$"))
    page.mouse.up()
    page.get_by_role("radio", name="What if").click()
    expect(page.get_by_text(re.compile(rf"elimination stops at step {lower} with {more} edges"))).to_be_visible()
    assert step_and_edges(page) == (lower, more)


@pytest.mark.deep
def test_line_of_the_threshold_can_be_moved_by_keyboard(open_lmm):
    """Arrow keys move the line a little, page keys more, Home and End to its ends; the step follows and is reported."""
    page = open_lmm()
    step, edges = step_and_edges(page)
    focus(line(page))
    for key in ("PageDown", "PageDown", "PageDown", "ArrowDown"):
        page.keyboard.press(key)
    assert step_and_edges(page)[1] > edges
    low = float(line(page).get_attribute("aria-valuenow"))
    page.keyboard.press("ArrowUp")
    assert float(line(page).get_attribute("aria-valuenow")) > low
    page.keyboard.press("End")
    expect(line(page)).to_have_attribute("aria-valuenow", "0.999999")
    last = step_and_edges(page)
    assert step <= last[0]
    assert last[1] <= edges
    # The report does not rely on its timer here: leaving the line sends it.
    page.evaluate("() => { const later = setTimeout; window.setTimeout = (f, ms) => later(f, ms === 250 ? 1e6 : ms); }")
    page.keyboard.press("Home")
    expect(line(page)).to_have_attribute("aria-valuenow", "0.000001")
    first = step_and_edges(page)
    assert first[1] > edges
    page.get_by_role("radio", name="Table").click()
    expect(page.locator(NUMBERS)).to_contain_text(re.compile(rf"^{first[1]:,} edges? · "))


@pytest.mark.deep
def test_both_pictures_show_the_same_step(open_lmm):
    """Dots and arrows share step, positions and selection; at the chosen step the arrows are the result's."""
    page = open_lmm()
    before, at = places(page), step_and_edges(page)
    graph(page).locator(".edge[tabindex='0'] .hit").first.dispatch_event("click")
    expect(story(page)).to_be_visible()
    page.get_by_role("radio", name="CPDAG at every step").click()
    expect(graph(page).locator(".edge.forward, .edge.backward").first).to_be_visible()
    expect(graph(page).locator(".aware")).to_have_count(0)
    assert (places(page), step_and_edges(page)) == (before, at)
    expect(graph(page).locator(".edge.selected")).to_have_count(1)
    slide_to(page, 0.97)
    assert 0 < step_and_edges(page)[1] < 10
    expect(page.get_by_text(re.compile(r"SHD \d+")).first).to_be_visible()


@pytest.mark.deep
def test_row_of_the_ranking_selects_its_edge(open_lmm):
    """A click in the table shows the edge in the graph and explains its rank."""
    page = open_lmm()
    table = page.locator("[data-testid=stDataFrame]").first
    click_row(table, 0)
    expect(page.get_by_text(re.compile(r"^Rank 1 of \d+"))).to_be_visible()
    expect(graph(page).locator(".edge.selected")).to_have_count(1)
    click_row(table, 1)
    expect(page.get_by_text(re.compile(r"^Rank 2 of \d+"))).to_be_visible()


@pytest.mark.deep
def test_bar_of_a_v_structure_selects_one_of_its_edges(open_lmm):
    """A click on the most certain v-structure explains one of its arrows, with CD."""
    page = open_lmm()
    page.get_by_role("radio", name="v-structures").click()
    click_mark(page.locator("[class*=st-key-inspect_cd] .bars .point path").first)
    expect(story(page)).to_be_visible()
    expect(page.get_by_text(re.compile("CD = ")).first).to_be_visible()
    expect(graph(page).locator(".edge.selected")).to_have_count(1)


@pytest.mark.deep
@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_pictures_for_a_person_to_look_at(open_lmm, theme, width):
    """In both themes, wide and narrow, the line and its value are visible; every part is photographed."""
    page = open_lmm(color_scheme=theme, viewport={"width": width, "height": 1000})
    expect(graph(page)).to_have_attribute("data-theme", theme)
    pull(page, 18)  # at 800 pixels the panel of a pair leaves no room for the line
    graph(page).locator(".edge[tabindex='0'] .hit").nth(5).dispatch_event("click")
    expect(story(page)).to_be_visible()
    photograph(page, f"lmm_skeleton_{theme}")
    page.get_by_role("radio", name="CPDAG at every step").click()
    photograph(page, f"lmm_cpdag_{theme}")
    for name in ("Edge ranking", "v-structures", "What if", "Prior"):
        part = page.get_by_role("radio", name=name, exact=True)
        part.click()
        photograph(page, f"lmm_{name}_{theme}", part)
    turn_to(page, "Learn")
    use = page.get_by_text("Preset")
    expect(use).to_be_visible()
    photograph(page, f"lmm_learn_{theme}", use)
