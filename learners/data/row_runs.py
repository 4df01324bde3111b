"""Runs of neighbouring rows that represent a long table, where the order of the rows matters."""

from __future__ import annotations

import numpy as np

RUN = 2_000  # number of rows per run


def rows_in_runs(n: int, most: int) -> np.ndarray:
    """Return the positions of at most `most` of n rows, increasing: evenly spaced runs of neighbouring rows."""
    if n <= most:
        return np.arange(n)
    run = min(RUN, most)
    starts = np.linspace(0, n - run, most // run).astype(np.int64)
    return np.unique((starts[:, None] + np.arange(run)).ravel())
