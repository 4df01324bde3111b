"""Slider modes of runs that store a graph for each value of a cut: penalties of a score path, thresholds of CImap."""

from __future__ import annotations

import streamlit as st

from learners.families.cimap.cuts import Cuts, cuts_of
from learners.graphs.graph import PDAG
from pages.blocks.slider import SliderMode
from pages.session import node_positions, state
from pages.session.state import Run
from pages.session.words import t
from viz.cimap.timeline import cut_timeline
from viz.graph_view import GraphViewData
from viz.score_based.penalties import penalty_timeline

FIRST_PENALTY = 1  # step of the slider


def cuts_of_run(run: Run) -> Cuts:
    """Return the skeletons of a run by threshold."""
    return state.made_once(run, "cuts", None, lambda: cuts_of(run.result.extra, run.result.graph.skeleton))


def _at_threshold(run: Run) -> PDAG:
    cuts, step = cuts_of_run(run), st.session_state.step
    at = cuts.choice if step is None else max(0, min(step, len(cuts)))
    return state.made_once(run, "shown_cut", at, lambda: cuts.graph(at, len(run.result.names)))


def _thresholds(run: Run, arrangement: str) -> GraphViewData:
    def drawn() -> GraphViewData:
        places = node_positions.computed(run, arrangement)
        return cut_timeline(run.result, cuts_of_run(run), places, truth=run.truth) | {"run": f"{run.number} cuts"}

    return state.made_once(run, f"{arrangement}_cuts", run.truth, drawn)


def _say_thresholds(_run: Run) -> None:
    st.caption(t("Drag the slider or the line to see the edges at any threshold. Directions are those of the run."))


def _at_penalty(run: Run) -> PDAG:
    path, step = run.result.extra, st.session_state.step
    return path.graphs[path.choice if step is None else max(0, min(step - FIRST_PENALTY, len(path.graphs) - 1))]


def _penalties(run: Run, arrangement: str) -> GraphViewData:
    def drawn() -> GraphViewData:
        places = node_positions.computed(run, arrangement)
        return penalty_timeline(run.result, places, truth=run.truth) | {"run": f"{run.number} penalties"}

    return state.made_once(run, f"{arrangement}_penalties", run.truth, drawn)


def _say_penalties(_run: Run) -> None:
    st.caption(
        t("Drag the slider to see the graph at each penalty. Edges that stay longer as the penalty rises rank higher.")
    )


THRESHOLDS = SliderMode(_at_threshold, _thresholds, say=_say_thresholds)
PENALTIES = SliderMode(_at_penalty, _penalties, say=_say_penalties)
