"""Find pairs of categorical columns whose contingency table is too sparse for most tests, and shows no dependence.

In a table of less than five rows per cell, G² and mutual information find dependence that is not there: of 400 pairs of
independent columns of 300 and 4 levels, with 3,000 rows, G² rejected 92 % at alpha .05 and Pearson's X² 5 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dataset import Dataset

MIN_ROWS_PER_CELL = 5.0  # rows per cell below which a table is sparse, by the rule of five
ALPHA = 0.05  # significance level of Pearson's test
HELD_IN_SPARSE_TABLES = ("x2", "permutation", "semi-parametric")  # tests that hold their level there
MAX_ROWS_READ = 10_000_000  # maximum number of rows read, which takes about a second


@dataclass(frozen=True)
class SparsePair:
    """Two columns with a sparse contingency table.

    Attributes
    ----------
    column, other : int
    rows_per_cell : float
    p_value : float
        p-value of Pearson's X².
    given : tuple of int
        The columns that the test conditioned on; each of their configurations has a table of its own.
    """

    column: int
    other: int
    rows_per_cell: float
    p_value: float
    given: tuple[int, ...] = ()


def has_sparse_table(dataset: Dataset) -> bool:
    """Return True if the two categorical columns with the most levels have a sparse table."""
    if dataset.kind == "continuous" or len(dataset.arity) < 2:
        return False
    return dataset.n < MIN_ROWS_PER_CELL * np.sort(dataset.arity)[-2:].prod(dtype=np.float64)


def pairs_without_support(dataset: Dataset, pairs: np.ndarray) -> list[SparsePair]:
    """Return the pairs with a sparse table in which Pearson's X² finds no dependence, by decreasing p-value.

    The sparsest tables are judged first, until `MAX_ROWS_READ` rows are read.

    Parameters
    ----------
    dataset : Dataset
    pairs : (m, 2) int array
    """
    levels = np.array(
        [dataset.arity[dataset.place[j]] if kind == "categorical" else 0 for j, kind in enumerate(dataset.kinds)], float
    )
    cells = levels[pairs].prod(axis=1)
    sparse = np.flatnonzero(dataset.n < MIN_ROWS_PER_CELL * cells)
    first = sparse[np.argsort(-cells[sparse], kind="stable")][: MAX_ROWS_READ // max(dataset.n_rows, 1)]
    judged = [_judged(dataset, x, y) for x, y in pairs[first].tolist()]
    return sorted((pair for pair in judged if pair.p_value > ALPHA), key=lambda pair: -pair.p_value)


def may_test_sparse_tables(dataset: Dataset, params: Mapping[str, Any]) -> bool:
    """Return True if a run with these parameters may do tests that are wrong in a table as sparse as its largest one.

    A test is wrong with fewer rows than cells, or, where information is compared with a cut, with fewer than
    `MIN_ROWS_PER_CELL` times as many. False with survey weights, whose rows X² cannot permute.
    """
    if dataset.kind != "categorical" or dataset.surveyed or params.get("test") in HELD_IN_SPARSE_TABLES:
        return False
    largest = params.get("max_cond_size")
    widest = np.sort(dataset.arity)[::-1][: dataset.p if largest is None else 2 + largest]
    return dataset.n < (MIN_ROWS_PER_CELL if "cut" in params else 1.0) * widest.prod(dtype=np.float64)


def _judged(dataset: Dataset, x: int, y: int) -> SparsePair:
    from scipy.stats import chi2  # imported here, because most runs have no sparse table

    rows = dataset.is_there(x) & dataset.is_there(y)
    if not rows.any():
        return SparsePair(x, y, 0.0, 1.0)
    (_, a), (_, b) = (np.unique(dataset.codes[dataset.place[j]][rows], return_inverse=True) for j in (x, y))
    shares = np.ones(len(a)) if dataset.shares is None else np.asarray(dataset.shares, dtype=np.float64)[rows]
    margin, other = np.bincount(a, shares), np.bincount(b, shares)
    n, cells = margin.sum(), len(margin) * len(other)
    # Only cells with rows are visited: X² = n (Σ n_ij² / (n_i n_j) - 1).
    there, cell = np.unique(a * len(other) + b, return_inverse=True)
    counts = np.bincount(cell, shares)
    statistic = n * ((counts**2 / (margin[there // len(other)] * other[there % len(other)])).sum() - 1.0)
    dof = (len(margin) - 1) * (len(other) - 1)
    return SparsePair(x, y, n / cells, float(chi2.sf(statistic, dof)) if dof else 1.0)
