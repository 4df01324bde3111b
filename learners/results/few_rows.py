"""Pairs that a test separated although there were too few rows for it to tell.

The one place that says so, for all learners: it reads the trace of a run. A test cannot tell where

- of a table, its degrees of freedom or its cells outnumber the rows that it used: the χ² law of G² holds for several
  rows a cell (Koehler and Larntz 1980), and below one it is far too seldom above its critical value;
- of Fisher's z, fewer than `LEAST_FREE` rows are left: n - |Z| - 3. With those a correlation of 0.5, large by Cohen
  (1988), is found at alpha 0.05 no more often than missed: atanh(0.5) · sqrt(13) = 1.98;
- it was not done, for the learner's own rule on rows.

References
----------
Koehler and Larntz (1980), An empirical investigation of goodness-of-fit statistics for sparse multinomials. Journal of
the American Statistical Association 75. Cohen (1988), Statistical power analysis for the behavioral sciences.
"""

from __future__ import annotations

import numpy as np

from .events import Action
from .result import DataSize, LearnResult
from .rules import Rule
from .trace import Trace

LEAST_FREE = 13
UNDONE = frozenset({Rule.UNTESTED, Rule.POWER})
ROUNDING = 1e-9


def few_row_events(result: LearnResult) -> np.ndarray:
    """(n,) bool: the events of a run that parted a pair by a test which could not tell."""
    trace = result.trace
    parting = np.isin(trace.action, (Action.REMOVE, Action.APART))
    undone = trace.made_by(UNDONE)
    if result.rows is None:
        return parting & undone
    return parting & (undone | (np.isfinite(trace.statistic) & (trace.n_tests > 0) & _is_beyond(trace, result.rows)))


def few_row_pairs(result: LearnResult) -> set[tuple[int, int]]:
    """Pairs i < j without an edge that only such tests parted."""
    trace = result.trace
    parting = np.isin(trace.action, (Action.REMOVE, Action.APART)) & ~result.graph.skeleton[trace.i, trace.j]
    few = few_row_events(result)
    return _pairs(trace, few & parting) - _pairs(trace, parting & ~few)


def _is_beyond(trace: Trace, rows: DataSize) -> np.ndarray:
    """(n,) bool: the test of an event outruns the rows."""
    begin = np.concatenate([np.zeros(1, dtype=np.int64), trace.cond_end[:-1]])[: len(trace)]
    n = np.where(trace.n_rows > 0, trace.n_rows, rows.n)  # where cells are missing, each test has its own
    if rows.arity is None:
        return (n - (trace.cond_end - begin) - 3 < LEAST_FREE) | (trace.dof > n)
    levels = np.log(rows.arity)
    up_to = np.concatenate([[0.0], np.cumsum(levels[trace.cond])])
    cells = levels[trace.i] + levels[trace.j] + up_to[trace.cond_end] - up_to[begin]
    return (trace.dof > n) | (cells > np.log(n) + ROUNDING)


def _pairs(trace: Trace, hit: np.ndarray) -> set[tuple[int, int]]:
    ends = np.sort(np.column_stack([trace.i[hit], trace.j[hit]]), axis=1)
    return set(map(tuple, ends.tolist()))
