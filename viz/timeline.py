"""The timeline of a run: data of the graph component, step by step."""

from __future__ import annotations

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .graph_data import GraphViewData
from .kinds import kind_of
from .weak_evidence import with_doubts, with_few_rows_texts


def timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Return the timeline that the kind of the run defines; the parameters are those of `replay`."""
    data = kind_of(result).timeline(result, positions, truth=truth)
    return with_few_rows_texts(with_doubts(data, result), result)
