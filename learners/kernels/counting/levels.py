"""Rows in each level of each column."""

import numpy as np

from ..compiling import kernel


@kernel
def count_levels(codes, first, counts):
    """Add the number of rows with each code of each column to `counts`.

    Parameters
    ----------
    codes : (p, n) uint8 or uint16 array
    first : (p + 1,) int64 array
        Code c of column v is counted at ``first[v] + c``.
    counts : int64 array
    """
    widest = 0
    for v in range(codes.shape[0]):
        widest = max(widest, first[v + 1] - first[v])
    # Four counts of each code: rows with the same code would wait for one another at a single one.
    parts = np.zeros((4, widest), np.int64)
    n = codes.shape[1]
    for v in range(codes.shape[0]):
        row = codes[v]
        for t in range(0, n - 3, 4):
            parts[0, row[t]] += 1
            parts[1, row[t + 1]] += 1
            parts[2, row[t + 2]] += 1
            parts[3, row[t + 3]] += 1
        for t in range(n - n % 4, n):
            parts[0, row[t]] += 1
        for c in range(first[v + 1] - first[v]):
            for k in range(4):
                counts[first[v] + c] += parts[k, c]
                parts[k, c] = 0
