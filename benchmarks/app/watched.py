"""Cost of live progress: the same run in a plain process, and in the app with its progress on screen."""

from __future__ import annotations

import json
import subprocess
import sys

from playwright.sync_api import Page, expect

from ..browser import GRAPH, open_page, serve_as
from ..machine import ROOT
from .driving import choose, cpu_seconds, run_button, simulate, timed

# key of the learner, network, and number of rows; None for the sample with which the app opens
CASES = (
    ("bootstrap", "child", None),
    ("pc", "link", 1_000),
    ("hc", "link", 1_000),
    ("ges", "link", 1_000),
    ("phgs", "link", 1_000),
    ("h2pc", "link", 1_000),
    ("brai", "link", 1_000),
)
ALONE = """
import json, sys, time
from learners import learn
from learners.io.samples import load_sample
from learners.networks.sampling import sample
from learners.io import samples
key, network, rows = json.loads(sys.argv[1])
data = load_sample(network).dataset if rows is None else sample(samples.load_network(network), rows, seed=0)
learn(key, data.select(list(range(5))))
wall, cpu = time.perf_counter(), time.process_time()
learn(key, data)
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu]))
"""


def main(words: list[str]) -> None:
    """Print wall-clock and CPU seconds of each run in a plain process and in the app, and their ratios."""
    print("                        seconds by the clock      seconds of all cores")
    print("learner    data            alone  watched  ratio     alone  watched  ratio")
    with serve_as(ROOT / "app.py") as (address, pid), open_page() as page:
        page.goto(address)
        page.locator(GRAPH).first.wait_for()
        here = "child"
        for case in CASES:
            key, network, rows = case
            if words and key not in words:
                continue
            if rows is not None and here != network:
                simulate(page, network, rows)
                here = network
            wall, cpu = alone(case)
            watched_wall, watched_cpu = watched(page, pid, key)
            print(
                f"{key:10} {network:12} {wall:8.1f} {watched_wall:8.1f} {watched_wall / wall:6.2f} "
                f"{cpu:9.1f} {watched_cpu:8.1f} {watched_cpu / cpu:6.2f}",
                flush=True,
            )


def alone(case: tuple[str, str, int | None]) -> tuple[float, float]:
    """Time the run in a separate process: wall-clock seconds, and CPU seconds of all cores."""
    output = subprocess.run(
        [sys.executable, "-c", ALONE, json.dumps(case)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    wall, cpu = json.loads(output.stdout)
    return wall, cpu


def watched(page: Page, pid: int, key: str) -> tuple[float, float]:
    """Time the run in the app from the click to the graph: wall-clock seconds, and CPU seconds of the app."""
    choose(page, key)
    before = cpu_seconds(pid)

    def run() -> None:
        run_button(page).click()
        expect(page.locator(".st-key-inspect_room")).to_be_visible()

    wall = timed(run)
    return wall, cpu_seconds(pid) - before
