"""Slider mode: a run of CImap at any threshold, from its stored values."""

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


def cuts_of_run(run: Run) -> Cuts:
    """Return the skeletons of a run by threshold."""
    return state.made_once(run, "cuts", None, lambda: cuts_of(run.result.extra, run.result.graph.skeleton))


def _graph(run: Run) -> PDAG:
    cuts, step = cuts_of_run(run), st.session_state.step
    at = cuts.choice if step is None else max(0, min(step, len(cuts)))
    return state.made_once(run, "shown_cut", at, lambda: cuts.graph(at, len(run.result.names)))


def _picture(run: Run, arrangement: str) -> GraphViewData:
    return state.made_once(run, f"{arrangement}_cuts", run.truth, lambda: _drawn(run, arrangement))


def _drawn(run: Run, arrangement: str) -> GraphViewData:
    data = cut_timeline(run.result, cuts_of_run(run), node_positions.computed(run, arrangement), truth=run.truth)
    return data | {"run": f"{run.number} cuts"}


def _say(_run: Run) -> None:
    st.caption(t("Drag the slider or the line to see the edges at any threshold. Directions are those of the run."))


MODE = SliderMode(_graph, _picture, say=_say)
