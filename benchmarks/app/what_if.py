"""Sweep in the app: alarm, 5,000 rows, PC at all values of alpha, in one session and in two at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
from playwright.sync_api import Page, expect

from ..browser import GRAPH, open_page, serve_as
from ..machine import ROOT
from ..scrubber import POSITIONS, REST_MS, STEPS
from .driving import PATIENCE_MS, choose, run_button, simulate

NETWORK, ROWS, LEARNER, LABEL = "alarm", 5_000, "pc", "Significance level"
SESSIONS = (1, 2)
TIMES = 3  # openings of the strip in each session; the first is excluded, because it loads code

Taken = tuple[float, float, float, float]


def main(_words: list[str]) -> None:
    """Print a line for each session: seconds to the first and to the complete strip, ms of a step, MB sent."""
    for sessions in SESSIONS:
        with serve_as(ROOT / "app.py") as (address, _), ThreadPoolExecutor(sessions) as pool:
            for first, whole, step, sent in pool.map(
                session, [address] * sessions, [Barrier(sessions, timeout=PATIENCE_MS / 1000)] * sessions
            ):
                print(
                    f"{sessions} at once: movable after {first:.2f} s, complete after {whole:.2f} s, "
                    f"step p95 {step:.1f} ms, {sent:.2f} MB sent",
                    flush=True,
                )


def session(address: str, together: Barrier) -> Taken:
    """Open the strip repeatedly as one of several simultaneous visitors, and return the medians."""
    with open_page() as page:
        sent = [0]
        page.on(
            "websocket",
            lambda line: line.on("framereceived", lambda data: sent.__setitem__(0, sent[0] + len(data))),
        )
        page.goto(address)
        page.locator(GRAPH).first.wait_for()
        simulate(page, NETWORK, ROWS)
        choose(page, LEARNER)
        run_button(page).click()
        expect(page.locator(".st-key-inspect_room")).to_be_visible()
        taken = [opened(page, together, sent) for _ in range(TIMES)][1:]
    first, whole, step, bytes_sent = np.median(taken, axis=0).tolist()
    return first, whole, step, bytes_sent / 1e6


def opened(page: Page, together: Barrier, sent: list[int]) -> Taken:
    """Open the strip, move through it and leave.

    Return the seconds to a usable and to a complete strip, the ms of a step, and the bytes sent.
    """
    page.wait_for_timeout(REST_MS)
    page.get_by_role("combobox", name="What if").focus()
    page.keyboard.type(LABEL)
    page.get_by_role("option", name=LABEL).first.wait_for()
    together.wait()
    before, began = sent[0], time.perf_counter()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Use as reference").wait_for()
    first = time.perf_counter() - began
    page.locator(".band.missing").first.wait_for(state="detached", timeout=PATIENCE_MS)
    whole, sent_by_then = time.perf_counter() - began, sent[0] - before
    page.wait_for_timeout(REST_MS)
    together.wait()
    steps = page.locator(GRAPH).first.evaluate(STEPS, [POSITIONS, False])
    painted = [frame for frame, *_ in steps["taken"][1:]]
    page.get_by_role("button", name="Close sweep").click()
    page.get_by_role("button", name="Use as reference").wait_for(state="hidden")
    return first, whole, float(np.percentile(painted, 95)), float(sent_by_then)
