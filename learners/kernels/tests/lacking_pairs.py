"""Which rows lack both of two variables."""

import numpy as np

from ..compiling import kernel


@kernel
def count_pairs(absent, begin):
    """Into ``begin[h, g + 1]``, g < h, how many rows of the (h, m) bool array `absent` lack both."""
    lacking = np.empty(absent.shape[0], np.int64)
    for r in range(absent.shape[1]):
        n = lacking_in(absent, r, lacking)
        for i in range(n):
            for j in range(i):
                begin[lacking[i], lacking[j] + 1] += 1


@kernel
def list_pairs(absent, at, both):
    """Those rows into `both`, from ``at[h, g]`` on, which moves to their end."""
    lacking = np.empty(absent.shape[0], np.int64)
    for r in range(absent.shape[1]):
        n = lacking_in(absent, r, lacking)
        for i in range(n):
            for j in range(i):
                both[at[lacking[i], lacking[j]]] = r
                at[lacking[i], lacking[j]] += 1


@kernel
def lacking_in(absent, r, lacking):
    """The variables that row r lacks, ascending; how many."""
    n = 0
    for h in range(absent.shape[0]):
        if absent[h, r]:
            lacking[n] = h
            n += 1
    return n
