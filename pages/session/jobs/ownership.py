"""Jobs of the session on screen, and their end after its page was closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from learners.common.cancellable_job import Job
from learners.common.memory import release_memory
from learners.common.progress import Tick
from learners.common.sentences import say
from learners.common.task_pool import TaskHandle
from pages.session import streamlit_patches
from pages.session.abandoned_sessions import Leavers
from pages.session.jobs.log import APP
from pages.session.jobs.queue import Owner, Supervisor, supervisor

LOOK_SECONDS = 1.0
_WORKSPACES: dict[str, str] = {}  # workspace of each session, empty if it saves nothing


def enter(workspace: str) -> None:
    """Watch this session until it is closed; `workspace` is empty if it saves nothing."""
    leavers().enter(session())
    _WORKSPACES[session()] = workspace


def begin(work: Callable[[Tick], Any], running: TaskHandle | None = None, workspace: str = "") -> Job:
    """Begin a job of this session, or of a workspace if one is given; `running` is its remote task on a worker."""
    own, jobs = session(), supervisor()
    if workspace:
        left = jobs.allowed.abandoned_seconds
        owner = Owner(workspace, lambda: is_anybody_there(workspace), left, say("nobody had come back to it"))
    else:
        owner = Owner(_WORKSPACES.get(own) or own, lambda: is_there(own), jobs.allowed.left_seconds)
    return jobs.submit(work, owner, running)


def is_anybody_there(workspace: str) -> bool:
    """Return True if a page of a workspace is open."""
    return any(is_there(session) for session, own in list(_WORKSPACES.items()) if own == workspace)


def is_there(session: str) -> bool:
    """Return True if the page of a session is open, or if no server runs, as in a test."""
    return streamlit_patches.is_connected(session)


def session() -> str:
    """Return the id of the session on screen."""
    return streamlit_patches.session_id()


@cache
def leavers() -> Leavers:
    """Return the watched sessions of this process; a background thread watches them and the jobs."""
    one = Leavers(is_there, _close, release_memory)
    threading.Thread(target=_look_after, args=(supervisor(), one), daemon=True).start()
    return one


def _close(session: str) -> None:
    _WORKSPACES.pop(session, None)
    streamlit_patches.close_session(session)


def _look_after(jobs: Supervisor, sessions: Leavers) -> None:
    at_work = 0
    while True:
        time.sleep(LOOK_SECONDS)
        at_work = look(jobs, sessions, at_work)


def look(jobs: Supervisor, sessions: Leavers, before: int) -> int:
    """Check jobs and sessions once, and return the number of running jobs; `before` is the number at the last check.

    Trimming memory pauses only runs in this process, so a run in a worker does not delay it.
    """
    jobs.look()
    lanes = jobs.lanes()
    at_work = sum(lane.at_work for lane in lanes.values())
    if at_work < before:
        sessions.ended()
    sessions.look(quiet=not lanes[APP].at_work)
    return at_work
