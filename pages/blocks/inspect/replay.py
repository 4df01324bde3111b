"""The run as it went, change by change."""

from __future__ import annotations

from pages.blocks.inspect.walk import Walk
from pages.session import arranging, state
from pages.session.state import Run
from viz.graph_view import GraphViewData
from viz.timeline import timeline


def _picture(run: Run, arrangement: str) -> GraphViewData:
    return state.made_once(
        run, arrangement, run.truth,
        lambda: timeline(run.result, arranging.places(run, arrangement), truth=run.truth) | {"run": str(run.number)},
    )  # fmt: skip


WALK = Walk(state.shown_graph, _picture, replays=True)
