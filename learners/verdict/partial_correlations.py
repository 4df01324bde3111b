"""Partial correlations of many pairs at once, as absolute z values."""

from __future__ import annotations

import numpy as np

MAX_R = 1.0 - 1e-9
MIN_VARIANCE = 1e-12


def absolute_z(corr: np.ndarray, n: int, pairs: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return |z| of the partial correlations of pairs, (m,) float64.

    Parameters
    ----------
    corr : (p, p) float64 array
    n : int
        Number of rows.
    pairs : (m, 2) int64 array
    sets : (m, k) int64 array
        Conditioning set of k variables for each pair.
    """
    k = sets.shape[1]
    at = np.concatenate([pairs, sets], axis=1)
    block = corr[at[:, :, None], at[:, None, :]]
    if k:
        inner = block[:, 2:, 2:] + MIN_VARIANCE * np.eye(k)
        cross = block[:, 2:, :2]
        block = block[:, :2, :2] - np.swapaxes(cross, 1, 2) @ np.linalg.solve(inner, cross)
    size = np.sqrt(np.maximum(block[:, 0, 0] * block[:, 1, 1], MIN_VARIANCE))
    r = np.clip(block[:, 0, 1] / size, -MAX_R, MAX_R)
    return np.abs(np.arctanh(r)) * np.sqrt(max(n - k - 3, 1))
