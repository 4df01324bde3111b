"""A server that is restarted between two clicks: the page says so, and nothing is learned from another table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, free_port, start_server
from tests.pages.driving import small_table

pytestmark = pytest.mark.browser
PATIENCE = 120_000  # ms: a server starts, and a first sample is learned, on a busy machine


@pytest.fixture
def restarting(tmp_path: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """The address of a server, and what stops it and starts another one there."""
    port, log = free_port(), tmp_path / "log.txt"
    now, address = start_server(ROOT / "serve.py", (), log, "streamlit", {}, port)

    def restart() -> None:
        nonlocal now
        now.terminate()
        now.wait(timeout=30)
        now, _ = start_server(ROOT / "serve.py", (), log, "streamlit", {}, port)

    yield address, restart
    now.terminate()
    now.wait(timeout=30)


def upload(page: Page, name: str) -> None:
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": small_table()}
    )
    expect(page.get_by_role("heading", name=f"In use: {name}")).to_be_visible(timeout=PATIENCE)


def test_a_restart_between_two_clicks_is_said_and_nothing_is_run(page, restarting):
    """The click that follows the restart learns nothing; the same table can be uploaded again and learned from."""
    address, restart = restarting
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/data")
    upload(page, "mine.csv")
    page.get_by_role("link", name="Learn", exact=True).first.click()
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_enabled()
    expect(page.locator(".st-key-browser_note input")).to_have_value('{"table": "mine.csv", "sample": "", "runs": 0}')
    restart()
    run.click()
    expect(page.get_by_role("heading", name="The session was lost")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("the table that the page named, mine.csv. Nothing was learned")).to_be_visible()
    expect(run).to_have_count(0)
    page.get_by_role("button", name="Upload it again").click()
    expect(page.get_by_role("heading", name="In use: Child (simulated)")).to_be_visible(timeout=PATIENCE)
    upload(page, "mine.csv")
    page.get_by_role("link", name="Learn", exact=True).first.click()
    run.click()
    expect(page.get_by_test_id("stSidebar").get_by_text(re.compile("^2[.] .* on mine.csv"))).to_be_visible(
        timeout=PATIENCE
    )


def test_another_page_says_it_too_and_a_sample_comes_back_with_one_click(page, restarting):
    """The menu of an old page asks the new session."""
    address, restart = restarting
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/?sample=asia")
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-browser_note input")).to_have_value(re.compile('"sample": "asia"'))
    restart()
    page.get_by_role("link", name="Compare", exact=True).first.click()
    expect(page.get_by_role("heading", name="The session was lost")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Bring back Asia (simulated)").click()
    expect(page.get_by_role("heading", name="Learn a graph")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_test_id("stSidebar").get_by_text("Asia (simulated)", exact=True)).to_be_visible()
