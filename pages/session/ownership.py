"""Jobs of the session on screen: its own, and over once it has gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from learners.common.job import Job
from learners.common.progress import Tick
from pages.session.supervisor import supervisor


def begin(work: Callable[[Tick], Any]) -> Job:
    """A job of this session."""
    session = get_script_run_ctx().session_id
    return supervisor().submit(work, lambda: _is_there(session))


def _is_there(session: str) -> bool:
    """Whether its page is open; so it is where no server runs, as in a test."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
