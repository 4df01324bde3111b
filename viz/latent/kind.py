"""Views of runs whose graphs are PAGs."""

from __future__ import annotations

import numpy as np

from learners.families.latent.explaining import event_of_ends, event_of_mags
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..graph_data import GraphViewData
from ..kind import Kind
from ..phrase import phrase
from ..replay import replay
from ..score_based.timeline import class_timeline
from ..tables import edge_rows
from .callouts import hidden_causes, improvement, open_ends

DIRECTED = phrase("a cause, possibly through others")


def timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Replay a run; an arrow is a cause."""
    return replay(result, positions, truth=truth, sentence=event_of_ends) | {"directed": DIRECTED}


def mag_timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Replay a search over MAGs with its scores; an arrow is a cause."""
    return class_timeline(result, positions, truth=truth, sentence=event_of_mags) | {"directed": DIRECTED}


KINDS = {
    "pag": Kind(
        timeline=timeline,
        callouts=(hidden_causes, open_ends),
    ),
    "mag": Kind(
        timeline=mag_timeline,
        callouts=(hidden_causes, improvement, open_ends),
        tables={"Edges": edge_rows},
        to_find_more="smaller penalty",
    ),
}
