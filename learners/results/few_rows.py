"""Pairs separated by a test that had too few rows to be reliable.

This module serves all learners: it reads the trace of a run. A test is unreliable if

- it is a test of a table with more degrees of freedom or more cells than rows: the χ² approximation of G² needs several
  rows per cell (Koehler and Larntz 1980), and with less than one row per cell G² rarely exceeds its critical value;
- it is a test by Fisher's z with n - |Z| - 3 < `MIN_FREE`. At that limit the power to detect a correlation of 0.5, a
  large effect by Cohen (1988), at alpha 0.05 is about one half: atanh(0.5) · sqrt(13) = 1.98;
- it was skipped by the learner's own rule on the number of rows.

References
----------
Koehler and Larntz (1980), An empirical investigation of goodness-of-fit statistics for sparse multinomials. Journal of
the American Statistical Association 75. Cohen (1988), Statistical power analysis for the behavioral sciences.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from ..graphs.rules import Rule
from .events import Action
from .result import DataSize, LearnResult
from .trace import Trace

MIN_FREE = 13
UNDONE = frozenset({Rule.UNTESTED, Rule.POWER})
ROUNDING = 1e-9
# Cached, because explanations request it for each pair.
_KNOWN: WeakKeyDictionary[LearnResult, frozenset[tuple[int, int]]] = WeakKeyDictionary()


def few_row_events(result: LearnResult) -> np.ndarray:
    """Return an (n,) bool mask of the events of a run that separated a pair by an unreliable test."""
    trace = result.trace
    parting = np.isin(trace.action, (Action.REMOVE, Action.APART))
    undone = trace.made_by(UNDONE)
    if result.rows is None:
        return parting & undone
    return parting & (undone | (np.isfinite(trace.statistic) & (trace.n_tests > 0) & _is_beyond(trace, result.rows)))


def few_row_pairs(result: LearnResult) -> frozenset[tuple[int, int]]:
    """Return the nonadjacent pairs i < j that were separated only by unreliable tests."""
    if result not in _KNOWN:
        _KNOWN[result] = frozenset(_few_row_pairs(result))
    return _KNOWN[result]


def _few_row_pairs(result: LearnResult) -> set[tuple[int, int]]:
    trace = result.trace
    parting = np.isin(trace.action, (Action.REMOVE, Action.APART)) & ~result.graph.skeleton[trace.i, trace.j]
    few = few_row_events(result)
    return _pairs(trace, few & parting) - _pairs(trace, parting & ~few)


def _is_beyond(trace: Trace, rows: DataSize) -> np.ndarray:
    """Return an (n,) bool mask of the events whose tests have too few rows."""
    begin = np.concatenate([np.zeros(1, dtype=np.int64), trace.cond_end[:-1]])[: len(trace)]
    n = np.where(trace.n_rows > 0, trace.n_rows, rows.n)  # with missing cells, each test has its own number of rows
    if rows.arity is None:
        return (n - (trace.cond_end - begin) - 3 < MIN_FREE) | (trace.dof > n)
    levels = np.log(rows.arity)
    up_to = np.concatenate([[0.0], np.cumsum(levels[trace.cond])])
    cells = levels[trace.i] + levels[trace.j] + up_to[trace.cond_end] - up_to[begin]
    return (trace.dof > n) | (cells > np.log(n) + ROUNDING)


def _pairs(trace: Trace, hit: np.ndarray) -> set[tuple[int, int]]:
    ends = np.sort(np.column_stack([trace.i[hit], trace.j[hit]]), axis=1)
    return set(map(tuple, ends.tolist()))
