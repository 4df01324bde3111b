"""Runs in worker processes: a crash costs one run, a closed tab none, a stopped server keeps partial results."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from .. import polling
from .conftest import ROOT, at_rest, free_port, start_server
from .test_app import graph
from .test_jobs import UNDER_WAY, begin, begin_long_run

pytestmark = [pytest.mark.browser, pytest.mark.deep]
PATIENCE = 120_000


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[list[subprocess.Popen], Callable[[], str]]]:
    """Return the processes of a durable server with one worker, and a function that starts the next at its address."""
    port = free_port()
    keeping = {"EDGEWISE_KEEP": "yes", "EDGEWISE_DATA": str(tmp_path / "work"), "EDGEWISE_WORKERS": "1"}
    processes = []

    def start() -> str:
        process, address = start_server(ROOT / "app.py", (), tmp_path / "log.txt", "streamlit", keeping, port)
        processes.append(process)
        return address

    yield processes, start
    for process in processes:
        process.kill()
        process.wait(timeout=30)


def workers_of(process: subprocess.Popen) -> list[int]:
    """Return the ids of the worker processes of a server."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            words = (path.parent / "cmdline").read_bytes()
        except OSError:  # the process has ended
            continue
        if parent == process.pid and b"learners.common.worker_process" in words:
            found.append(int(path.parent.name))
    return found


def offers_after_reload(page: Page, button: Locator) -> bool:
    """Return True if a stopped run offers the button; reload the page if it does not."""
    if not button.count():
        page.reload()
        expect(page.get_by_text("(stopped)")).to_be_visible(timeout=PATIENCE)
        at_rest(page)
    return bool(button.count())


def test_a_crash_a_closed_tab_and_a_stopped_server(served, open_page):
    processes, start = served
    address = start()
    page = open_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    expect(graph(page)).to_be_visible(timeout=PATIENCE)
    begin_long_run(page)
    for worker in workers_of(processes[0]):
        os.kill(worker, signal.SIGKILL)
    expect(page.get_by_text(re.compile(r"ended unexpectedly \(signal 9\)"))).to_be_visible(timeout=PATIENCE)
    begin(page)  # on another worker
    expect(page.get_by_text(UNDER_WAY)).to_be_visible(timeout=PATIENCE)
    other = page.context.new_page()  # in the same browser
    other.set_default_timeout(PATIENCE)
    page.close()
    other.goto(f"{address}/learn")
    expect(other.get_by_role("button", name="Cancel")).to_be_visible(timeout=PATIENCE)
    expect(other.get_by_text(UNDER_WAY)).to_be_visible(timeout=PATIENCE)
    for stop in (subprocess.Popen.kill, subprocess.Popen.terminate):
        stop(processes[-1])
        processes[-1].wait(timeout=30)
        start()
        other.goto(f"{address}/learn")
        expect(other.get_by_text("(stopped)")).to_be_visible(timeout=PATIENCE)
        show = other.get_by_role("button", name="Show partial result")
        polling.wait_until(partial(offers_after_reload, other, show))  # the worker outlives the server briefly
        other.get_by_role("button", name="Repeat run").click()
        expect(other.get_by_text(UNDER_WAY)).to_be_visible(timeout=PATIENCE)
    other.get_by_role("button", name="Cancel").click()
    expect(other.get_by_role("button", name="Show run", exact=True)).to_have_count(2, timeout=PATIENCE)
