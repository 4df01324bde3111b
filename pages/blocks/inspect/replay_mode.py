"""The run as it went, change by change."""

from __future__ import annotations

from pages.blocks.slider import Walk
from pages.session import node_positions, state
from pages.session.state import Run
from viz.graph_view import GraphViewData
from viz.timeline import timeline


def _picture(run: Run, arrangement: str) -> GraphViewData:
    return state.made_once(run, arrangement, run.truth, lambda: _drawn(run, arrangement))


def _drawn(run: Run, arrangement: str) -> GraphViewData:
    places = node_positions.places(run, arrangement)
    return timeline(run.result, places, truth=run.truth) | {"run": str(run.number)}


WALK = Walk(state.shown_graph, _picture, replays=True)
