"""Slider mode: the revisions of a run, each compared with the one before."""

from __future__ import annotations

import streamlit as st

from learners.explaining.support import directed_graph
from learners.graphs.graph import PDAG
from pages.blocks.slider import SliderMode
from pages.session import node_positions, revisions, state
from pages.session.state import Run
from viz.graph_view import GraphViewData
from viz.sweeping.strip import Axis, strip_view


def _position(run: Run) -> int:
    revised, step = revisions.history(run), st.session_state.step
    return revised.position if step is None else max(0, min(step, len(revised.states) - 1))


def _shown(run: Run) -> Run:
    return revisions.history(run).states[_position(run)]


def _graph(run: Run) -> PDAG:
    return _shown(run).result.graph


def _picture(run: Run, arrangement: str) -> GraphViewData:
    one, places = revisions.history(run), node_positions.computed(run, arrangement)
    here = f"{run.number} change {one.position} of {len(one.states)}"

    def drawn() -> GraphViewData:
        axis = Axis.of_texts("changes", "Changes", one.labels)
        graphs = [directed_graph(each.result) for each in one.states]
        held = max(0, one.position - 1)
        shown = strip_view(
            axis, graphs, held, run.result.names, places, shown=one.position, reference=one.states[one.position].result
        )
        return shown | {"run": here}

    return state.made_once(run, f"{arrangement}_changes", (here, *one.labels), drawn)


def _called(run: Run) -> str:
    return revisions.history(run).labels[_position(run)]


MODE = SliderMode(_graph, _picture, where=_called, at=_shown)
