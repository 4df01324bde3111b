"""PATH's solutions, and any level between them, under the slider in a real browser."""

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
    act_and_wait,
    choose_learner,
    click_mark,
    click_row,
    focus,
    outside,
    photograph,
    resting_box,
)
from .test_app import graph, places, slide_to, story
from .test_lmm import step_and_edges

pytestmark = pytest.mark.browser


@pytest.fixture
def open_path(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return ``open_path(**context)``: Inspect with a run of PATH on the sample `child`."""

    def open_one(learner: str = "path", **context: object) -> Page:
        page = open_page(**context)
        page.goto(app_server(ROOT / "app.py"))
        page.locator(".st-key-start_sample_child button").first.click()
        choose_learner(page, learner)
        page.get_by_role("button", name="Run learner", exact=True).click()
        # After a change of the kernels the first run compiles them.
        expect(page.locator(ON_INSPECT)).to_be_visible(timeout=180_000)
        expect(graph(page)).to_be_visible()
        return page

    return open_one


def walk(page: Page, name: str) -> None:
    """Choose the slider mode."""
    page.get_by_role("radio", name=name, exact=True).click()


def line(page: Page):
    """Return the line of alpha."""
    return graph(page).get_by_role("slider", name="significance level alpha")


def points(page: Page):
    """Return the solutions on the curve."""
    return graph(page).locator(".points .point")


def edges_reported(page: Page, number: int) -> None:
    """Wait until the numbers above the graph show the given number of edges."""
    expect(page.locator(NUMBERS)).to_contain_text(re.compile(rf"^{number:,} edges? · "))


@pytest.mark.deep
def test_solutions_are_points_on_the_curve_of_their_scores(open_path):
    """A star and a text mark the chosen solution; a click shows a solution; nodes stay."""
    page = open_path()
    before = places(page)
    expect(points(page)).to_have_count(6)
    for number, mark in enumerate(("dot", "dot", "dot", "dot", "dot", "star")):
        expect(points(page).nth(number)).to_have_class(f"point {mark}")
    expect(graph(page).locator(".points")).to_have_attribute(
        "aria-label", re.compile(r"BDeu with edge penalty of 6 steps; chosen: step \d")
    )
    assert step_and_edges(page) == (5, 21)
    expect(
        page.get_by_text(re.compile(r"step \d of 6 · alpha = \S+, BDeu with edge penalty −[\d,.]+, chosen · \d+ edges"))
    ).to_be_visible()
    points(page).nth(2).click()
    assert step_and_edges(page) == (2, 24)
    edges_reported(page, 24)
    slide_to(page, 0.02, release=False)
    assert step_and_edges(page) == (0, 26)
    page.mouse.up()
    edges_reported(page, 26)
    assert places(page) == before
    assert page.console_errors == []
    assert outside(page.request_urls, page.url.rstrip("/").rsplit("/", 1)[0]) == []


def test_any_alpha_shows_its_graph_without_a_rerun(open_path):
    """Dragging the line removes edges before the release; the line follows the slider and the keyboard."""
    page = open_path()
    points(page).nth(2).click()
    edges_reported(page, 24)
    walk(page, "alpha")
    expect(line(page)).to_be_visible()
    assert step_and_edges(page) == (2, 24)  # the graph is the same in either slider mode
    box = resting_box(line(page))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 20, steps=6)
    step, edges = step_and_edges(page)
    assert 0 < edges < 24
    page.mouse.up()
    edges_reported(page, edges)
    assert step_and_edges(page) == (step, edges)
    focus(line(page))
    page.keyboard.press("Home")
    assert step_and_edges(page)[1] == 0
    page.keyboard.press("End")
    assert step_and_edges(page) == (0, 26)
    expect(line(page)).to_have_attribute("aria-valuetext", "0.1, stops at step 0")
    focus(graph(page).locator("input[type=range]"))
    page.keyboard.press("ArrowRight")
    assert step_and_edges(page) == (1, 25)
    expect(line(page)).to_have_attribute("data-label", "α 0.00098")
    edges_reported(page, 25)
    walk(page, "Solution path")
    expect(graph(page)).to_have_attribute("data-step", "1")
    assert step_and_edges(page) == (1, 25)


@pytest.mark.deep
def test_row_point_and_cell_lead_to_the_picture(open_path):
    """A row of the table and a point of the chart show their solution, a cell of the heat map its pair."""
    page = open_path()
    act_and_wait(page, lambda: walk(page, "Steps of the run"))
    click_row(page.locator("[data-testid=stDataFrame]").first, 3)
    edges_reported(page, 23)
    assert step_and_edges(page) == (3, 23)
    click_mark(page.locator("[class*=st-key-inspect_path_] .points path.point").nth(4))
    edges_reported(page, 22)
    assert step_and_edges(page) == (4, 22)
    walk(page, "Φ heat map")
    cells = page.locator("[class*=st-key-inspect_phi_] .points path.point")
    expect(cells).to_have_count(380)
    click_mark(cells.first)
    expect(story(page)).to_be_visible()
    expect(page.get_by_text(re.compile("^Its largest p, Φ = "))).to_be_visible()


@pytest.mark.deep
def test_cell_of_the_matrix_selects_its_pair(open_path):
    """A click on an edge of the matrix explains it."""
    page = open_path()
    walk(page, "Matrix")
    click_mark(page.locator("[class*=st-key-inspect_matrix_] .points path.point").first)
    expect(story(page)).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_pictures_for_a_person_to_look_at(open_path, theme, width):
    """Every slider mode and every part is photographed in both themes, wide and narrow."""
    page = open_path(color_scheme=theme, viewport={"width": width, "height": 1000})
    expect(graph(page)).to_have_attribute("data-theme", theme)
    graph(page).locator(".edge[tabindex='0'] .hit").nth(5).dispatch_event("click")
    expect(story(page)).to_be_visible()
    for name in ("Solution path", "alpha"):
        walk(page, name)
        photograph(page, f"path_{name}_{theme}")
    for name in ("α path", "Φ heat map"):
        walk(page, name)
        photograph(page, f"path_{name[0]}_{theme}", page.get_by_role("radio", name=name, exact=True))
