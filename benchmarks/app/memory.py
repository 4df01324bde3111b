"""What the process holds once ten visitors have learned with B-RAI and left."""

from __future__ import annotations

import sys
import time

from playwright.sync_api import expect

from ..browser import GRAPH, new_visitor, open_browser, serve_as
from ..machine import ROOT
from .driving import choose, resident_mb, run_button

VISITORS = 10
GONE_SECONDS = 200.0  # Streamlit keeps a session that left for 120 s
LOOK_SECONDS = 10.0


def main(words: list[str]) -> None:
    """Print a table: MB after each visitor, and while nobody is there."""
    visitors = int(words[0]) if words else VISITORS
    with serve_as(ROOT / "app.py") as (address, pid), open_browser() as browser:
        print(f"{'server up':28} {resident_mb(pid):7.0f} MB")
        for number in range(visitors):
            with new_visitor(browser) as page:
                page.goto(address)
                page.locator(GRAPH).first.wait_for()
                if number == 0:
                    print(f"{'first page':28} {resident_mb(pid):7.0f} MB")
                choose(page, "brai")
                run_button(page).click()
                expect(page.get_by_text("Explain").first).to_be_visible()
                page.locator(GRAPH).first.wait_for()
                print(f"{f'visitor {number + 1} has learned':28} {resident_mb(pid):7.0f} MB", flush=True)
        began = time.monotonic()
        while (gone := time.monotonic() - began) < GONE_SECONDS:
            time.sleep(LOOK_SECONDS)
            print(f"{f'all gone for {gone + LOOK_SECONDS:.0f} s':28} {resident_mb(pid):7.0f} MB", flush=True)
    sys.stdout.flush()
