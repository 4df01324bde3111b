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

OF_THE_RUN = ("run", "moves")  # modes whose steps are those of the run


def _nothing(*_: Any) -> None:
    """Do nothing and return None: the default of optional callables of a mode."""


@dataclass(frozen=True)
class SliderMode:
    """One mode of the slider.

    Attributes
    ----------
    graph : callable
        Returns the graph at the step on screen.
    picture : callable
        Returns the data of the graph component for a named arrangement of the nodes.
    pick, say : callable
        `pick` shows a choice of edge annotations; `say` shows a note.
    level, step_at : callable
        `level` returns ln of the alpha on screen; `step_at` returns the step for such a value. Both return None where
        alpha does not apply.
    where : callable
        Returns a label for the graph on screen if it is pinned; empty if the step suffices.
    held : callable
        Returns the graph to compare with the truth, for a graph on screen.
    at : callable
        Returns the run whose result is on screen, to be explained.
    hold : callable
        Receives the reference step that the user chose; None for the default.
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
    """Return the session key of the chosen mode."""
    return f"{run.result.method}_mode"


def mode_of(run: Run) -> str:
    """Return the name of the chosen mode."""
    if (aside := st.session_state.get("temporary_mode")) and aside[0] == run.number:
        return aside[1]
    modes, chosen = kind_of(run.result).slider_modes(run.result), st.session_state.get(key_of(run))
    return chosen if chosen in modes.labels else modes.default


def replays(run: Run) -> bool:
    """Return True if the slider moves through the steps of the run."""
    return mode_of(run) in OF_THE_RUN


def go_to_run(run: Run, step: int) -> None:
    """Show a step of the run."""
    step_back()
    if mode_of(run) != "run":
        st.session_state[key_of(run)] = "run"
    st.session_state.step, st.session_state.line = step, None


def step_aside(run: Run, mode: str) -> None:
    """Choose a temporary mode, such as the DAGs of a class; an empty name returns to the run."""
    st.session_state.temporary_mode = (run.number, mode) if mode else None
    st.session_state.step, st.session_state.line = None, None


def step_back() -> None:
    """Return to the modes of the run."""
    st.session_state.temporary_mode = None
