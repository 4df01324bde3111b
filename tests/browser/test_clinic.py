"""A hospital's export with mixed data and missing cells: two clicks from upload to explained graph."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from learners import default_plan, prepare, read_plan, read_table
from tests.browser.conftest import NUMBERS, ON_INSPECT, ROOT, TABLE_FILE, open_fold
from tests.pages.test_variables import clinic

pytestmark = [pytest.mark.browser, pytest.mark.deep]
PATIENCE = 90_000  # milliseconds; a busy machine may first have to learn the sample


def upload(page: Page, address: str) -> None:
    """Upload a table on the Data page and wait until it is in use."""
    page.goto(address)
    page.get_by_role("button", name="Upload a table").click(timeout=PATIENCE)
    page.locator(TABLE_FILE).set_input_files(
        {"name": "klinik.csv", "mimeType": "text/csv", "buffer": clinic()}, timeout=PATIENCE
    )
    expect(page.get_by_role("heading", name="In use: klinik.csv")).to_be_visible(timeout=PATIENCE)


def test_two_clicks_from_the_upload_to_an_explained_graph(page, app_server):
    """All suggested fixes are applied, one line summarizes the data in use, and the graph is explained."""
    upload(page, app_server(ROOT / "app.py"))
    page.get_by_role("button", name="Apply all suggested fixes").click()  # the first click
    expect(page.get_by_role("button", name=re.compile("^Undo [0-9]+ fix"))).to_be_visible(timeout=PATIENCE)
    expect(
        page.get_by_text(re.compile(r"A run uses 300 rows and 6 of 7 columns; \d{3} of 1,800 cells are missing"))
    ).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Learn with defaults").click()  # the second
    expect(page.locator(f"{ON_INSPECT} .graph-view[data-ready]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(NUMBERS)).to_contain_text("300 rows")
    page.get_by_role("button", name=re.compile("CRP.*Komplikation|Komplikation.*CRP")).first.press("Enter")
    expect(page.locator(".st-key-inspect_why")).to_contain_text(
        re.compile("CRP .* Komplikation is in the graph|Komplikation .* CRP is in the graph"), timeout=PATIENCE
    )
    expect(page.locator(".st-key-inspect_why")).to_contain_text("Hollow: ", timeout=PATIENCE)
    assert page.console_errors == []


def test_the_plan_that_is_taken_home_makes_the_same_table(page, app_server):
    """The plan downloaded by a click makes the same data set when the library reads it."""
    upload(page, app_server(ROOT / "app.py"))
    page.get_by_role("button", name="Apply all suggested fixes").click()
    expect(page.get_by_role("button", name=re.compile("^Undo [0-9]+ fix"))).to_be_visible(timeout=PATIENCE)
    open_fold(page, "Save these settings as a template")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download template").click()
    table, plan = read_table(clinic()), read_plan(download.value.path())
    assert plan != default_plan(table)
    assert prepare(table, plan).dataset.names == ("Aufnahme", "Geschlecht", "Alter", "Station", "CRP", "Komplikation")
