"""The what-if strip in a real browser: parameter values under the slider, by pointer and keyboard, light and dark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import ON_INSPECT, ROOT, SCREENSHOTS, at_rest, click_mark, focus, resting_box, wait_until
from .test_app import graph, places

pytestmark = pytest.mark.browser
READY_MS = 240_000  # the first run may have to compile kernels
SENTENCE = ".graph-view .sentence"
PENALTY = "Penalty per edge"


def open_strip(page: Page, address: str, parameter: str = PENALTY) -> Page:
    """Open Inspect with the first run and all values of a parameter, selected by keyboard."""
    page.goto(f"{address}/?sample=child")
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=READY_MS)
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=READY_MS)
    at_rest(page)
    page.get_by_role("combobox", name="What if").focus()
    page.keyboard.type(parameter)
    expect(page.get_by_role("option", name=parameter)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Use as reference")).to_be_visible(timeout=READY_MS)
    expect(page.locator(".band.missing")).to_have_count(0, timeout=READY_MS)
    # The scores on held-out rows arrive later and redraw the page.
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=READY_MS)
    at_rest(page)
    if parameter == PENALTY:
        expect(page.get_by_role("button", name="Best held-out")).to_be_visible(timeout=READY_MS)
    at_rest(page)
    return page


@pytest.fixture
def strip(app_server, open_page):
    """Return ``strip(**context)``: a page with the strip of the edge penalty."""
    return lambda **context: open_strip(open_page(**context), app_server(ROOT / "app.py"))


def slider(page: Page):
    return graph(page).get_by_role("slider", name="step")


def sentence(page: Page, words: str) -> None:
    expect(page.locator(SENTENCE)).to_contain_text(re.compile(words))


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_keys_change_the_value_and_nodes_stay(strip, scheme):
    """Sign, dash, color and a sentence mark the differences from the run's own value."""
    page = strip(color_scheme=scheme)
    before = places(page)
    sentence(page, r"Penalty per edge automatic · reference · 25 edges")
    focus(slider(page))
    page.keyboard.press("End")
    sentence(page, r"compared with automatic: [0-9]+ edges removed")
    went, notes = page.locator(".edge.removed"), page.locator(".edge.removed .note")
    assert went.count() > 0
    assert set(notes.all_text_contents()) == {"−"}
    assert set(page.locator(".edge.reversed .note").all_text_contents()) <= {"↔"}
    said = [went.nth(k).get_attribute("aria-label") for k in range(went.count())]
    assert all("removed: present at the reference value" in one for one in said)
    assert places(page) == before
    page.screenshot(path=SCREENSHOTS / f"what_if_{scheme}.png")
    page.keyboard.press("Home")
    sentence(page, r"compared with automatic: ")
    assert page.console_errors == []


def test_another_value_is_held_and_edges_come(strip):
    """Compared with the strictest value, a looser one adds edges, which are green and have a plus sign."""
    page = strip()
    focus(slider(page))
    page.keyboard.press("End")
    page.get_by_role("button", name="Use as reference").click()
    sentence(page, "reference")
    expect(page.locator(".edge.removed, .edge.added, .edge.reversed")).to_have_count(0)
    page.locator(".controls button", has_text="This run's automatic").click()
    sentence(page, r"compared with 500: [0-9]+ edges added")
    came = page.locator(".edge.added")
    assert came.count() > 0
    assert set(page.locator(".edge.added .note").all_text_contents()) == {"+"}
    green = came.first.locator(".line").evaluate("line => getComputedStyle(line).stroke")
    assert green == "rgb(0, 122, 89)"


@pytest.mark.deep
def test_the_slider_follows_the_pointer_before_it_is_let_go(strip):
    page = strip()
    box = resting_box(slider(page))
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.1 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.95 * box["width"], y, steps=8)
    sentence(page, r"compared with automatic: [0-9]+ edges removed")
    page.mouse.up()
    sentence(page, r"compared with automatic: [0-9]+ edges removed")


@pytest.mark.deep
def test_one_click_leads_to_the_plateau_and_to_the_best(strip):
    page = strip()
    for label in ("Best score", "Best held-out"):
        button = page.locator(".jumps").get_by_text(label)
        value = re.search(r": ([\d.]*\d|automatic)(?:\.|$)", button.get_attribute("title"))
        button.click()
        sentence(page, rf"Penalty per edge {re.escape(value[1])} ·")
    for button in page.locator(".jumps").get_by_text("Longest plateau").all():
        button.click()
    assert page.locator(".band").count() > 1


@pytest.mark.deep
def test_the_survival_map_lights_an_edge_and_explains_it_at_its_value(strip):
    """Hovering over a row highlights its edge; a click goes to the value and explains the edge there."""
    page = strip()
    page.get_by_text("Which edges exist in which run").click()
    canvas = page.locator(".map canvas")
    canvas.hover(position={"x": 300, "y": 22})
    expect(page.locator(".edge.hover")).to_have_count(1)
    width = resting_box(canvas)["width"]
    canvas.click(position={"x": width - 6, "y": 22})
    sentence(page, r"Penalty per edge 500")
    expect(page.get_by_text("At a different value: Penalty per edge 500")).to_be_visible()
    page.screenshot(path=SCREENSHOTS / "what_if_map.png")
    assert page.console_errors == []


@pytest.mark.deep
def test_the_survival_map_is_read_by_keyboard(strip):
    page = strip()
    before = resting_box(page.locator(".stage"))["height"]
    page.get_by_text("Which edges exist in which run").click()
    assert resting_box(page.locator(".stage"))["height"] >= before - 20  # the map leaves the graph its space
    focus(page.locator(".map canvas"))
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".edge.hover")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Explain a pair")).to_be_visible()


@pytest.mark.deep
def test_leaving_shows_the_run_as_it_was(strip):
    page = strip()
    page.get_by_role("button", name="Close sweep").click()
    expect(page.get_by_role("button", name="Use as reference")).to_be_hidden()
    sentence(page, "step 33 of 33")
    wait_until(page, "() => !document.querySelector('.edge.removed')")


# ------------------------------------------------------------------ two parameters, other data, the live form


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_square_of_the_heat_map_becomes_the_run(strip, scheme):
    """A click on a square away from the ring repeats the run; keys undo it and return the ring."""
    page = strip(color_scheme=scheme)
    page.get_by_role("combobox", name="Second parameter").fill("parents")
    page.keyboard.press("Enter")
    squares = page.locator(".st-key-heat_map .scatterlayer .trace").first.locator("path.point")
    expect(squares.first).to_be_visible(timeout=READY_MS)
    # Cancel is shown before the squares and removed after the last one: from then on nothing is redrawn.
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=READY_MS)
    at_rest(page)
    page.locator(".st-key-heat_map").scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.screenshot(path=SCREENSHOTS / f"heat_map_{scheme}.png")
    click_mark(squares.first)
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    expect(undo).to_be_enabled(timeout=READY_MS)
    expect(page.get_by_role("button", name="Apply values")).to_be_disabled()
    at_rest(page)
    page.keyboard.press("Control+z")
    expect(redo).to_be_enabled(timeout=READY_MS)
    expect(undo).to_be_disabled()
    assert page.console_errors == []


@pytest.mark.deep
def test_other_data_are_walked_by_keys(open_page, app_server):
    """At each value one column is left out: the sentence names the column, and its edges disappear."""
    page = open_strip(open_page(), app_server(ROOT / "app.py"), "Without a column")
    focus(slider(page))
    page.keyboard.press("End")
    sentence(page, r"· without \S+ ·.*removed")
    expect(page.locator(".edge.removed").first).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".edge.removed")).to_have_count(0)
    assert page.console_errors == []


@pytest.mark.deep
def test_a_setting_typed_into_the_live_form_is_carried_out_and_undone_by_keys(open_page, app_server):
    """The graph shows the new setting at once; Ctrl+Z and Ctrl+Shift+Z undo and redo it."""
    page = open_page()
    page.goto(f"{app_server(ROOT / 'app.py')}/?sample=asia")
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=READY_MS)
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=READY_MS)
    at_rest(page)
    page.get_by_role("button", name="Change settings").click()
    parents = page.get_by_role("spinbutton", name="Maximum parents")
    expect(parents).to_be_visible()
    at_rest(page)
    parents.fill("1")
    parents.press("Enter")
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    expect(undo).to_be_enabled(timeout=READY_MS)
    expect(page.locator(".edge.removed").first).to_be_attached()
    at_rest(page)
    page.keyboard.press("Escape")
    expect(parents).to_be_hidden()
    at_rest(page)
    page.keyboard.press("Control+z")
    expect(redo).to_be_enabled(timeout=READY_MS)
    expect(undo).to_be_disabled()
    at_rest(page)
    page.keyboard.press("Control+Shift+z")
    expect(undo).to_be_enabled(timeout=READY_MS)
    expect(redo).to_be_disabled()
    assert page.console_errors == []
