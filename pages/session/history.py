"""Runs that a session keeps: the newest, and those that the user pinned."""

from __future__ import annotations

from typing import Any

import streamlit as st

KEPT, GONE = "kept_runs", "run_gone"


def kept() -> set[int]:
    """Return the numbers of the runs that are never replaced."""
    return st.session_state.setdefault(KEPT, set())


def keep(number: int, *, wanted: bool) -> None:
    """Pin a run, or unpin it."""
    (kept().add if wanted else kept().discard)(number)


def may_keep(number: int, most: int) -> bool:
    """Return True if a run is pinned or can be pinned; one slot of `most` stays free for the next run."""
    return number in kept() or len(kept()) < most - 1


def first_to_go(runs: list[Any], most: int) -> Any | None:
    """Return the run that the next one replaces, or None if there is room."""
    return next((run for run in runs if run.number not in kept()), runs[0]) if len(runs) >= most else None


def add(runs: list[Any], run: Any, most: int) -> None:
    """Append a run; `gone` returns the label of the run that it replaces."""
    old = first_to_go(runs, most)
    if old is not None:
        remove(runs, old)
    runs.append(run)
    st.session_state[GONE] = "" if old is None else old.label


def remove(runs: list[Any], old: Any) -> None:
    """Remove a run."""
    runs.remove(old)
    kept().discard(old.number)


def gone() -> str:
    """Return the label of the run that the newest one replaced; empty if there was none."""
    return st.session_state.get(GONE, "")
