"""Modes of the slider below a graph, such as the steps of a run, and which of them is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from learners.graphs.graph import PDAG
from pages.session.state import Run
from viz.graph_view import GraphViewData
from viz.kinds import kind_of

OF_THE_RUN = ("run", "moves")  # modes whose steps are the steps of the run


def _nothing(*_: Any) -> None:
    """Do nothing and return None, for a mode without such an entry."""


@dataclass(frozen=True)
class Walk:
    """One way to drag through a run.

    Attributes
    ----------
    graph : callable
        The graph at the step on screen.
    picture : callable
        Data of the graph component, nodes arranged in a way that has a name.
    pick, say : callable
        A choice of what the edges show; and what a visitor has to know.
    level, step_at : callable
        ln of the alpha on screen, and the step that shows one; None where alpha does not count.
    where : callable
        What the graph on screen is, for who keeps it; empty if its step tells.
    held : callable
        Of a graph on screen, what is held against a truth.
    at : callable
        The run whose result is on screen, for who explains it.
    hold : callable
        Hears which step the others are held against; None for the first such one.
    """

    graph: Callable[[Run], PDAG]
    picture: Callable[[Run, str], GraphViewData]
    pick: Callable[[Run], None] = _nothing
    say: Callable[[Run], None] = _nothing
    level: Callable[[Run], float | None] = _nothing
    step_at: Callable[[Run, float], int | None] = _nothing
    where: Callable[[Run], str] = lambda _run: ""
    held: Callable[[Run, PDAG], PDAG] = lambda _run, graph: graph
    at: Callable[[Run], Run] = lambda run: run
    hold: Callable[[Run, int | None], None] = _nothing


def key_of(run: Run) -> str:
    """Where the choice is kept for the session."""
    return f"{run.result.method}_walk"


def walk_of(run: Run) -> str:
    """The name of the one chosen."""
    if (aside := st.session_state.get("aside_walk")) and aside[0] == run.number:
        return aside[1]
    walks, chosen = kind_of(run.result).walks(run.result), st.session_state.get(key_of(run))
    return chosen if chosen in walks.labels else walks.default


def replays(run: Run) -> bool:
    """Return True if the slider moves through the steps of the run."""
    return walk_of(run) in OF_THE_RUN


def go_to_run(run: Run, step: int) -> None:
    """Show a step of the run as it went."""
    step_back()
    if walk_of(run) != "run":
        st.session_state[key_of(run)] = "run"
    st.session_state.step, st.session_state.line = step, None


def step_aside(run: Run, walk: str) -> None:
    """Walk something else: the DAGs of the class of a run, the values of a parameter; with no name, the run again."""
    st.session_state.aside_walk = (run.number, walk) if walk else None
    st.session_state.step, st.session_state.line = None, None


def step_back() -> None:
    """The steps of the runs again."""
    st.session_state.aside_walk = None
