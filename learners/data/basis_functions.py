"""Embedding of a data set for nonlinear relations: functions of numbers, and levels as indicators."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.polynomial import legendre

from ..common.arrays import frozen_copy
from ..common.errors import DataError
from ..kernels.ci.basis_functions import BasisSample
from ..kernels.ci.embedded_covariance import EmbeddedSample
from .columns import correlation_of
from .completed_data import completed_moments, drawn_tables
from .dataset import Dataset
from .embedding import MANY, check_size, indicators, sample_of, sample_of_columns, shown_levels

DEGREE = 3  # of the polynomials: a degree of 2 misses sines, one of 4 has less power (benchmarks/README.md)
FAR = 4.0  # standard deviations at which a number is cut before it is raised to a power

_of_scores: WeakKeyDictionary[Dataset, EmbeddedSample] = WeakKeyDictionary()
_of_tests: WeakKeyDictionary[Dataset, BasisSample] = WeakKeyDictionary()


class Parts(NamedTuple):
    """Columns of one variable, each (n, columns) float64, NaN where a cell is missing.

    Attributes
    ----------
    line : array
        The number itself, or the indicators of its levels.
    curved : array
        The line, and the polynomials of degree 2 and 3 of a number.
    adjusting : array
        What is adjusted for if it is in the set: the number, its square and cube, and its polynomials.
    """

    line: np.ndarray
    curved: np.ndarray
    adjusting: np.ndarray


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
    rank = (2.0 * np.cumsum(weights) - weights) / max(weights.sum(), 1e-300) - 1.0
    found[there] = legendre.legvander(rank, degree)[place, 1:]
    return found


def for_scores(dataset: Dataset) -> EmbeddedSample:
    """Return the polynomials of numbers and the indicators of levels in kernel form, cached for its lifetime.

    A number of few different values has one polynomial less than values; a constant has none. With completed moments,
    the correlations are the means of those of the drawn tables, and the sample size is that of the moments.
    """
    if dataset not in _of_scores:
        _of_scores[dataset] = _sample(dataset, _score_columns, copies=1)
    return _of_scores[dataset]


def for_tests(dataset: Dataset) -> BasisSample:
    """Return the `Parts` of all variables in kernel form, cached for its lifetime; completed cells as `for_scores`."""
    if dataset not in _of_tests:
        sample = _sample(dataset, _test_columns, copies=len(Parts._fields))
        _of_tests[dataset] = BasisSample(sample, dataset.p, sample.n)
    return _of_tests[dataset]


def _score_columns(dataset: Dataset, like: Dataset) -> list[np.ndarray]:
    """Return the columns of each variable, as many as in `like`."""
    return [
        indicators(dataset, j, shown_levels(like, j))
        if kind == "categorical"
        else polynomials(_numbers(dataset, j), dataset.shares, min(DEGREE, _n_values(like, j) - 1))
        for j, kind in enumerate(dataset.kinds)
    ]


def _test_columns(dataset: Dataset, like: Dataset) -> list[np.ndarray]:
    """Return the `Parts` of all variables, one after the other: all lines first; as many columns as in `like`."""
    parts = [_parts(dataset, like, j) for j in range(dataset.p)]
    return [columns for own in zip(*parts, strict=True) for columns in own]


def _parts(dataset: Dataset, like: Dataset, j: int) -> Parts:
    if dataset.kinds[j] == "categorical":
        levels = indicators(dataset, j, shown_levels(like, j))
        return Parts(levels, levels, levels)
    column, n_values = _numbers(dataset, j), _n_values(like, j)
    if n_values < 2:
        return Parts(*[np.empty((dataset.n_rows, 0))] * 3)
    # Scaled by a power of two first, so that no unit makes squares vanish or overflow.
    scaled = np.ldexp(column, -np.frexp(np.nanmax(np.abs(column)))[1])
    there = ~np.isnan(scaled)
    shares = None if dataset.shares is None else dataset.shares[there]
    deviation = scaled - np.average(scaled[there], weights=shares)
    standardized = deviation / np.sqrt(np.average(deviation[there] ** 2, weights=shares))
    near = np.clip(standardized, -FAR, FAR)
    curved = polynomials(column, dataset.shares, min(DEGREE, n_values - 1))
    line = standardized[:, None]
    powers = np.column_stack([near**2, near**3])[:, : n_values - 2]
    return Parts(line, np.column_stack([line, curved[:, 1:]]), np.column_stack([line, powers, curved]))


def _numbers(dataset: Dataset, j: int) -> np.ndarray:
    return dataset.values[:, dataset.place[j]]


def _n_values(dataset: Dataset, j: int) -> int:
    """Return the number of different values of a numeric column, at least 1."""
    values = _numbers(dataset, j)
    return max(len(np.unique(values[~np.isnan(values)])), 1)


def _sample(
    dataset: Dataset, columns_of: Callable[[Dataset, Dataset], list[np.ndarray]], *, copies: int
) -> EmbeddedSample:
    """Return columns in kernel form; each variable occurs `copies` times, with other columns each time."""
    parts = columns_of(dataset, dataset)
    first = np.cumsum([0, *(part.shape[1] for part in parts)], dtype=np.int64)
    n_columns = int(first[-1])
    check_size(dataset, n_columns)
    continuous = np.zeros(len(parts), bool)  # no test is Fisher's z
    completed = completed_moments(dataset)
    if completed is None or dataset.complete:
        if not dataset.complete and n_columns >= max(dataset.n, MANY):
            raise DataError(
                f"basis functions make {n_columns:,} columns of {dataset.n:,} rows, too many to test with missing "
                "cells. Leave out columns, or let missing cells be imputed"
            )
        columns = np.concatenate(parts, axis=1)
        return sample_of_columns(dataset, columns, first, frozen_copy(continuous, bool), copies)
    tables = drawn_tables(dataset)
    of_tables = [correlation_of(np.concatenate(columns_of(one, dataset), axis=1), one.shares) for one in tables]
    sample = sample_of(np.mean(of_tables, axis=0), first, continuous, completed.n)
    return sample._replace(pair_rows=frozen_copy(np.tile(completed.pair_rows, (copies, copies)), np.float64))
