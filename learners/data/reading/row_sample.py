"""Draw a random sample of the rows of a table in one pass, whatever their number."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..arrow_arrays import to_arrow


class RowSample:
    """A sample of rows without replacement, in the order of the table.

    Each row gets a random number, and the rows with the smallest numbers are the sample. The sample therefore depends
    only on the seed and the number of rows, not on the batches in which the rows arrive.

    Parameters
    ----------
    size : int
        Number of rows to draw.
    seed : int
    """

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self._random = np.random.default_rng(seed)
        self._draws = np.empty(0)
        self._limit = 1.0
        self._kept: list[pa.RecordBatch] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Add a batch of rows."""
        draws = self._random.random(batch.num_rows)
        taken = draws < self._limit
        if not taken.any():
            return
        self._kept.append(batch.filter(to_arrow(taken)))
        self._draws = np.concatenate([self._draws, draws[taken]])
        if len(self._draws) > 2 * self.size + 1_000:
            self._shrink()

    def _shrink(self) -> None:
        if len(self._draws) <= self.size:
            return
        rows = np.sort(np.argpartition(self._draws, self.size - 1)[: self.size])
        self._draws = self._draws[rows]
        self._limit = float(self._draws.max())
        whole = pa.Table.from_batches(self._kept).take(to_arrow(rows))
        self._kept = whole.combine_chunks().to_batches()

    def finished(self) -> list[pa.RecordBatch]:
        """Return the rows of the sample."""
        self._shrink()
        return self._kept


def sampled_rows(n: int, size: int, seed: int) -> np.ndarray:
    """Return the increasing positions of the rows that `RowSample` draws from n rows."""
    draws = np.random.default_rng(seed).random(n)
    return np.arange(n) if n <= size else np.sort(np.argpartition(draws, size - 1)[:size])
