"""Memory of the server after ten visitors have learned from 20 000 rows each and left.

Arguments: the number of visitors, and the learner.
"""

from __future__ import annotations

import time

from playwright.sync_api import expect

from ..browser import GRAPH, new_visitor, open_browser, serve_as
from ..machine import ROOT
from .driving import choose, resident_mb, run_button, simulate

VISITORS, LEARNER = 10, "brai"
NETWORK, ROWS = "alarm", 20_000
GONE_SECONDS = 200.0  # seconds of waiting until sessions are gone; Streamlit keeps closed ones for two minutes
LOOK_SECONDS = 10.0


def main(words: list[str]) -> None:
    """Print MB after each visitor and while no session is open, and the final and largest MB relative to the start."""
    visitors = int(words[0]) if words else VISITORS
    learner = words[1] if len(words) > 1 else LEARNER
    with serve_as(ROOT / "app.py") as (address, pid), open_browser() as browser:
        _show("server up", pid)
        with new_visitor(browser) as page:
            page.goto(address)
            page.locator(GRAPH).first.wait_for()
            before = most = _show("first page", pid)
        for number in range(visitors):
            with new_visitor(browser) as page:
                page.goto(address)
                page.locator(GRAPH).first.wait_for()
                simulate(page, NETWORK, ROWS)
                choose(page, learner)
                run_button(page).click()
                expect(page.get_by_text("Explain").first).to_be_visible()
                page.locator(GRAPH).first.wait_for()
                most = max(most, _show(f"visitor {number + 1} has learned", pid))
        began = time.monotonic()
        while (gone := time.monotonic() - began) < GONE_SECONDS:
            time.sleep(LOOK_SECONDS)
            after = _show(f"all gone for {gone + LOOK_SECONDS:.0f} s", pid)
    print(f"after / before {after / before:.2f}, most / before {most / before:.2f}")


def _show(when: str, pid: int) -> float:
    held = resident_mb(pid)
    print(f"{when:28} {held:7.0f} MB", flush=True)
    return held
