"""Ranks of ordered levels, as numbers for trends and scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..common.arrays import frozen_copy
from .dataset import Dataset


def midranks(dataset: Dataset, j: int) -> np.ndarray:
    """Return (r,) float64: the mean ranks of the levels of a variable, as shares of the rows less one half."""
    r = int(dataset.arity[j])
    counts = np.bincount(dataset.codes[j], dataset.shares, minlength=r)[:r]
    total = max(float(counts.sum()), 1e-300)
    return (np.cumsum(counts) - counts / 2) / total - 0.5


def with_ranks(dataset: Dataset) -> Dataset:
    """Return categorical data in which each variable with ordered levels, or two levels, has numbers: its `midranks`.

    Parameters
    ----------
    dataset : Dataset
        Categorical; a missing cell stays missing.

    Returns
    -------
    Dataset
        Continuous if no variable keeps its levels, mixed if some do, and `dataset` itself if all do.
    """
    ranked = [name in dataset.ordered or dataset.arity[j] <= 2 for j, name in enumerate(dataset.names)]
    columns = np.flatnonzero(ranked)
    if not len(columns):
        return dataset
    scores = [np.append(midranks(dataset, j), np.nan)[dataset.codes[j]] for j in columns.tolist()]
    others = [j for j, is_ranked in enumerate(ranked) if not is_ranked]
    return replace(
        dataset,
        codes=frozen_copy(dataset.codes[others], dataset.codes.dtype) if others else None,
        arity=frozen_copy(dataset.arity[others], np.int64) if others else None,
        levels=tuple(dataset.levels[j] for j in others) if others else None,
        values=frozen_copy(np.column_stack(scores), np.float64),
        mixture=tuple("continuous" if is_ranked else "categorical" for is_ranked in ranked) if others else None,
        ordered=(),
        completion=None,
    )
