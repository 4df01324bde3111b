"""A run as something to drag through."""

from __future__ import annotations

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .direction_support import with_doubts
from .few_rows import told_in_steps
from .graph_data import GraphViewData
from .kinds import kind_of


def timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Data of the graph component for one run, as its kind tells it; parameters as for `replay`."""
    data = kind_of(result).timeline(result, positions, truth=truth)
    return told_in_steps(with_doubts(data, result), result)
