"""Build in a browser: nodes and an edge by pointer, by keys alone, and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import ROOT, focus, resting_box

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("width", [390, 1280])
def test_two_nodes_and_an_edge_by_pointer_and_by_keys(
    app_server: Callable[..., str], open_page: Callable[..., Page], width: int
) -> None:
    """On an empty canvas, a double click adds a node and a drag an edge; the keys alone do the rest."""
    page = open_page(viewport={"width": width, "height": 900})
    page.goto(f"{app_server(ROOT / 'app.py')}/build")
    nodes, edges = page.locator(".node[data-node]"), page.locator(".edge[data-a]")
    expect(nodes).to_have_count(3)
    page.get_by_role("button", name="Open network").click()
    page.get_by_role("button", name="Clear canvas").click()
    expect(nodes).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Clear canvas")).to_have_count(0)
    canvas = page.locator(".stage > svg")
    canvas.scroll_into_view_if_needed()
    resting_box(canvas)
    canvas.dblclick(position={"x": 100, "y": 200})
    expect(nodes).to_have_count(1)
    expect(page.locator(".node.selected")).to_have_count(1)
    dot, box = resting_box(page.locator(".pull .dot")), resting_box(canvas)
    page.mouse.move(dot["x"] + 4, dot["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 220, box["y"] + 300, steps=5)
    page.mouse.up()
    expect(nodes).to_have_count(2)
    expect(edges).to_have_count(1)
    expect(edges).to_have_attribute("aria-label", "A → B, directed, strength 0.5")
    expect(nodes.nth(1)).to_have_class("node selected")
    focus(nodes.nth(1))
    page.keyboard.press("F2")
    page.keyboard.type("<b>two</b>")
    page.keyboard.press("Enter")
    expect(nodes.nth(1)).to_have_attribute("aria-label", "variable <b>two</b>")
    nodes.nth(0).click()  # both nodes are selected now
    page.keyboard.press("F2")
    page.keyboard.type("nets")  # letters that are commands elsewhere
    page.keyboard.press("Enter")
    expect(nodes.nth(0)).to_have_attribute("aria-label", "variable nets")
    expect(nodes).to_have_count(2)
    focus(edges.first)
    page.keyboard.press("t")
    expect(edges).to_have_attribute("aria-label", "<b>two</b> → nets, directed, strength 0.5")
    focus(edges.first)
    page.keyboard.press("Delete")
    expect(edges).to_have_count(0)
