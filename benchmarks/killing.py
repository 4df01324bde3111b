"""Test of durability: a process that stores runs is killed (SIGKILL) at random moments.

Run it by ``python -m benchmarks killing``. The process reports each run that it has finished. A reported run that is
missing or incomplete afterwards is lost; a run that is marked as done without all of its bytes is half-written.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import tempfile
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from learners.common.errors import DataError
from learners.store import projects, runs, workspaces
from learners.store.settings import StoreSettings, store_settings
from learners.store.store import Store

MAX_BYTES = 200_000  # maximum size of a result in bytes
MAX_DELAY = 0.15  # maximum seconds until the process is killed, from its first message or its first run
OPEN_FILES = "open"  # first message of a process, sent when its files are open


@dataclass(frozen=True)
class Found:
    """Number of kills, reported runs, and runs whose stored state contradicts the report."""

    kills: int
    finished: int
    lost: int
    half_written: int
    stopped: int


def content(run: str) -> bytes:
    """Return the result of a run: its length and all its bytes follow from its name."""
    draw = random.Random(run)
    return run.encode() + draw.randbytes(draw.randrange(MAX_BYTES))


def keep_on(given: StoreSettings, workspace: str, project: str, seed: int, connection: Connection) -> None:
    """Store one run after another and report each finished one, without end."""
    store, draw = Store(given), random.Random(seed)
    connection.send(OPEN_FILES)
    while True:
        run = f"{draw.getrandbits(128):032x}"
        table = store.put(workspace, run[:2].encode())
        runs.begin(store, workspace, project, run, run, b"order", [table])
        runs.finish(store, workspace, run, run, content(run))
        connection.send(run)
        if draw.random() < 0.3:
            projects.save(store, workspace, project, draw.randbytes(1000), [table])


def killed(given: StoreSettings, workspace: str, project: str, seed: int) -> list[str]:
    """Let a process store runs until it is killed, and return the runs that it reported as finished."""
    here, there = multiprocessing.Pipe(duplex=False)
    fork = multiprocessing.get_context("fork")
    one = fork.Process(target=keep_on, args=(given, workspace, project, seed, there), daemon=True)
    one.start()
    there.close()
    finished: list[str] = []
    assert here.recv() == OPEN_FILES
    if seed % 2:  # so that even on a busy machine every other process has finished a run
        finished.append(here.recv())
    one.join(random.Random(seed).uniform(0, MAX_DELAY))
    os.kill(one.pid, signal.SIGKILL)
    one.join()
    try:
        while True:
            finished.append(here.recv())
    except EOFError:
        return finished


def measured(given: StoreSettings, kills: int, seed: int = 1) -> Found:
    """Kill the given number of processes one after another, and count the runs that are stored afterwards."""
    store = Store(given)
    workspace = workspaces.make(store, workspaces.new_address()).id
    project = projects.create(store, workspace, "killed")
    store.engine.dispose()  # forked processes must not inherit a connection
    finished = [run for k in range(kills) for run in killed(given, workspace, project, seed * 1000 + k)]
    store = Store(given)
    entries, _ = runs.listed(store, workspace, project, most=10**9)
    state = {one.id: one.state for one in entries}
    whole = {run for run, now in state.items() if now == runs.DONE and _is_whole(store, workspace, run)}
    store.engine.dispose()
    return Found(
        kills=kills,
        finished=len(finished),
        lost=len(set(finished) - whole),
        half_written=sum(now == runs.DONE for now in state.values()) - len(whole),
        stopped=sum(now == runs.STOPPED for now in state.values()),
    )


def _is_whole(store: Store, workspace: str, run: str) -> bool:
    try:
        (kept,) = runs.read(store, workspace, [run])
        return kept.result == content(run)
    except DataError:
        return False


def main(argv: list[str]) -> None:
    """Kill a hundred processes, or the given number, on the configured store or on a temporary one."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"EDGEWISE_DATA": str(Path(folder)), "EDGEWISE_WORKSPACE_RUNS": "1000000"} | dict(os.environ)
        found = measured(store_settings(env), kills=int(argv[0]) if argv else 100)
    print(
        f"{found.kills} kills: {found.finished:,} runs reported as finished, {found.lost} lost, "
        f"{found.half_written} half-written, {found.stopped} stopped"
    )
