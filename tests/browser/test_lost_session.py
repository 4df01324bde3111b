"""Lost sessions after a server restart or a long disconnect are reported, and no other table is learned from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests import polling
from tests.browser.apps.forgetful_streamlit import LET_GO
from tests.browser.conftest import ON_INSPECT, ROOT, TABLE_FILE, choose_learner, free_port, start_server
from tests.pages.driving import small_table

pytestmark = [pytest.mark.browser, pytest.mark.deep]
PATIENCE = 120_000  # ms: a server starts, and a first sample is learned, on a busy machine


@pytest.fixture
def restarting(tmp_path: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Return the address of a server, and a function that restarts it at that address."""
    port, log = free_port(), tmp_path / "log.txt"
    now, address = start_server(ROOT / "app.py", (), log, "streamlit", {}, port)

    def restart() -> None:
        nonlocal now
        now.terminate()
        now.wait(timeout=30)
        now, _ = start_server(ROOT / "app.py", (), log, "streamlit", {}, port)

    yield address, restart
    now.kill()  # these tests do not cover how a server ends while it compiles
    now.wait(timeout=30)


def upload(page: Page, name: str) -> None:
    page.locator(TABLE_FILE).set_input_files({"name": name, "mimeType": "text/csv", "buffer": small_table()})
    expect(page.get_by_role("heading", name=f"In use: {name}")).to_be_visible(timeout=PATIENCE)


def test_a_restart_between_two_clicks_is_said_and_nothing_is_run(page, restarting):
    """The click after a restart starts no run; the same table can be uploaded again and learned from."""
    address, restart = restarting
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/data")
    upload(page, "mine.csv")
    page.get_by_role("link", name="Learn", exact=True).first.click()
    choose_learner(page, "pc")
    run = page.get_by_role("button", name="Run learner", exact=True)
    expect(run).to_be_enabled()
    expect(page.locator(".st-key-browser_note input")).to_have_value('{"table": "mine.csv", "sample": "", "runs": 0}')
    restart()
    run.click()
    expect(page.get_by_role("heading", name="The session was lost")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("The session lost the table mine.csv.")).to_be_visible()
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
    """The menu of an old page sends a request to the new session, which shows the message and offers the sample."""
    address, restart = restarting
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/?sample=asia")
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-browser_note input")).to_have_value(re.compile('"sample": "asia"'))
    restart()
    page.get_by_role("link", name="Compare", exact=True).first.click()
    expect(page.get_by_role("heading", name="The session was lost")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Reload Asia (simulated)").click()
    expect(page.get_by_role("heading", name="Learn a graph")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_test_id("stSidebar").get_by_text("Asia (simulated)", exact=True)).to_be_visible()


def learn_from_mine(page: Page, address: str) -> None:
    """Show a run on an uploaded table."""
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/data")
    upload(page, "mine.csv")
    page.get_by_role("link", name="Learn", exact=True).first.click()
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-browser_note input")).to_have_value('{"table": "mine.csv", "sample": "", "runs": 1}')


def says_that_mine_was_lost(page: Page) -> None:
    """Check the message, and that only its own buttons can be pressed."""
    expect(page.get_by_role("heading", name="The session was lost")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("The session lost the table mine.csv and 1 run.")).to_be_visible()
    expect(page.locator(".graph-view")).to_have_count(0)
    expect(page.get_by_role("button", name="Upload it again")).to_be_visible()


def test_a_click_within_a_part_of_the_page_says_it_too(page, restarting):
    """A click in a fragment requests the table from the new session, which has no run."""
    address, restart = restarting
    learn_from_mine(page, address)
    restart()
    page.get_by_role("radio", name="Table", exact=True).click()
    says_that_mine_was_lost(page)


def test_a_run_that_the_restart_ended_is_not_waited_for(page, restarting):
    """The progress display polls every second, and shows the message without a click."""
    address, restart = restarting
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/?sample=asia")
    page.get_by_role("link", name="Learn", exact=True).first.click()
    choose_learner(page, "bootstrap")
    page.get_by_label("Resamples", exact=True).fill("1000")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    restart()
    expect(page.get_by_role("heading", name="The session was lost")).to_be_visible(timeout=PATIENCE)


class Line:
    """The connection between page and server, which can be interrupted for a while."""

    def __init__(self, page: Page) -> None:
        self._broken, self._open = False, []
        page.route_web_socket(re.compile("_stcore/stream"), self._join)

    def _join(self, page: WebSocketRoute) -> None:
        if self._broken:
            page.close()
            return
        self._open = [page, page.connect_to_server()]

    def cut(self) -> None:
        self._broken = True
        for end in self._open:
            end.close()

    def repair(self) -> None:
        self._broken = False


def test_a_line_that_is_broken_for_longer_than_a_session_is_kept(page, tmp_path):
    """A session ends one second after its page is closed (usually two minutes); the next click shows a message."""
    log = tmp_path / "log.txt"
    server, address = start_server(ROOT / "app.py", (), log, "tests.browser.apps.forgetful_streamlit", {})
    try:
        line = Line(page)
        learn_from_mine(page, address)
        line.cut()
        polling.wait_until(lambda: LET_GO in log.read_text())
        line.repair()
        page.get_by_role("radio", name="Table", exact=True).click()
        says_that_mine_was_lost(page)
    finally:
        server.terminate()
        server.wait(timeout=30)
