"""Views of runs of RAI and B-RAI."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from learners.explaining.events import event_of_tests
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..averaging.kind import open_pair
from ..averaging.words import PROBABILITY, EdgeMeasure, number_modes
from ..constraint_based.kind import collider, explained_away, first_level
from ..graph_data import GraphViewData
from ..kind import Kind
from ..replay import replay
from ..text import count
from .recursion import boxed

CAP = 100  # maximum number of classes counted


def graphs_callout(result: LearnResult) -> str:
    """Count the graphs of the tree."""
    n = result.extra.n_classes(CAP)
    if n == 1:
        return "All resamples give the same graph."
    more = "at least " if n >= CAP else ""
    return f"The resamples give {more}{count(n, 'different graph')}; probabilities are averages over the best."


def split_callout(result: LearnResult) -> str | None:
    """Describe the first call with more than one group."""
    call = next((call for call in result.extra.calls if len(call.groups) > 1), None)
    if call is None:
        return None
    sizes = ", ".join(str(len(group)) for group in call.groups[:-1])
    given = count(call.size, "variable") if call.size else "nothing"
    ancestors = "a group" if len(call.groups) == 2 else f"{len(call.groups) - 1} groups"
    return (
        f"After the tests given {given}, the graph splits into {ancestors} of {sizes} and their descendants, "
        f"{len(call.groups[-1])}; each is refined separately, which saves tests."
    )


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
