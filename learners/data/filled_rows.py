"""A complete table of the size and column types of an incomplete one, for estimates of running times."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..common.arrays import frozen_copy
from .dataset import Dataset


def with_drawn_cells(dataset: Dataset) -> Dataset:
    """Return the data set with each missing cell replaced by a cell that its column has elsewhere.

    The draws ignore all other columns, so the table is no basis of a result; tests and scores of it take as long as
    those of a completed table. A column without any cell gets its first level, or 0.
    """
    if dataset.complete:
        return dataset
    rng = np.random.default_rng(0)
    codes = None if dataset.codes is None else dataset.codes.copy()
    values = None if dataset.values is None else dataset.values.copy()
    for j in np.flatnonzero(dataset.incomplete).tolist():
        there = dataset.is_there(j)
        column = values[:, dataset.place[j]] if dataset.kinds[j] == "continuous" else codes[dataset.place[j]]
        known = column[there] if there.any() else np.zeros(1, column.dtype)
        column[~there] = known[rng.integers(len(known), size=int((~there).sum()))]
    return replace(
        dataset,
        codes=None if codes is None else frozen_copy(codes, codes.dtype),
        values=None if values is None else frozen_copy(values, np.float64),
        completion=None,
        unscored=None,
    )
