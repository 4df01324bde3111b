"""Jobs of the session on screen, and what becomes of them and of the session once its page is closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from learners.common.job import Job
from learners.common.memory import give_back
from learners.common.pool import Running
from learners.common.progress import Tick
from pages.session import streamlit_patches
from pages.session.leaving import Leavers
from pages.session.record import APP
from pages.session.supervisor import Owner, Supervisor, supervisor

LOOK_SECONDS = 1.0
_WORKSPACES: dict[str, str] = {}  # of each session, if it has one


def enter(workspace: str) -> None:
    """Follow this session until it is let go, some time after its page was closed; empty if it keeps nothing."""
    leavers().enter(session())
    _WORKSPACES[session()] = workspace


def begin(work: Callable[[Tick], Any], running: Running | None = None, workspace: str = "") -> Job:
    """A job of this session, or of a workspace if one is said; `running` if a worker does it."""
    own, jobs = session(), supervisor()
    if workspace:
        left = jobs.allowed.abandoned_seconds
        owner = Owner(workspace, lambda: is_anybody_there(workspace), left, "nobody had come back to it")
    else:
        owner = Owner(_WORKSPACES.get(own) or own, lambda: is_there(own), jobs.allowed.left_seconds)
    return jobs.submit(work, owner, running)


def is_anybody_there(workspace: str) -> bool:
    """Whether a page of a workspace is open."""
    return any(is_there(one) for one, own in list(_WORKSPACES.items()) if own == workspace)


def is_there(session: str) -> bool:
    """Return True if the page of a session is open, or if no server runs, as in a test."""
    return streamlit_patches.is_connected(session)


def session() -> str:
    """Return the id of the session on screen."""
    return streamlit_patches.session_id()


@cache
def leavers() -> Leavers:
    """Those of this process, looked after, with the jobs, by a thread of its own."""
    one = Leavers(is_there, _close, give_back)
    threading.Thread(target=_look_after, args=(supervisor(), one), daemon=True).start()
    return one


def _close(session: str) -> None:
    _WORKSPACES.pop(session, None)
    streamlit_patches.close_session(session)


def _look_after(jobs: Supervisor, sessions: Leavers) -> None:
    was_at_work = 0
    while True:
        time.sleep(LOOK_SECONDS)
        jobs.look()
        at_work = sum(lane.at_work for lane in jobs.lanes().values())
        if at_work < was_at_work:
            sessions.ended()
        was_at_work = at_work
        sessions.look(quiet=not jobs.lanes()[APP].at_work)  # a run in a worker is not held up
