"""Slider mode: the graph at each penalty of a score path."""

from __future__ import annotations

import streamlit as st

from learners.graphs.graph import PDAG
from pages.blocks.slider import SliderMode
from pages.session import node_positions, state
from pages.session.state import Run
from pages.session.words import t
from viz.graph_view import GraphViewData
from viz.score_based.penalties import penalty_timeline

FIRST_STEP = 1


def _graph(run: Run) -> PDAG:
    path, step = run.result.extra, st.session_state.step
    return path.graphs[path.choice if step is None else max(0, min(step - FIRST_STEP, len(path.graphs) - 1))]


def _picture(run: Run, arrangement: str) -> GraphViewData:
    return state.made_once(run, f"{arrangement}_penalties", run.truth, lambda: _drawn(run, arrangement))


def _drawn(run: Run, arrangement: str) -> GraphViewData:
    data = penalty_timeline(run.result, node_positions.computed(run, arrangement), truth=run.truth)
    return data | {"run": f"{run.number} penalties"}


def _say(_run: Run) -> None:
    st.caption(
        t("Drag the slider to see the graph at each penalty. Edges that stay longer as the penalty rises rank higher.")
    )


MODE = SliderMode(_graph, _picture, say=_say)
