"""Find edges that rest on tests of tables too sparse for them, and that a test for such tables does not support.

G² rejects independence too often where a table has fewer rows than cells, and mutual information of independent columns
is far from 0 where it has fewer than five rows per cell. A learner then keeps an edge that a valid test would remove.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..data.dataset import Dataset
from ..data.quality.sparse_tables import (
    ALPHA,
    MAX_ROWS_READ,
    MIN_ROWS_PER_CELL,
    SparsePair,
    may_test_sparse_tables,
)
from ..graphs.rules import CUTS, IN_MBIT
from ..results.events import Action
from ..results.result import LearnResult
from .ordered_g2 import OrderedG2
from .permutation_and_x2 import PearsonX2
from .selection import looks_for_trends

ROUNDING = 1e-9
MAX_TESTS = 4_000  # maximum number of tests that are repeated, which take about a second


def edges_without_support(result: LearnResult, dataset: Dataset, params: Mapping[str, Any]) -> list[SparsePair]:
    """Return the edges that a test of a sparse table kept although Pearson's X² finds no dependence in that table.

    Tests with a conditioning set are judged, one for each size and edge, that with the largest p-value. X² is compared
    with permutations within the strata (`PearsonX2`). A table is sparse if it has fewer rows than cells, or, where the
    learner compares information with a threshold, fewer than `MIN_ROWS_PER_CELL` times as many. Edges that a score
    decides, pairs that were tested for a trend, and tests that hold in sparse tables are not judged.

    Parameters
    ----------
    result : LearnResult
    dataset : Dataset
    params : mapping
        Parameters of the run.

    Returns
    -------
    list of SparsePair
        By decreasing p-value.
    """
    if result.score is not None or not may_test_sparse_tables(dataset, params):
        return []
    test, ordered = PearsonX2(dataset), OrderedG2(dataset) if looks_for_trends(dataset) else None
    found: dict[tuple[int, int], SparsePair] = {}
    for n_tests, (x, y, given, rows, limit) in enumerate(_kept_by_sparse_tables(result, dataset)):
        if n_tests == min(MAX_TESTS, MAX_ROWS_READ // max(dataset.n_rows, 1)):
            break
        if (x, y) in found or (ordered and ordered.has_trend(x, y)):
            continue
        p_value = test.test(x, y, given).p_value
        if p_value > max(ALPHA, limit):
            found[x, y] = SparsePair(x, y, rows, p_value, given)
    return sorted(found.values(), key=lambda pair: -pair.p_value)


def _kept_by_sparse_tables(
    result: LearnResult, dataset: Dataset
) -> Iterator[tuple[int, int, tuple[int, ...], float, float]]:
    """Yield (x, y, set, rows per cell, alpha) of the tests that kept an edge in a sparse table, the last ones first."""
    trace, adjacent, levels = result.trace.with_sets(), result.graph.skeleton, np.log(dataset.arity)
    by_threshold = trace.made_by(IN_MBIT | CUTS)
    kept = (trace.action == Action.KEEP) & (trace.n_tests > 0) & adjacent[trace.i, trace.j]
    for t in np.flatnonzero(kept)[::-1].tolist():
        given = tuple(sorted(trace.cond[trace.cond_end[t - 1] if t else 0 : trace.cond_end[t]].tolist()))
        x, y = sorted((int(trace.i[t]), int(trace.j[t])))
        log_cells = float(levels[[x, y, *given]].sum())
        rows = (int(trace.n_rows[t]) or dataset.n) * math.exp(-log_cells)
        enough, alpha = (MIN_ROWS_PER_CELL, 0.0) if by_threshold[t] else (1.0, float(trace.threshold[t]))
        if given and rows < enough * (1.0 - ROUNDING):
            yield x, y, given, rows, alpha
