"""A table as a hospital exports it, from upload to graph: one click per finding, one click to undo, at every width."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, TABLE_FILE, at_rest, choose_learner, open_fold, resting_box
from tests.pages.test_first_hour import FIXES, hospital, undo_of

pytestmark = pytest.mark.browser
PATIENCE = 90_000  # milliseconds; a busy machine may first have to learn the sample
WIDTHS = {"phone": (390, 844), "tablet": (800, 900), "laptop": (1280, 720), "desk": (1440, 900)}


def upload(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Upload a table").or_(page.get_by_role("button", name="Upload a table")).click(
        timeout=PATIENCE
    )
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible(timeout=PATIENCE)
    at_rest(page)
    page.locator(TABLE_FILE).set_input_files(
        {"name": "ward.csv", "mimeType": "text/csv", "buffer": hospital()}, timeout=PATIENCE
    )
    expect(page.get_by_role("heading", name="In use: ward.csv")).to_be_visible(timeout=PATIENCE)


def unfold(page: Page) -> None:
    """Show all findings rather than the first few; they stay visible after each fix."""
    open_fold(page, "more finding")
    resting_box(fix(page, "Merge the spellings of each level"))


def fix(page: Page, label: str):
    return page.get_by_role("button", name=label, exact=True)


def test_from_a_messy_upload_to_a_graph(page, app_server):
    """Each fix is applied by a click, the last is undone and applied again, and a graph is learned."""
    upload(page, app_server(ROOT / "app.py"))
    unfold(page)
    taken = [label for label in FIXES if not label.startswith("Split ") and " alone " not in label]
    for label in taken:
        fix(page, label).click()
        expect(fix(page, undo_of(label))).to_be_visible(timeout=PATIENCE)
        expect(fix(page, label)).to_have_count(0)
    fix(page, undo_of(taken[-1])).click()
    expect(fix(page, undo_of(taken[-2]))).to_be_visible(timeout=PATIENCE)
    fix(page, taken[-1]).click()
    expect(fix(page, undo_of(taken[-1]))).to_be_visible(timeout=PATIENCE)
    way_on = page.get_by_role("link", name="Choose a method")
    bins = page.get_by_role("button", name=re.compile("^Cut '"))
    expect(way_on.or_(bins).first).to_be_visible(timeout=PATIENCE)
    if bins.count():  # numbers and levels in one table
        bins.first.click()
    way_on.click(timeout=PATIENCE)
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click(timeout=PATIENCE)
    expect(page.get_by_test_id("stSidebar").get_by_text(re.compile("^2[.] .* on ward.csv"))).to_be_visible(
        timeout=PATIENCE
    )
    assert page.console_errors == []


@pytest.mark.deep
def test_folds_stay_open_when_what_stands_above_changes(page, app_server):
    """An applied fix adds an undo button above the folds, and undoing it removes the button; the folds stay open."""
    upload(page, app_server(ROOT / "app.py"))
    folds, label = ("more finding", "Edit one column", "Repeat a run from a recipe"), "Leave out 'score'"
    for words in folds:
        open_fold(page, words)
    fix(page, label).click()
    expect(fix(page, undo_of(label))).to_be_visible(timeout=PATIENCE)
    fix(page, undo_of(label)).click()
    expect(fix(page, label)).to_be_visible(timeout=PATIENCE)
    at_rest(page)
    for words in folds:
        expect(page.locator("details[open] > summary").filter(has_text=words)).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_variables_of_a_messy_table_are_in_the_first_screen(open_page, app_server, scheme):
    """At 1280 by 800, main action, largest finding and the first of the variables need no scrolling."""
    page = open_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    upload(page, app_server(ROOT / "app.py"))
    assert resting_box(fix(page, "Learn with defaults"))["y"] < 400
    table = page.get_by_test_id("stDataFrame").filter(visible=True).first
    assert resting_box(page.get_by_role("heading", name="Variables"))["y"] < resting_box(table)["y"] < 800 - 2 * 35


@pytest.mark.deep
def test_inspect_says_of_which_table_the_graph_is(page, app_server):
    """Inspect names the table of the graph until the new table is learned from; a button leads to Learn."""
    upload(page, app_server(ROOT / "app.py"))
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(page.get_by_text("the table in use is ward.csv")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Learn from ward.csv").click()
    expect(page.get_by_role("heading", name="Learn a graph")).to_be_visible(timeout=PATIENCE)


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_at_every_width(open_page, app_server, scheme):
    """Nothing is cut off at the side, and the keyboard applies and undoes each fix."""
    first, *_ = sizes = [{"width": wide, "height": high} for wide, high in WIDTHS.values()]
    page = open_page(viewport=first, color_scheme=scheme)
    upload(page, app_server(ROOT / "app.py"))
    unfold(page)
    for size in sizes:
        page.set_viewport_size(size)
        button, wide = fix(page, "Merge the spellings of each level"), size["width"]
        box = resting_box(button)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= wide
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
        button.press("Enter")
        undo = fix(page, "Undo “merge the spellings of each level”")
        expect(undo).to_be_visible(timeout=PATIENCE)
        expect(page.locator("details[open] > summary").filter(has_text="more finding")).to_be_visible()
        undo.press("Enter")
        expect(fix(page, "Merge the spellings of each level")).to_be_visible(timeout=PATIENCE)


@pytest.mark.deep
def test_a_button_that_cannot_be_pressed_looks_so(page, app_server):
    """The Run button is shown as disabled during a run."""
    page.goto(app_server(ROOT / "app.py"))
    page.get_by_role("link", name="Learn", exact=True).first.click()
    run = page.get_by_role("button", name="Run learner", exact=True)
    expect(run).to_be_enabled(timeout=PATIENCE)
    choose_learner(page, "bootstrap")
    at_rest(page)
    enabled = run.evaluate("one => getComputedStyle(one).backgroundColor")
    run.press("Enter")
    expect(run).to_be_disabled(timeout=PATIENCE)
    expect(run).not_to_have_css("background-color", enabled)
    page.get_by_role("button", name="Cancel", exact=True).press("Enter")


@pytest.mark.deep
def test_a_table_that_no_learner_takes_leads_to_its_fix(page, app_server):
    """Learn names two columns with too many levels for any test, and leads to the fix on the Data page."""
    page.goto(app_server(ROOT / "app.py"))
    page.get_by_role("link", name="Data", exact=True).first.click()
    rows = "".join(f"l{k % 1500},m{k * 7 % 1400},{k % 97}.5\n" for k in range(4000))
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible(timeout=PATIENCE)
    at_rest(page)
    page.locator(TABLE_FILE).set_input_files(
        {"name": "levels.csv", "mimeType": "text/csv", "buffer": f"a,b,x\n{rows}".encode()}, timeout=PATIENCE
    )
    expect(page.get_by_role("heading", name="In use: levels.csv")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Learn", exact=True).first.click()
    expect(page.get_by_text("Column 'a' has 1,500 levels")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Run learner", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Open the Data page").click()
    expect(page.get_by_role("heading", name="In use: levels.csv")).to_be_visible(timeout=PATIENCE)
