"""Views of runs whose graphs are PAGs."""

from __future__ import annotations

import numpy as np

from learners.graphs.graph import PDAG
from learners.latent.explaining import event_of_ends
from learners.results.result import LearnResult

from ..graph_data import GraphViewData
from ..kind import Kind
from ..replay import replay
from .callouts import hidden_causes, open_ends

DIRECTED = "a cause, possibly through others"


def timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Replay a run; an arrow is a cause."""
    return replay(result, positions, truth=truth, sentence=event_of_ends) | {"directed": DIRECTED}


def as_pdag(_result: LearnResult, _step: int | None, graph: PDAG) -> PDAG:
    """Return the graph to compare with a true CPDAG: only causes are directed."""
    return PDAG(graph.amat)


KINDS = {
    "pag": Kind(
        timeline=timeline,
        callouts=(hidden_causes, open_ends),
        comparable=as_pdag,
    )
}
