"""Tests that work is restored after a reload, in another browser and after a crash, for its owner only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.session.guard import COOKIE
from tests.browser.conftest import ON_INSPECT, ROOT, free_port, open_fold, start_server
from tests.browser.test_lost_session import PATIENCE, upload

pytestmark = pytest.mark.browser


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Return the address of a server that keeps work, and a function that kills and restarts it there."""
    port, log = free_port(), tmp_path / "log.txt"
    keeping = {"EDGEWISE_KEEP": "yes", "EDGEWISE_DATA": str(tmp_path / "work")}
    now, address = start_server(ROOT / "app.py", (), log, "streamlit", keeping, port)

    def kill() -> None:
        nonlocal now
        now.kill()
        now.wait(timeout=30)
        now, _ = start_server(ROOT / "app.py", (), log, "streamlit", keeping, port)

    yield address, kill
    now.kill()
    now.wait(timeout=30)


def shows(page: Page, address: str) -> None:
    """Check that the page shows the run on the uploaded table."""
    page.goto(f"{address}/inspect")
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[data-testid=stSidebar]").get_by_text("2. ")).to_contain_text("on mine.csv")
    expect(page.locator(".graph-view[data-ready]")).to_be_visible()


def share(page: Page, stranger: Page) -> None:
    """Create a link on Inspect, and check that it shows the run in a browser without access."""
    page.get_by_role("button", name="Share result").click()
    page.get_by_role("button", name="Create link").click()
    link = page.locator("code.language-plaintext", has_text="s=")
    expect(link).to_be_visible()
    stranger.goto(link.inner_text())
    expect(stranger.get_by_text("This is a shared view until")).to_be_visible(timeout=PATIENCE)
    expect(stranger.locator(".graph-view[data-ready]")).to_be_visible()
    expect(stranger.locator("[data-testid=stSidebar]").get_by_text("2. ")).to_contain_text("on mine.csv")


@pytest.fixture
def owner(open_page, killed) -> Page:
    """Return a browser whose user uploaded a table and learned from it."""
    page, (address, _) = open_page(), killed
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/data")
    upload(page, "mine.csv")
    page.get_by_role("button", name="Learn with defaults").click()
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=PATIENCE)
    return page


def shows_nothing_of_it(page: Page, address: str) -> None:
    """Check that Inspect shows the sample's run and not the uploaded table."""
    page.goto(f"{address}/inspect")
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("mine.csv")).to_have_count(0)


def test_work_is_there_after_the_server_was_killed_for_its_owner_only(owner, open_page, killed):
    address, kill = killed
    shows(owner, address)
    (cookie,) = [one for one in owner.context.cookies() if one["name"] == COOKIE]
    assert cookie["httpOnly"]
    kill()
    shows(owner, address)
    shows_nothing_of_it(open_page(), address)


@pytest.mark.deep
def test_work_opens_in_another_browser_is_shared_and_deleted(owner, open_page, killed):
    address, _ = killed
    (cookie,) = [one for one in owner.context.cookies() if one["name"] == COOKIE]
    other = open_page()
    other.set_default_timeout(PATIENCE)
    other.goto(f"{address}/inspect?w={cookie['value']}")
    other.get_by_role("link", name="Use it in this browser").click()
    expect(other.get_by_text("opened by its address")).to_have_count(0)
    shows(other, address)  # from now on without the address
    shows(owner, address)
    share(owner, open_page())
    other.goto(f"{address}/projects")
    open_fold(other, "Your workspace")
    other.get_by_role("button", name="Delete workspace").click()
    other.get_by_role("button", name="Delete everything", exact=True).click()
    expect(other.get_by_role("heading", name="Learn a Bayesian network")).to_be_visible(timeout=PATIENCE)
    shows_nothing_of_it(owner, address)
