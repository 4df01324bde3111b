"""Rows of a table of probabilities by the levels of the parents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def configurations(codes: np.ndarray, arity: Sequence[int]) -> np.ndarray:
    """(n,) int64: number of the row of a table that each sample reads, given the (m, n) codes of the m parents."""
    row = np.zeros(codes.shape[1], dtype=np.int64)
    for parent, r in zip(codes, arity, strict=True):
        row = row * r + parent
    return row
