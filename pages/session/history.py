"""Which runs a session keeps: the newest, and those that the user wants to keep."""

from __future__ import annotations

from typing import Any

import streamlit as st

KEPT, GONE = "kept_runs", "run_gone"


def kept() -> set[int]:
    """Numbers of the runs that never make room."""
    return st.session_state.setdefault(KEPT, set())


def keep(number: int, *, wanted: bool) -> None:
    """Keep a run whatever comes, or no longer."""
    (kept().add if wanted else kept().discard)(number)


def may_keep(number: int, most: int) -> bool:
    """Whether a run is kept, or can be: one place of `most` stays for what comes."""
    return number in kept() or len(kept()) < most - 1


def first_to_go(runs: list[Any], most: int) -> Any | None:
    """The run that the next one takes the place of; None while there is room."""
    return next((run for run in runs if run.number not in kept()), runs[0]) if len(runs) >= most else None


def add(runs: list[Any], run: Any, most: int) -> None:
    """Append a run; the one whose place it takes is told by `gone`."""
    old = first_to_go(runs, most)
    if old is not None:
        remove(runs, old)
    runs.append(run)
    st.session_state[GONE] = "" if old is None else old.label


def remove(runs: list[Any], old: Any) -> None:
    """Let a run go."""
    runs.remove(old)
    kept().discard(old.number)


def gone() -> str:
    """Label of the run that made room for the newest one; empty if none had to."""
    return st.session_state.get(GONE, "")
