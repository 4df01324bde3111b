"""Embedding of a data set for nonlinear relations: polynomials of the ranks of numbers, levels as indicators."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.polynomial import legendre

from ..common.arrays import frozen_copy
from ..kernels.ci.embedded_covariance import EmbeddedSample
from .columns import correlation_of
from .completed_data import completed_moments, drawn_tables
from .dataset import Dataset
from .embedding import check_size, indicators, sample_of, sample_of_columns, shown_levels

DEGREE = 3  # of the polynomials: a degree of 2 misses sines, one of 4 has less power (benchmarks/README.md)

_kept: WeakKeyDictionary[Dataset, EmbeddedSample] = WeakKeyDictionary()


def in_basis(dataset: Dataset) -> EmbeddedSample:
    """Return the basis columns of a data set in kernel form, cached for its lifetime.

    With completed moments, the correlations are the means of those of the drawn tables, and the sample size is that of
    the moments.
    """
    if dataset not in _kept:
        _kept[dataset] = _build(dataset)
    return _kept[dataset]


def polynomials(column: np.ndarray, shares: np.ndarray | None = None, degree: int = DEGREE) -> np.ndarray:
    """Return the Legendre polynomials of the ranks of a column, which are scaled to (-1, 1).

    Parameters
    ----------
    column : (n,) float64 array
        NaN where a cell is missing, and so are its polynomials. Equal numbers share their mean rank.
    shares : (n,) float64 array, optional
        Weights of the rows.
    degree : int
        Highest degree.

    Returns
    -------
    (n, degree) float64 array
        Degrees 1 to `degree`.
    """
    found = np.full((len(column), degree), np.nan)
    there = ~np.isnan(column)
    _, place = np.unique(column[there], return_inverse=True)
    weights = np.bincount(place, None if shares is None else shares[there])
    rank = (2.0 * np.cumsum(weights) - weights) / weights.sum() - 1.0
    found[there] = legendre.legvander(rank, degree)[place, 1:]
    return found


def basis_columns(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the basis columns of all variables.

    Returns
    -------
    columns : (n, q) float64 array
        NaN where a cell is missing.
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``: the `polynomials` of a number, or an indicator
        of each observed level except the most frequent one. A number of few different values has a polynomial less
        than values, and a constant has none.
    """
    return _columns(dataset, dataset)


def _columns(dataset: Dataset, like: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of a data set, each variable with as many as in `like`."""
    levels = {j: shown_levels(like, j) for j, kind in enumerate(like.kinds) if kind == "categorical"}
    degrees = {j: _degree(like, j) for j in range(like.p) if j not in levels}
    widths = [len(levels[j]) if j in levels else degrees[j] for j in range(like.p)]
    check_size(dataset, sum(widths))
    parts = [
        indicators(dataset, j, levels[j])
        if j in levels
        else polynomials(dataset.values[:, dataset.place[j]], dataset.shares, degrees[j])
        for j in range(dataset.p)
    ]
    return np.concatenate(parts, axis=1), np.cumsum([0, *widths], dtype=np.int64)


def _degree(dataset: Dataset, j: int) -> int:
    values = dataset.values[:, dataset.place[j]]
    n_different = len(np.unique(values[~np.isnan(values)]))
    return min(DEGREE, max(n_different - 1, 0))


def _build(dataset: Dataset) -> EmbeddedSample:
    columns, first = basis_columns(dataset)
    continuous = np.zeros(dataset.p, bool)  # no variable is one number, so that no test is Fisher's z
    if (completed := completed_moments(dataset)) is None:
        return sample_of_columns(dataset, columns, frozen_copy(first, np.int64), frozen_copy(continuous, bool))
    of_tables = [correlation_of(_columns(table, dataset)[0], table.shares) for table in drawn_tables(dataset)]
    sample = sample_of(np.mean(of_tables, axis=0), first, continuous, completed.n)
    return sample._replace(pair_rows=completed.pair_rows)
