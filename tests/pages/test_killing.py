"""Tests that a server killed by SIGKILL at random moments keeps every run that its visitor saw finished."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from unittest import mock

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from learners.store import runs, workspaces
from learners.store.packing import unpack
from learners.store.settings import StoreSettings
from learners.store.store import Store
from learners.store.validation import check_result
from learners.workers import warm_up
from pages.session import workspace
from tests.pages.driving import ROOT, as_on_our_server, finish_run, go, press, small_table, sound, upload

pytestmark = pytest.mark.deep
OWN, TABLE = "a" * 32, "mine.csv"
PATIENCE = 600.0  # seconds: each server loads its kernels, possibly on a busy machine
MAX_SECONDS = 0.5  # from an event that the visitor saw until the server is killed


def visit(folder: str, seen: Connection) -> None:
    """Run a server with one visitor, who opens the app and then learns one graph after another.

    The first message contains the table and the runs that the app opens with, each later one the result of a run.
    """
    os.environ["EDGEWISE_DATA"] = folder
    start = as_on_our_server(PagesManager.__init__)
    with (
        mock.patch.object(PagesManager, "__init__", start),
        mock.patch.object(workspace, "address", return_value=OWN),
        mock.patch.object(warm_up, "ready", return_value=True),
    ):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
        at.session_state["learner"] = "pc"
        sound(at.run())
        seen.send((at.session_state["source"].title, {run.ticket for run in at.session_state["runs"]}))
        if at.session_state["source"].title != TABLE:
            upload(go(at, "data"), small_table(), TABLE)
        while True:
            sound(finish_run(press(go(at, "learn"), "learn_run"), PATIENCE))
            run = at.session_state["runs"][-1]
            seen.send((run.ticket, run.result.graph))


def killed(folder: Path, draw: random.Random) -> tuple[tuple[str, set[str]], dict[str, object]]:
    """Kill a server at a random moment; return its initial state, and the graphs that its visitor saw, by run."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    here, there = context.Pipe(duplex=False)
    server = context.Process(target=visit, args=(str(folder), there), daemon=True)
    server.start()
    there.close()
    opened, graphs = here.recv(), {}
    for _ in range(draw.randrange(3)):
        graphs.update([here.recv()])
    server.join(draw.uniform(0, MAX_SECONDS))
    os.kill(server.pid, signal.SIGKILL)
    server.join()
    try:
        while True:
            graphs.update([here.recv()])
    except EOFError:
        return opened, graphs


@pytest.mark.parametrize("kills", [100])
def test_server_killed_at_random_moments_keeps_what_its_visitor_saw_finished(tmp_path, kills):
    """Each finished run is stored as the visitor saw it, the next visit shows the latest, and none is incomplete."""
    draw, graphs, last = random.Random(1), {}, None
    for _ in range(kills):
        (title, tickets), seen = killed(tmp_path, draw)
        assert last is None or (title == TABLE and last in tickets)
        graphs |= seen
        last = next(reversed(seen), last)
    store = Store(StoreSettings(f"sqlite:///{tmp_path / 'edgewise.sqlite'}", tmp_path))
    found = workspaces.find(store, OWN)
    entries, _ = runs.listed(store, found.id, found.opened, most=10**6)
    done = runs.read(store, found.id, [one.id for one in entries if one.state == runs.DONE])
    kept = {one.entry.id: check_result(unpack(one.result)).graph for one in done}
    assert graphs
    assert {ticket: kept.get(ticket) for ticket in graphs} == graphs
    store.close()
