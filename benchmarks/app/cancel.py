"""Latency of a cancel for every learner: from the click until the Run button is shown again."""

from __future__ import annotations

from playwright.sync_api import Page, TimeoutError, expect

from learners.registry import LEARNERS

from ..browser import GRAPH, open_page, serve_as
from ..machine import ROOT
from .driving import choose, cpu_seconds, run_button, simulate, timed

NETWORKS, ROWS = ("link", "munin1"), 1_000
BEFORE = 4.0  # seconds of work before the cancel; a number among the arguments replaces it
IN_PLACE_MS = 2_000  # time limit of a click, because the button is already shown
HEARD_IN = 1.0  # guaranteed maximum latency in seconds


def main(words: list[str]) -> None:
    """Print a line for each learner and network: wall-clock seconds, and CPU seconds of the server."""
    late = 0
    networks = [word for word in words if word in NETWORKS] or NETWORKS
    keys = [word for word in words if word in LEARNERS]
    before = next((float(word) for word in words if word not in (*NETWORKS, *LEARNERS)), BEFORE)
    with serve_as(ROOT / "app.py") as (address, pid), open_page() as page:
        page.goto(address)
        page.locator(GRAPH).first.wait_for()
        for network in networks:
            simulate(page, network, ROWS)
            for key in keys or [key for key, one in LEARNERS.items() if "categorical" in one.kinds]:
                taken = cancel(page, pid, key, before)
                late += taken is not None and taken[0] > HEARD_IN
                text = "had ended before" if taken is None else f"{taken[0]:6.2f} s, {taken[1]:6.2f} s of CPU"
                print(f"{network:8} {key:12} {text}", flush=True)
    print(f"later than {HEARD_IN:g} s: {late}")


def cancel(page: Page, pid: int, key: str, before: float) -> tuple[float, float] | None:
    """Cancel a run after `before` seconds, and return the seconds until the form or the partial result is shown.

    Return None if the run ended earlier.
    """
    choose(page, key)
    run_button(page).click()
    button, found = page.get_by_role("button", name="Cancel"), page.locator(GRAPH).first
    expect(button.or_(found).first).to_be_visible()
    page.wait_for_timeout(1_000 * before)
    if not button.is_visible():
        return None
    spent, ready = cpu_seconds(pid), page.locator(".st-key-learn_run button:enabled")

    def stop() -> None:
        button.click(timeout=IN_PLACE_MS)
        expect(ready.or_(found).first).to_be_visible()

    try:
        return timed(stop), cpu_seconds(pid) - spent
    except TimeoutError:  # the run ended between the check and the click
        return None
