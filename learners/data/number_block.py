"""Numbers of several columns, row by row, in an array that grows without being copied."""

from __future__ import annotations

import numpy as np

from ..common.errors import DataError
from ..common.memory import MEGABYTE, free_mb

MAX_SHARE_OF_FREE = 0.8  # maximum share of the free memory that the columns may take


class NumberBlock:
    """The numbers of several columns, row by row, in an array that grows.

    Parameters
    ----------
    width : int
        Number of columns.
    rows : int
        Expected number of rows.
    """

    def __init__(self, width: int, rows: int) -> None:
        _check_free(8.0 * rows * width)
        self.numbers = np.empty((max(rows, 1), width))

    def reserve(self, rows: int) -> None:
        """Make room for that many rows. The system moves pages, so nothing is copied."""
        if rows > len(self.numbers):
            _check_free(8.0 * rows * self.numbers.shape[1])
            self.numbers.resize((max(rows, len(self.numbers) * 5 // 4), self.numbers.shape[1]), refcheck=False)

    def finished(self, rows: int) -> np.ndarray:
        """Return the first rows, read-only."""
        self.numbers.resize((rows, self.numbers.shape[1]), refcheck=False)
        self.numbers.flags.writeable = False
        return self.numbers


def _check_free(n_bytes: float) -> None:
    """Raise DataError if the columns of a table take too much of the free memory."""
    if n_bytes > 64 * MEGABYTE:
        free = MAX_SHARE_OF_FREE * free_mb() * MEGABYTE
        if 0 < free < n_bytes:
            raise DataError(
                f"the numbers of the table take {n_bytes / 1024**3:,.1f} GB, more than the {free / 1024**3:,.1f} GB "
                "that are free. Read fewer columns, its first rows, or a sample of its rows"
            )
