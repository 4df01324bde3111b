"""Many simultaneous sessions on one server: thirty that open, upload alarm, run PC and drag.

The same sessions run twice: during a heavy run, and after it was cancelled. The ratio of the two is the cost of the
heavy run to the pages, even on a shared machine. Arguments: the number of sessions (30), the mean seconds between two
clicks (8), and the learner of the heavy run (brai). Visitors speak the protocol of the page without a browser
(`visitor`); one browser drags and changes pages among them.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading.table import read_table
from learners.io.samples import load_network
from learners.networks.sampling import sample

from ..browser import GRAPH, open_page, serve_as
from ..machine import ROOT
from ..scrubber import REST_MS, STEPS
from .driving import choose, core_wait_seconds, cpu_seconds, go_to, resident_mb, run_button, timed
from .visitor import Visitor

SESSIONS, THOUGHT = 30, 8.0
ROWS, DRAGS, POSITIONS = 5_000, 8, 60
HEAVY_NETWORK, HEAVY_ROWS, HEAVY = "pigs", 20_000, "brai"
PAGE_BOUND, STEP_BOUND, MEMORY_BOUND = 2.0, 0.05, 15.0  # limits: seconds to a page, seconds of a step, MB of a session
GONE_SECONDS, LOOK_SECONDS = 150.0, 10.0
MENU = ("data", "learn", "inspect")  # pages that the browser visits
CANCEL = "learn_cancel"

Taken = dict[str, list[float]]  # durations in seconds by kind of click


def main(words: list[str]) -> None:
    """Print times of clicks and steps, CPU time and memory of the server, with and without a heavy run."""
    sessions = int(words[0]) if words else SESSIONS
    thought = float(words[1]) if len(words) > 1 else THOUGHT
    learner = words[2] if len(words) > 2 else HEAVY
    raw = csv_of("alarm", ROWS)
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"EDGEWISE_DATA": folder, "EDGEWISE_LOG": "off"}
        with serve_as(ROOT / "app.py", env) as (address, pid), open_page() as page:
            begin_in_browser(page, address, raw, Path(folder))
            load = Load(address, pid, raw, sessions, thought)
            for heavy in (learner, ""):
                load.run(page, heavy)
                load.report()
                load.report_memory()


def csv_of(network: str, rows: int) -> bytes:
    """Return rows of a network as a file."""
    return sample(load_network(network), rows, seed=0).to_frame().to_csv(index=False).encode()


def table_mb(raw: bytes) -> float:
    """Return the MB that a session needs for its table: the file, its cells and the data set."""
    table = read_table(raw)
    dataset = prepare(table, default_plan(table)).dataset
    return (len(raw) + sum(cells.codes.nbytes for cells in table.cells) + dataset.codes.nbytes) / 1024**2


def begin_in_browser(page: Page, address: str, raw: bytes, folder: Path) -> None:
    """Upload and run PC in the browser, up to the graph."""
    file = folder / "alarm.csv"
    file.write_bytes(raw)
    page.goto(address)
    page.locator(GRAPH).first.wait_for()
    go_to(page, "Data")
    page.locator(".st-key-data_file input[type=file]").set_input_files(file)
    expect(page.get_by_role("heading", name="In use: alarm.csv")).to_be_visible()
    choose(page, "pc")
    run_button(page).click()
    expect(page.locator(".st-key-inspect_room")).to_be_visible()
    page.locator(GRAPH).first.wait_for()
    page.wait_for_timeout(REST_MS)


async def learned(one: Visitor, taken: Taken, raw: bytes, learner: str, think: object = asyncio.sleep) -> None:
    """Open the app, upload, choose a learner and run it."""
    taken["open"].append(await one.run())
    await think(0)
    taken["page"].append(await one.go_to("data"))
    await think(0)
    taken["upload"].append(await one.upload("data_file", "alarm.csv", raw))
    await think(0)
    taken["page"].append(await one.go_to("learn"))
    if one.has(f"learn_choose_{learner}"):
        await think(0)
        taken["choose"].append(await one.click(f"learn_choose_{learner}"))
    await think(0)
    taken["run"].append(await one.click("learn_run"))


async def first_visit(address: str, raw: bytes) -> None:
    """Make a warm-up visit that is not counted."""
    async with Visitor(address) as one:
        await learned(one, defaultdict(list), raw, "pc")
        await one.until("inspect_view")


def graph_of(one: Visitor) -> str:
    """Return the key of the graph on Inspect, or an empty text without one."""
    return next((key for key in one.elements if key.startswith("inspect_graph_")), "")


def beside_browser(work: Callable[[], Coroutine]) -> threading.Thread:
    """Run the visitors in a separate thread, because the event loop of the browser occupies this one."""
    thread = threading.Thread(target=lambda: asyncio.run(work()), daemon=True)
    thread.start()
    return thread


class Load:
    """Sessions on a server, and the figures that they and a browser measure."""

    def __init__(self, address: str, pid: int, raw: bytes, sessions: int, thought: float) -> None:
        self._address, self._pid, self._raw = address, pid, raw
        self._sessions, self._thought = sessions, thought
        self._random = random.Random(1)
        self._taken: Taken = defaultdict(list)
        self._begun, self._all_done = threading.Event(), threading.Event()
        self._before = self._most = 0.0
        self._failed: list[str] = []

    def run(self, page: Page, heavy: str) -> None:
        """Run all sessions in a separate thread while the browser drags, with or without a heavy run."""
        for forgotten in (self._taken, self._failed, self._begun, self._all_done):
            forgotten.clear()
        print(f"\n{f'beside a run of {heavy}' if heavy else 'without a heavy run'}:")
        crowd = beside_browser(lambda: self._all(heavy))
        self._begun.wait()
        cpu, waited, began = cpu_seconds(self._pid), core_wait_seconds(self._pid), time.perf_counter()
        while not self._all_done.is_set():
            self._browse(page)
        seconds, spent = time.perf_counter() - began, cpu_seconds(self._pid) - cpu
        waited = core_wait_seconds(self._pid) - waited
        crowd.join()
        print(f"{self._sessions} sessions in {seconds:.0f} s; the server spent {spent:.0f} s of CPU,")
        print(f"and its threads that still live waited {waited:.0f} s for a core")
        print(f"at work or waiting for a core, on average: {os.getloadavg()[1]:.0f} on {os.cpu_count()}")

    async def _all(self, heavy: str) -> None:
        try:
            await (self._beside_heavy_run(heavy) if heavy else self._crowd())
        finally:
            self._begun.set()
            self._all_done.set()

    async def _beside_heavy_run(self, learner: str) -> None:
        """Start a heavy run, poll it as its page does while all sessions run, and end it."""
        await first_visit(self._address, self._raw)  # so that one-time work of the server is not counted for a session
        async with Visitor(self._address) as heavy:
            await learned(heavy, defaultdict(list), csv_of(HEAVY_NETWORK, HEAVY_ROWS), learner)
            polling = asyncio.create_task(self._poll(heavy))
            await self._crowd()
            await polling  # finish polling first, because two tasks must not read from one connection
            if not heavy.has(CANCEL):
                print("the heavy run ended before the sessions did: let it be longer")
                return
            began = time.perf_counter()
            await heavy.click(CANCEL)
            while heavy.has(CANCEL):
                await heavy.poll()
            print(f"the heavy run ended {time.perf_counter() - began:.1f} s after its cancel")

    async def _poll(self, heavy: Visitor) -> None:
        """Poll the heavy run each second until it or the sessions have ended."""
        while heavy.has(CANCEL) and not self._all_done.is_set():
            await heavy.poll()

    async def _crowd(self) -> None:
        """Run all sessions; store the memory of the server when the last one is done in `_most`."""
        self._before = resident_mb(self._pid)
        self._begun.set()
        visits = [asyncio.create_task(self._visit()) for _ in range(self._sessions)]
        self._failed += [repr(one) for one in await asyncio.gather(*visits, return_exceptions=True) if one]
        self._most = resident_mb(self._pid)
        self._all_done.set()

    async def _think(self, _seconds: float) -> None:
        await asyncio.sleep(self._random.expovariate(1 / self._thought))

    async def _visit(self) -> None:
        await self._think(0)
        async with Visitor(self._address) as one:
            await learned(one, self._taken, self._raw, "pc", self._think)
            if not graph_of(one):
                self._taken["until the graph"].append(await one.until("inspect_view"))
            await self._drag(one)
            await self._think(0)
            self._taken["page"].append(await one.go_to("inspect"))

    async def _drag(self, one: Visitor) -> None:
        """Release the slider at some steps; the page updates its numbers and sentences."""
        key = graph_of(one)
        graph = json.loads(one.elements[key][0].json)["graph"]
        for k in range(DRAGS):
            await self._think(0)
            step = (k + 1) * (graph["steps"]["count"] - 1) // DRAGS
            state = {"run": graph["run"], "step": step, "pins": [], "positions": [], "moves": "", "seen": 0}
            self._taken["drag"].append(await one.tell(key, "view", state))

    def _browse(self, page: Page) -> None:
        """Drag through the run, then visit the pages."""
        found = page.locator(GRAPH).first.evaluate(STEPS, [POSITIONS, False])
        self._taken["browser: step"] += [painted / 1000 for painted, *_ in found["taken"][1:]]
        self._taken["browser: step, script"] += [script / 1000 for *_, script in found["taken"][1:]]
        for name in MENU:
            page.wait_for_timeout(1000 * self._random.expovariate(1 / self._thought))
            self._taken["browser: page"].append(timed(lambda name=name: arrive(page, name)))

    def report(self) -> None:
        """Print a line for each kind of click."""
        for kind, seconds in self._taken.items():
            half, most = np.percentile(seconds, [50, 95])
            bound = STEP_BOUND if "step" in kind else PAGE_BOUND
            print(
                f"{kind:22} {len(seconds):5} times, median {half:6.3f} s, p95 {most:6.3f} s (bound {bound:g})",
                flush=True,
            )
        for failed in self._failed:
            print(f"a session ended early: {failed}")

    def report_memory(self) -> None:
        """Print the MB of a session in addition to its table, and the remaining memory over time."""
        table = table_mb(self._raw)
        each = (self._most - self._before) / self._sessions - table
        print(f"{self._before:.0f} MB before, {self._most:.0f} MB with all sessions there:")
        print(f"{each:.1f} MB each beyond the table of {table:.1f} MB (bound {MEMORY_BOUND:g})", flush=True)
        self._report_left()

    def _report_left(self) -> None:
        began = time.monotonic()
        while (gone := time.monotonic() - began) < GONE_SECONDS:
            time.sleep(LOOK_SECONDS)
            print(f"all gone for {gone + LOOK_SECONDS:.0f} s: {resident_mb(self._pid):.0f} MB", flush=True)


def arrive(page: Page, name: str) -> None:
    """Open a page from the menu, and wait until it is shown."""
    go_to(page, name.capitalize())
    there = {"data": "h1:has-text('Data')", "learn": "h1:has-text('Learn a graph')", "inspect": GRAPH}[name]
    page.locator(there).first.wait_for()
