"""Actions of a visitor, and the resources that the server process uses."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE_MS = 600_000
expect.set_options(timeout=PATIENCE_MS)


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process on all cores."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def core_wait_seconds(pid: int) -> float:
    """Return the seconds that the threads of a process have waited for a core."""
    waited = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # the thread has ended
            waited += int(thread.read_text().split()[1])
    return waited / 1e9


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024


def go_to(page: Page, name: str) -> None:
    """Click a page of the menu."""
    page.get_by_role("link", name=name, exact=True).first.click()


def simulate(page: Page, network: str, rows: int) -> None:
    """Simulate rows of a network and use them."""
    go_to(page, "Data")
    page.get_by_role("radio", name="Simulate").click()
    page.get_by_role("combobox", name=re.compile("Published network")).fill(network)
    page.keyboard.press("Enter")
    page.get_by_label("Rows", exact=True).fill(str(rows))
    page.get_by_role("button", name="Simulate", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile(f"^In use: {network} "))).to_be_visible()
    ready, blocked = page.get_by_text("rows, ").first, page.get_by_text("Fix the problems on the Data page")
    expect(ready.or_(blocked).first).to_be_visible()
    if blocked.is_visible():  # columns with a single value block learning until the fix is applied
        page.locator(".st-key-data_fix_0_0 button").first.click()
        expect(blocked).to_have_count(0)


def choose(page: Page, key: str) -> None:
    """Choose a learner on the Learn page."""
    go_to(page, "Learn")
    form = page.locator(f".st-key-learn_chosen_{key}")
    expect(page.locator("[class*=st-key-learn_chosen_]").first).to_be_attached()
    if form.count():
        return
    page.locator(".st-key-learn_all summary").click()
    page.locator(f".st-key-learn_choose_{key} button:visible").click()
    expect(form).to_be_attached()


def run_button(page: Page) -> object:
    """Return the button that starts a run."""
    return page.get_by_role("button", name="Run learner", exact=True)


def timed(work: Callable[[], object]) -> float:
    """Return the wall-clock seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
