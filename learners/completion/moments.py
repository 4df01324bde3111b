"""Means and covariances of numbers with missing cells, by EM."""

from __future__ import annotations

import numpy as np

from ..common.arrays import frozen_copy
from ..common.progress import Tick, silent
from ..data.completed_data import MIN_N, CompletedMoments
from ..data.dataset import Dataset
from ..data.embedding import embedded_columns, standardized_cells
from ..kernels.completion.expectation import expect_missing

TOLERANCE = 1e-4  # maximum change of a correlation in the last round
MAX_ROUNDS = 200
MIN_VARIANCE = 1e-12  # minimum variance of a standardized column in the rows in which another column is present
RIDGE = 1e-3  # share of the diagonal that is added to it, so that covariances can be inverted
PHASE = "estimating correlations"


def complete_moments(
    dataset: Dataset,
    *,
    start: CompletedMoments | None = None,
    row_weights: np.ndarray | None = None,
    tick: Tick = silent,
) -> CompletedMoments:
    """Estimate means and covariances of the embedded columns by maximum likelihood, under one normal distribution.

    The E-step replaces missing cells by their means given the rest of the row, and adds their covariances given it; the
    M-step takes the moments of the completed rows. Levels of a category are indicators, which are missing together.

    Parameters
    ----------
    dataset : Dataset
        Continuous or mixed.
    start : CompletedMoments, optional
        Moments of other rows of the same table, to start from.
    row_weights : (n_rows,) float64 array, optional
        Above 0; they multiply the weights of the rows, as in a Bayesian bootstrap.
    tick : Tick, optional
        Progress listener. If it returns False, EM ends with the moments reached.

    Returns
    -------
    CompletedMoments

    References
    ----------
    Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm, Journal of the Royal
    Statistical Society B 39. Little and Rubin (2019), Statistical analysis with missing data, section 11.2.
    """
    columns, first = embedded_columns(dataset)
    weights = np.ones(len(columns)) if dataset.shares is None else dataset.shares
    if row_weights is not None:
        weights = weights * row_weights
    pair_rows = _pair_rows(dataset, first)
    if not columns.shape[1]:  # all variables are constant
        none = frozen_copy(np.empty(0), np.float64)
        return CompletedMoments(frozen_copy(first, np.int64), none.reshape(0, 0), none, pair_rows, dataset.n, 0, none)
    some = ~np.isnan(columns).all(axis=1)  # a row without any cell has no information
    columns, weights = columns[some], weights[some]
    centre, scale = _standard(columns, weights)
    columns = (columns - centre) / scale
    covariance = None
    if start is not None and np.array_equal(start.first, first):
        covariance = start.correlation
    mean, covariance, rounds = _expectation_maximization(columns, weights, covariance, tick)
    spread = np.sqrt(np.diag(covariance))
    correlation = np.clip(covariance / np.outer(spread, spread), -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    pairs = pair_rows[np.triu_indices(dataset.p, 1)]
    return CompletedMoments(
        first=frozen_copy(first, np.int64),
        correlation=frozen_copy((correlation + correlation.T) / 2, np.float64),
        log_variance=frozen_copy(2.0 * np.log(spread * scale), np.float64),
        pair_rows=frozen_copy(pair_rows, np.float64),
        n=max(MIN_N, round(float(pairs.mean()))) if len(pairs) else dataset.n,
        rounds=rounds,
        mean=frozen_copy(centre + scale * mean, np.float64),
    )


def _pair_rows(dataset: Dataset, first: np.ndarray) -> np.ndarray:
    """Return the (p, p) weight of the rows that have both variables; 0 where one of them is constant in these rows."""
    there = np.array([dataset.is_there(j) for j in range(dataset.p)], dtype=np.float64)
    weighted = there if dataset.shares is None else there * dataset.shares
    rows = weighted @ there.T
    cells = standardized_cells(dataset)  # 0 where a cell is missing
    if not len(cells):
        return frozen_copy(rows, np.float64)
    share = np.maximum(np.repeat(rows, np.diff(first), axis=0), 1.0)
    spread = (cells * cells) @ weighted.T / share - (cells @ weighted.T / share) ** 2
    varies = np.array([own.max(axis=0, initial=0.0) for own in np.split(spread, first[1:-1])]) > MIN_VARIANCE
    return np.where(varies & varies.T, rows, 0.0)


def _standard(columns: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and standard deviation of the cells of each column that are present."""
    shares = np.where(np.isnan(columns), 0.0, weights[:, None])
    shares /= shares.sum(axis=0)
    cells = np.nan_to_num(columns, nan=0.0)
    unit = np.maximum(np.abs(cells).max(axis=0), np.finfo(float).tiny)  # so that no square overflows
    scaled = cells / unit
    mean = (shares * scaled).sum(axis=0)
    return mean * unit, np.sqrt((shares * (scaled - mean) ** 2).sum(axis=0)) * unit


def _expectation_maximization(
    columns: np.ndarray, weights: np.ndarray, covariance: np.ndarray | None, tick: Tick
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the means and covariances of standardized columns, and the number of rounds."""
    q, total = columns.shape[1], weights.sum()
    missing = np.isnan(columns)
    incomplete = missing.any(axis=1)
    whole, whole_weights = columns[~incomplete], weights[~incomplete]
    of_whole = np.r_[whole_weights.sum(), whole_weights @ whole], (whole * whole_weights[:, None]).T @ whole
    order = np.lexsort(np.packbits(missing[incomplete], axis=1).T)  # rows with the same missing cells together
    rows, missing, weights = columns[incomplete][order], missing[incomplete][order], weights[incomplete][order]
    begin = np.r_[0, missing.sum(axis=1).cumsum()].astype(np.int64)
    at = np.nonzero(missing)[1].astype(np.int64)
    repeats = np.r_[False, (missing[1:] == missing[:-1]).all(axis=1)]
    rows[missing] = 0.0
    mean = np.zeros(q)
    if covariance is None:
        covariance = 0.5 * np.eye(q) + 0.5 * (of_whole[1] + (rows * weights[:, None]).T @ rows) / total
    deviations = np.empty_like(rows)
    for done in range(MAX_ROUNDS):
        if not tick(PHASE, done, MAX_ROUNDS):
            break
        np.subtract(rows, mean, out=deviations)
        deviations[missing] = 0.0
        added = np.zeros((q, q))
        ridged = covariance + RIDGE * np.diag(np.diag(covariance))
        expect_missing(deviations, begin, at, repeats, np.linalg.inv(ridged), weights, added)
        filled = deviations + mean
        former, mean = covariance, (of_whole[0][1:] + weights @ filled) / total
        deviations = filled - mean
        # Sums over the whole rows, about the new mean.
        shift = of_whole[1] - np.outer(of_whole[0][1:], mean)
        shift = shift - np.outer(mean, of_whole[0][1:]) + of_whole[0][0] * np.outer(mean, mean)
        covariance = (shift + (deviations * weights[:, None]).T @ deviations + added) / total
        covariance = (covariance + covariance.T) / 2
        if np.abs(covariance - former).max() < TOLERANCE:
            break
    return mean, covariance, done + 1
