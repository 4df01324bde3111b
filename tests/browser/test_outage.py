"""A server that starts while its storage is missing: a banner, and work that is saved after the recovery."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ON_INSPECT, ROOT, at_rest, start_server
from tests.browser.test_lost_session import PATIENCE, upload

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def test_work_made_while_the_storage_was_missing_is_there_after_a_reload(open_page, tmp_path: Path):
    """The banner exports the project and disappears by itself; the log records start and end of the outage."""
    (data := tmp_path / "work").write_text("a file where the folder is to be")
    keeping, log = {"EDGEWISE_KEEP": "yes", "EDGEWISE_DATA": str(data)}, tmp_path / "log.txt"
    server, address = start_server(ROOT / "app.py", (), log, "streamlit", keeping)
    try:
        page = open_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}/data")
        banner = page.get_by_text("Your work is not being saved")
        expect(banner).to_be_visible(timeout=PATIENCE)
        upload(page, "mine.csv")
        page.get_by_role("button", name="Learn with defaults").click()
        expect(page.locator(ON_INSPECT)).to_be_visible(timeout=PATIENCE)
        expect(banner).to_be_visible()
        at_rest(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Export project").click()
        with zipfile.ZipFile(download.value.path()) as file:
            assert len(json.loads(file.read("project.json"))["runs"]) == 2
        data.unlink()
        expect(banner).to_have_count(0, timeout=PATIENCE)
        page.goto(f"{address}/inspect")
        expect(page.locator("[data-testid=stSidebar]").get_by_text("2. ")).to_contain_text(
            "on mine.csv", timeout=PATIENCE
        )
        expect(banner).to_have_count(0)
        assert (data / "edgewise.sqlite").exists()
    finally:
        server.kill()
        server.wait(timeout=30)
    assert log.read_text(encoding="utf-8").count("outage began") == 1
