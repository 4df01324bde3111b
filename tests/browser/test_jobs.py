"""Tests that a run ends after the page that started it was closed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import ON_INSPECT, ROOT, choose_learner, turn_to
from .test_app import graph

pytestmark = [pytest.mark.browser, pytest.mark.deep]
ONE_PLACE = {"EDGEWISE_JOBS": "1", "EDGEWISE_WORKERS": "1", "EDGEWISE_LEFT_SECONDS": "2"}
LONG = "20000"  # rows of pigs: B-RAI takes minutes for each of its roots, on any machine
UNDER_WAY = re.compile(r"groups(, root [0-9])?: [0-9]")  # a phase that is shown early and for a long time


def simulate(page: Page, network: str, rows: str) -> None:
    """Simulate rows of a network and use them as the table."""
    turn_to(page, "Data")
    page.get_by_role("radio", name="Simulate").click()
    page.get_by_role("combobox", name=re.compile("Published network")).fill(network)
    page.keyboard.press("Enter")
    page.get_by_role("spinbutton", name="Rows", exact=True).fill(rows)
    page.get_by_role("button", name="Simulate rows", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile(f"^In use: {network} "))).to_be_visible(timeout=60_000)


def begin(page: Page) -> None:
    """Press Run, and wait until the run is active or queued."""
    turn_to(page, "Learn")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible(timeout=60_000)


def begin_long_run(page: Page) -> None:
    """Start a run that takes minutes, and wait until its phase is shown."""
    simulate(page, "pigs", LONG)
    turn_to(page, "Learn")
    choose_learner(page, "brai")
    begin(page)
    expect(page.get_by_text(UNDER_WAY)).to_be_visible(timeout=60_000)


def test_a_run_ends_once_its_page_was_closed(app_server: Callable[..., str], open_page: Callable[..., Page]):
    """Another visitor's run waits for the only slot, and begins once the first visitor's page is closed."""
    address = app_server(ROOT / "app.py", env=ONE_PLACE)
    first, second = open_page(), open_page()
    for page in (first, second):
        page.goto(address)
        expect(graph(page)).to_be_visible(timeout=60_000)
    simulate(second, "pigs", "5000")
    turn_to(second, "Learn")
    choose_learner(second, "hpc")  # takes several seconds, because short work does not wait in the queue
    begin_long_run(first)
    second.get_by_role("button", name="Run learner", exact=True).click()
    waits = second.get_by_text("Waiting in the queue: 1 run before yours")
    expect(waits).to_be_visible()
    first.close()
    expect(second.locator(ON_INSPECT)).to_be_visible(timeout=240_000)
