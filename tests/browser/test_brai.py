"""RAI, B-RAI and the bootstrap in a real browser: probabilities, draws, the tree, and the recursion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import SCREENSHOTS, click_mark, click_row, focus, outside, resting_box
from .test_app import graph, places
from .test_cimap import press
from .test_lmm import step_and_edges

pytestmark = pytest.mark.browser


def line(page: Page):
    """Return the line of the minimum probability."""
    return graph(page).get_by_role("slider", name=re.compile("minimum (probability|share)"))


def click_in(chart, x: float, y: float) -> None:
    """Click at a fraction of the width and height of an element."""
    box = resting_box(chart)
    chart.page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


@pytest.mark.deep
def test_least_probability_is_dragged_without_a_rerun(open_run):
    """The keys and the mouse add and remove edges while nodes stay; an edge's opacity is its share."""
    page = open_run("bootstrap", "insurance")
    before = places(page)
    focus(line(page))
    page.keyboard.press("Home")
    loose = step_and_edges(page)[1]
    page.keyboard.press("End")
    strict = step_and_edges(page)[1]
    assert strict < loose
    box = resting_box(line(page))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 200, steps=6)
    assert step_and_edges(page)[1] == loose
    page.mouse.up()
    assert places(page) == before
    sure = graph(page).locator(".edge").evaluate_all("all => all.map(e => +e.style.getPropertyValue('--sure'))")
    assert len(sure) == loose
    assert min(sure) == 0.25
    assert max(sure) > 0.99
    assert page.console_errors == []


@pytest.mark.deep
def test_cell_leads_to_its_pair_and_k_to_other_probabilities(open_run):
    """A click in the matrix explains the pair with a bar chart; with k = 1 only the best class counts."""
    page = open_run("brai", "insurance")
    matrix = page.locator(".st-key-inspect_probabilities_2_Edge")
    click_mark(matrix.locator(".scatterlayer .point").first)
    reported = page.get_by_text(re.compile("Probabilities over the best 10 classes of each of 10 trees"))
    expect(reported).to_be_visible()
    focus(page.get_by_role("slider", name=re.compile("Classes averaged")))
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_text(re.compile("Probabilities over the best class of each of 10 trees"))).to_be_visible()
    press(page, "v-structure")
    expect(page.get_by_text(re.compile("both parents of a third. Click a row"))).to_be_visible()
    assert page.console_errors == []


@pytest.mark.deep
def test_leaf_opens_its_graph_and_draws_depend_on_the_temperature(open_run):
    """A click on a leaf opens its graph, and the temperature changes the draws, in the dark theme."""
    page = open_run("brai", "insurance", color_scheme="dark")
    press(page, "Draws")
    one = page.get_by_text(re.compile("At γ = [0-9.]+, 20 draws gave"))
    expect(one).to_be_visible()
    slider = page.get_by_role("slider", name=re.compile("Temperature"))
    focus(slider)
    page.keyboard.press("Home")
    expect(page.get_by_text("At γ = 0, 20 draws gave 1 different CPDAG.")).to_be_visible()
    press(page, "Tree")
    tree = page.locator(".st-key-inspect_tree_2_0")
    click_mark(tree.locator(".bars .point path").last)
    expect(page.get_by_text(re.compile("^Leaf [0-9]+: its best graph has"))).to_be_visible()
    page.screenshot(path=SCREENSHOTS / "brai_leaf_dark.png", full_page=True)
    press(page, "By rows")
    expect(page.get_by_text(re.compile("The first tree of this run, from 2,000 rows, holds"))).to_be_visible()
    press(page, "True graph")
    expect(page.get_by_text(re.compile("are calibrated"))).to_be_visible()
    address = page.url.split("/inspect")[0]
    assert outside(page.request_urls, address) == []
    assert page.console_errors == []


@pytest.mark.deep
def test_groups_of_the_recursion_are_boxed(open_run):
    """A table row leads to its call, where the group is outlined and the other variables are faint."""
    page = open_run("rai", "insurance")
    expect(graph(page).locator(".box .rim")).to_have_count(0)
    click_row(page.locator("[class*=st-key-inspect_calls]").locator("[data-testid=stDataFrame]").first, 1)
    expect(graph(page).locator(".box .rim")).to_have_count(1)
    expect(graph(page).locator(".box .note")).to_have_text(re.compile("level 1, [0-9]+ variables"))
    faint = graph(page).locator(".node.outside").count()
    assert 0 < faint < 27
    page.screenshot(path=SCREENSHOTS / "rai_boxed.png", full_page=True)
    focus(graph(page).locator("input[type=range]"))
    page.keyboard.press("Home")
    expect(graph(page).locator(".box .rim")).to_have_count(0)
    assert page.console_errors == []
