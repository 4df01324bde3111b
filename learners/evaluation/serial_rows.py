"""Dependence of numeric columns on the row before, in tables whose rows are neither sorted nor grouped by them."""

from __future__ import annotations

import math

import numpy as np

from ..data.dataset import Dataset

ROWS_OF_BLOCK = 20


def serial_z(dataset: Dataset) -> dict[int, float]:
    """Return for each numeric column how strongly it depends on the row before: autocorrelation times the root of n.

    Ranks are taken, less their mean in blocks of 20 neighbouring rows, so that groups of rows and slow trends count
    little. A column in ascending or descending order orders the rows and gets 0.

    Parameters
    ----------
    dataset : Dataset
        Without missing cells.
    """
    return {
        j: _within_blocks(dataset.values[:, dataset.place[j]])
        for j, kind in enumerate(dataset.kinds)
        if kind == "continuous"
    }


def _within_blocks(values: np.ndarray) -> float:
    steps = np.diff(values)
    if (steps >= 0).all() or (steps <= 0).all():
        return 0.0
    ranks = np.unique(values, return_inverse=True)[1].astype(np.float64)
    block = np.arange(len(values)) // ROWS_OF_BLOCK
    ranks -= (np.bincount(block, weights=ranks) / np.bincount(block))[block]
    same = block[:-1] == block[1:]
    earlier, later = ranks[:-1][same], ranks[1:][same]
    size = float(np.sqrt((earlier**2).sum() * (later**2).sum()))
    return float(earlier @ later) / size * math.sqrt(len(earlier)) if size else 0.0
