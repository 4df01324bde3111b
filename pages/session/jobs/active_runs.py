"""Runs in progress by workspace: a session that returns to a workspace continues with its runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from learners.common.cancellable_job import Job
from learners.common.progress import Tick
from learners.common.sentences import Phrase, phrase
from learners.common.task_pool import TaskHandle
from pages.session import workspace
from pages.session.jobs import ownership
from pages.session.serialize import Order
from pages.session.storage import Place

KEY, WAITING = "under_way", "under_way_too"


@dataclass(eq=False)
class UnderWay:
    """A requested run and its job.

    Attributes
    ----------
    order : Order
    running : TaskHandle or None
        State of its remote task, if any.
    place : Place or None
        Where it is saved; None if it belongs to the session only.
    rest : list of Order
        Orders that its session runs after it.
    holder : str
        The session that shows it.
    """

    order: Order
    running: TaskHandle | None
    place: Place | None
    rest: list[Order] = field(default_factory=list)
    holder: str = ""
    job: Job | None = None

    @property
    def workspace(self) -> str:
        """Return the key of its workspace; empty if nothing is saved."""
        return self.place.secret if self.place else ""

    @property
    def reason(self) -> Phrase | None:
        """Return the reason why the run was ended; None if it was not, or if the user cancelled it."""
        return self.job.reason if self.job else None


PATIENCE = 8.0  # seconds for all runs to save their partial results when the server stops
_ENDS = threading.Event()
_RUNS: list[UnderWay] = []  # runs of all workspaces of this process
_LOCK = threading.Lock()


def begin(active: UnderWay, work: Callable[[Tick], Any]) -> None:
    """Begin a run of this session or its workspace, and show it."""
    active.job = ownership.begin(work, active.running, active.workspace)
    with _LOCK:
        _RUNS[:] = [other for other in _RUNS if other.job.running]
        if active.workspace:
            _RUNS.append(active)
    _show(active)


def ended(active: UnderWay) -> None:
    """Remove a run that is saved."""
    with _LOCK:
        _RUNS[:] = [other for other in _RUNS if other is not active]


def tickets() -> set[str]:
    """Return the tickets of all runs in progress in this process."""
    with _LOCK:
        return {active.order.ticket for active in _RUNS if active.job.running}


def left_in(workspace: str, project: str) -> list[UnderWay]:
    """Return the runs in progress of a project whose sessions have ended, the oldest first."""
    with _LOCK:
        own = [
            active
            for active in _RUNS
            if (active.workspace, active.place.project) == (workspace, project) and active.job.running
        ]
    return [one for one in own if not ownership.is_there(one.holder)]


def look() -> None:
    """Adopt the abandoned runs of the project on screen."""
    here = workspace.place()
    if here.project and not st.session_state.job:
        take(left_in(here.secret, here.project))


def take(runs: list[UnderWay]) -> None:
    """Queue abandoned runs for display in turn, and show the first unless a run is in progress."""
    st.session_state.setdefault(WAITING, []).extend(runs)
    if not st.session_state.job:
        take_next()


def take_next() -> None:
    """Show the next abandoned run, if there is one."""
    if left := st.session_state.get(WAITING):
        _show(left.pop(0))


def is_stopped(active: UnderWay) -> bool:
    """Return True if a run ended because its workspace was abandoned or the server stops."""
    gone = _ENDS.is_set() or not ownership.is_anybody_there(active.workspace)
    return bool(active.reason and active.workspace) and gone


def taken_away() -> UnderWay:
    """Return the run on screen and stop showing it."""
    st.session_state.job = None
    return st.session_state.pop(KEY)


def shown() -> UnderWay:
    """Return the run whose progress this session shows."""
    return st.session_state[KEY]


def end_all(workspace: str, reason: Phrase) -> list[Job]:
    """End all runs of a workspace, or of all workspaces if it is empty; return their jobs."""
    with _LOCK:
        jobs = [active.job for active in _RUNS if not workspace or active.workspace == workspace]
    for job in jobs:
        job.cancel(reason)
    return jobs


def stop_all() -> None:
    """Stop all runs because the server stops, and wait until their results are saved."""
    _ENDS.set()
    deadline = time.monotonic() + PATIENCE
    for job in end_all("", phrase("the run was ended because the server was stopped")):
        job.wait(max(deadline - time.monotonic(), 0.0))


def _show(active: UnderWay) -> None:
    active.holder = ownership.session()
    st.session_state.update({"job": active.job, KEY: active, "orders": active.rest})
