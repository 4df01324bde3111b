"""Rows that represent a table: bootstrap resamples as row weights, held-out rows, and runs of neighbouring rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..common.checks import check_count, check_open_interval
from ..common.errors import DataError
from .dataset import Dataset

RUN = 2_000  # number of neighbouring rows per run


def resample_weights(dataset: Dataset, seed: int, path: Sequence[int] = ()) -> np.ndarray:
    """Draw n rows with replacement, and return how often each stored row was drawn, (n_rows,) int64.

    If the rows have groups, whole groups are drawn instead, as many as the data set has.

    Parameters
    ----------
    dataset : Dataset
        Rows with survey weights are drawn with equal probability, and keep their weights.
    seed : int
    path : sequence of int
        Position of the resample in a tree of resamples. The same seed and path give the same draws.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(path)))
    if dataset.groups is not None:
        return _drawn_groups(dataset, rng)
    if dataset.weights is None or dataset.surveyed:
        n = dataset.n_rows
        return np.bincount(rng.integers(0, n, n // dataset.copies), minlength=n)
    return rng.multinomial(dataset.n, dataset.weights / dataset.weights.sum()).astype(np.int64)


def _drawn_groups(dataset: Dataset, rng: np.random.Generator) -> np.ndarray:
    """Draw groups with replacement; each draw takes the rows of the group in one of the imputed tables."""
    present, groups = np.unique(dataset.groups, return_inverse=True)
    n_groups = len(present)
    drawn = rng.integers(0, n_groups, n_groups)
    table = np.arange(dataset.n_rows) // (dataset.n_rows // dataset.copies)  # the imputed table of each row
    times = np.zeros((dataset.copies, n_groups), dtype=np.int64)
    np.add.at(times, (rng.integers(0, dataset.copies, n_groups), drawn), 1)
    times = times[table, groups]
    return times if dataset.weights is None or dataset.surveyed else times * dataset.weights


def once(dataset: Dataset) -> np.ndarray:
    """Return `resample_weights` without drawing: how often each stored row is in the data, (n_rows,) int64."""
    if dataset.weights is None or dataset.surveyed:
        return np.ones(dataset.n_rows, dtype=np.int64)
    return dataset.weights.astype(np.int64)


def resampled(dataset: Dataset, seed: int, path: Sequence[int] = ()) -> Dataset:
    """Return a bootstrap resample of a data set: weighted distinct rows if these are few, else repeated rows.

    A resample of stacked imputed tables has as many rows as one of them. Its missing cells are imputed again.
    """
    drawn = replace(_drawn(dataset, seed, path), copies=1)
    return drawn if dataset.completion is None else drawn.with_completion(dataset.completion.of(drawn))


def _drawn(dataset: Dataset, seed: int, path: Sequence[int]) -> Dataset:
    if dataset.kind == "categorical":
        few = dataset.compact()
        if few.weights is not None and not few.surveyed:
            return few.with_weights(resample_weights(few, seed, path))
    rows = np.repeat(np.arange(dataset.n_rows), resample_weights(dataset, seed, path))
    return dataset.take(rows) if dataset.surveyed else replace(dataset.take(rows), weights=None)


def held_out(dataset: Dataset, share: float, seed: int) -> tuple[Dataset, Dataset]:
    """Split the rows into a training set and a random held-out set; both keep the row order.

    Parameters
    ----------
    dataset : Dataset
    share : float
        Share of the held-out rows, in (0, 1); at least one row stays on either side.
    seed : int
        At least 0.

    Returns
    -------
    tuple of Dataset
        Training rows, held-out rows.

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    DataError
        If there are fewer than two rows.
    """
    check_open_interval("share", share, 0.0, 1.0)
    check_count("seed", seed)
    n = dataset.n_rows
    if n < 2:
        raise DataError(f"holding out rows needs at least 2 rows, found {n}; use more rows")
    n_aside = min(max(round(share * n), 1), n - 1)
    aside = np.zeros(n, dtype=bool)
    aside[np.random.default_rng(np.random.SeedSequence([seed])).permutation(n)[:n_aside]] = True
    return dataset.take(np.flatnonzero(~aside)), dataset.take(np.flatnonzero(aside))


def rows_in_runs(n: int, most: int) -> np.ndarray:
    """Return the positions of at most `most` of n rows, increasing: evenly spaced runs of neighbouring rows."""
    if n <= most:
        return np.arange(n)
    run = min(RUN, most)
    starts = np.linspace(0, n - run, most // run).astype(np.int64)
    return np.unique((starts[:, None] + np.arange(run)).ravel())
