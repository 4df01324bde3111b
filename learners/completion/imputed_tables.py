"""Tables without missing cells, drawn from completed moments or taken from chains: multiple imputation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..common.arrays import frozen_copy
from ..data.completed_data import CompletedMoments, CompletedTables
from ..data.dataset import Dataset
from ..data.embedding import embedded_columns, shown_levels
from .moments import RIDGE, complete_moments

SWEEPS = 10  # number of passes over the missing cells of mixed tables
BLOCK_CELLS = 1 << 21  # maximum number of cells drawn at a time
MIN_SHARE = 1e-6  # minimum probability of a level
STREAM = 6  # number of the random stream; no learner uses it


def draw_table(dataset: Dataset, found: CompletedTables | CompletedMoments, t: int, *, seed: int = 0) -> Dataset:
    """Return a table whose missing cells are drawn given the others in their row.

    Categorical tables are those of the chains. For numbers, each table has its own means and covariances: EM with
    random row weights (Bayesian bootstrap), so that tables also differ by the uncertainty of these. In mixed tables the
    probability of a level is linear in the other columns, as the completed moments say, cut to 0 and 1.

    Parameters
    ----------
    dataset : Dataset
    found : CompletedTables or CompletedMoments
        Completion of the data set.
    t : int
        Number of the table, from 0. A categorical one is below the number of imputed tables.
    seed : int, default 0

    Returns
    -------
    Dataset
        Without completion. Rows of counted categorical data are repeated.

    References
    ----------
    Rubin (1987), Multiple imputation for nonresponse in surveys. Rubin (1981), The Bayesian bootstrap, Annals of
    Statistics 9. Honaker and King (2010), What to do about missing values in time-series cross-section data, American
    Journal of Political Science 54.
    """
    if isinstance(found, CompletedTables):
        n = found.stack.n_rows // found.stack.copies
        return replace(found.stack.take(np.arange(t * n, (t + 1) * n)), copies=1)
    return _drawn(dataset, found, np.random.default_rng([seed, STREAM, t]))


def _drawn(dataset: Dataset, found: CompletedMoments, rng: np.random.Generator) -> Dataset:
    columns, first = embedded_columns(dataset)
    if not columns.shape[1]:
        return _filled(dataset, {})
    moments = complete_moments(dataset, start=found, row_weights=_row_weights(dataset, rng))
    scale = np.exp(moments.log_variance / 2.0)
    cells = (columns - moments.mean) / scale
    absent = np.isnan(cells)
    precision = np.linalg.inv(moments.correlation + RIDGE * np.eye(len(scale)))
    _draw_rows(cells, absent, precision, rng)
    codes: dict[int, np.ndarray] = {}
    if dataset.kind == "mixed":
        codes = _draw_levels(dataset, cells, first, moments.mean, scale, precision, rng)
    for j, kind in enumerate(dataset.kinds):
        if kind == "continuous" and first[j] < first[j + 1]:
            at = first[j]
            codes[j] = np.where(absent[:, at], cells[:, at] * scale[at] + moments.mean[at], columns[:, at])
    return _filled(dataset, codes)


def _row_weights(dataset: Dataset, rng: np.random.Generator) -> np.ndarray:
    """Return exponential weights of mean 1, one for each row or group of rows."""
    if dataset.groups is None:
        return rng.standard_exponential(dataset.n_rows)
    present, group = np.unique(dataset.groups, return_inverse=True)
    return rng.standard_exponential(len(present))[group]


def _draw_rows(cells: np.ndarray, absent: np.ndarray, precision: np.ndarray, rng: np.random.Generator) -> None:
    """Fill cells with draws from a standard normal distribution with this precision, given the others in the row."""
    q = cells.shape[1]
    rows = np.flatnonzero(absent.any(axis=1))
    step = max(1, BLOCK_CELLS // q**2)
    for begin in range(0, len(rows), step):
        own = rows[begin : begin + step]
        lacks = absent[own]
        there = np.where(lacks, 0.0, cells[own])
        pull = np.where(lacks, -there @ precision, 0.0)
        block = precision * (lacks[:, :, None] & lacks[:, None, :]) + np.eye(q) * ~lacks[:, None, :]
        root = np.linalg.cholesky(block)
        noise = rng.standard_normal(lacks.shape)
        middle = np.linalg.solve(root, pull[:, :, None]) + noise[:, :, None]
        drawn = np.linalg.solve(np.swapaxes(root, 1, 2), middle)[:, :, 0]
        cells[own] = np.where(lacks, drawn, there)


def _draw_levels(
    dataset: Dataset,
    cells: np.ndarray,
    first: np.ndarray,
    mean: np.ndarray,
    scale: np.ndarray,
    precision: np.ndarray,
    rng: np.random.Generator,
) -> dict[int, np.ndarray]:
    """Draw the missing cells of each column given the others; return the codes of the categorical columns."""
    codes: dict[int, np.ndarray] = {}
    lacking = [j for j in range(dataset.p) if dataset.incomplete[j] and first[j] < first[j + 1]]
    parts = []
    for j in lacking:
        own = np.arange(first[j], first[j + 1])
        others = np.delete(np.arange(cells.shape[1]), own)
        covariance = np.linalg.inv(precision[np.ix_(own, own)])
        slope = -precision[np.ix_(others, own)] @ covariance
        parts.append((j, own, others, slope, covariance, np.flatnonzero(~dataset.is_there(j))))
    for _ in range(SWEEPS):
        for j, own, others, slope, covariance, rows in parts:
            middle = cells[np.ix_(rows, others)] @ slope
            if dataset.kinds[j] == "continuous":
                middle += np.sqrt(covariance[0, 0]) * rng.standard_normal(middle.shape)
                cells[np.ix_(rows, own)] = middle
                continue
            shares = np.clip(middle * scale[own] + mean[own], 0.0, 1.0)
            rest = np.maximum(1.0 - shares.sum(axis=1, keepdims=True), 0.0)
            shares = np.hstack([shares, rest]) + MIN_SHARE
            limits = np.cumsum(shares, axis=1)
            drawn = (rng.random((len(rows), 1)) * limits[:, -1:] >= limits).sum(axis=1)  # the last is the reference
            chosen = (drawn[:, None] == np.arange(len(own))).astype(np.float64)
            cells[np.ix_(rows, own)] = (chosen - mean[own]) / scale[own]
            shown = shown_levels(dataset, j)
            codes.setdefault(j, np.array(dataset.codes[dataset.place[j]]))
            codes[j][rows] = np.append(shown, _reference(dataset, j))[drawn]
    return codes


def _reference(dataset: Dataset, j: int) -> int:
    """Return the most frequent level, which has no indicator."""
    k = dataset.place[j]
    r = int(dataset.arity[k])
    return int(np.bincount(dataset.codes[k], minlength=r)[:r].argmax())


def _filled(dataset: Dataset, found: dict[int, np.ndarray]) -> Dataset:
    """Return the data set with the columns found; cells of constant columns get their only value."""
    codes = None if dataset.codes is None else np.array(dataset.codes)
    values = None if dataset.values is None else np.array(dataset.values)
    for j, kind in enumerate(dataset.kinds):
        k = dataset.place[j]
        if kind == "categorical":
            codes[k] = found.get(j, np.where(dataset.is_there(j), codes[k], _reference(dataset, j)))
        elif j in found:
            values[:, k] = found[j]
        elif dataset.incomplete[j]:
            values[:, k] = np.nanmax(values[:, k])
    return replace(
        dataset,
        codes=None if codes is None else frozen_copy(codes, codes.dtype),
        values=None if values is None else frozen_copy(values, np.float64),
        completion=None,
    )
