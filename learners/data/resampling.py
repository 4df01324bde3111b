"""Bootstrap resamples as row weights, each from a seed of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .dataset import Dataset


def resample_weights(dataset: Dataset, seed: int, path: Sequence[int] = ()) -> np.ndarray:
    """(n_rows,) int64: how often each stored row is drawn in n draws with replacement.

    Rows with survey weights are drawn alike, and keep them.

    The same `seed` and `path` give the same draws, whoever asks and when.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(path)))
    if dataset.weights is None or dataset.surveyed:
        n = dataset.n_rows
        return np.bincount(rng.integers(0, n, n), minlength=n)
    return rng.multinomial(dataset.n, dataset.weights / dataset.n).astype(np.int64)


def resampled(dataset: Dataset, seed: int, path: Sequence[int] = ()) -> Dataset:
    """The data set with its rows drawn anew: as weights where few rows differ, else row by row."""
    if dataset.kind == "categorical":
        few = dataset.compact()
        if few.weights is not None:
            return few.with_weights(resample_weights(few, seed, path))
    rows = np.repeat(np.arange(dataset.n_rows), resample_weights(dataset, seed, path))
    return dataset.take(rows) if dataset.surveyed else replace(dataset.take(rows), weights=None)
