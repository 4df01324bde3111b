"""Partial correlations from a correlation matrix, guarded against singular sets."""

import math

import numpy as np
from numba import njit

TINY_VARIANCE = 1e-12  # spec 7.7: a variable with less variance left is a function of the set
LARGEST = 1.0 - 1e-15  # keeps atanh finite for a variable and its copy


@njit(cache=True, nogil=True)
def partial_correlation(corr, x, y, cond, size):
    """(ρ, rank): correlation of x and y given the first `size` columns of `cond`, and the rank of those columns.

    A column that the others determine adds nothing and is left out; if the set determines x or y, ρ is 0, for a
    function of the set is independent of the rest given the set. Never NaN.
    """
    # Gaussian elimination of the set from the rows of {set, x, y}: what is left is the residual covariance of x and y.
    m = size + 2
    work = np.empty((m, m))
    for a in range(m):
        i = cond[a] if a < size else (x if a == size else y)
        for b in range(m):
            j = cond[b] if b < size else (x if b == size else y)
            work[a, b] = corr[i, j]
    rank = 0
    for k in range(size):
        pivot = work[k, k]
        if pivot < TINY_VARIANCE:
            continue
        rank += 1
        for a in range(k + 1, m):
            ratio = work[a, k] / pivot
            for b in range(k + 1, m):
                work[a, b] -= ratio * work[k, b]
    var_x = work[size, size]
    var_y = work[size + 1, size + 1]
    if var_x < TINY_VARIANCE or var_y < TINY_VARIANCE:
        return 0.0, rank
    rho = 0.5 * (work[size, size + 1] + work[size + 1, size]) / math.sqrt(var_x * var_y)
    return min(max(rho, -LARGEST), LARGEST), rank
