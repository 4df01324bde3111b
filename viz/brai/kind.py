"""Views of runs of RAI and B-RAI."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from learners.explaining.events import event_of_tests
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..averaging.callouts import open_pair
from ..averaging.words import PROBABILITY, EdgeMeasure, number_modes
from ..constraint_based.callouts import collider, explained_away, first_level
from ..graph_data import GraphViewData
from ..kind import Kind
from ..replay import replay
from .callouts import graphs_callout, split_callout
from .recursion import boxed


def _timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    return boxed(replay(result, positions, truth=truth, sentence=event_of_tests), result)


RAI = Kind(
    timeline=_timeline,
    callouts=(split_callout, first_level, explained_away, collider),
    parts=lambda result: ("rai",) if result.extra.calls else (),
)
KINDS = {
    "rai": RAI,
    "brai": replace(
        RAI,
        callouts=(open_pair, graphs_callout, *RAI.callouts),
        slider_modes=lambda _result: number_modes(PROBABILITY),
        parts=lambda _result: ("brai",),
        beside=lambda _result: ("probabilities",),
        special={EdgeMeasure: lambda _result: PROBABILITY},
    ),
}
