"""Two runs side by side in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import ROOT, SCREENSHOTS, click_row
from .test_app import graph

pytestmark = pytest.mark.browser


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_several_learners_are_run_and_compared(app_server, open_page, scheme):
    """One click runs several learners; differences, a pair explained by both runs, and the consensus are shown."""
    page = open_page(color_scheme=scheme)
    page.goto(app_server(ROOT / "app.py"))
    expect(graph(page)).to_be_visible(timeout=240_000)
    page.get_by_role("link", name="Compare", exact=True).first.click()
    page.get_by_role("button", name="Run 3 learners").click()
    # After a change of the kernels the first runs compile them.
    agreed = page.get_by_role("radio", name="Common to all 3")
    expect(agreed).to_be_visible(timeout=240_000)
    expect(page.get_by_text(re.compile("adjacent pairs: "))).to_have_count(1)
    expect(graph(page)).to_be_visible()
    click_row(page.locator("[data-testid=stDataFrame]").first, 0)
    expect(page.locator("strong", has_text=re.compile("^[ABC]$")).nth(3)).to_be_visible()
    agreed.click()
    expect(agreed).to_be_checked()
    expect(graph(page)).to_be_visible()
    page.screenshot(path=SCREENSHOTS / f"compare_{scheme}.png", full_page=True)
    page.get_by_role("radio", name="Correct edges along the run").click()
    expect(page.get_by_text(re.compile("Number of correct edges"))).to_be_visible()
    assert page.console_errors == []
