"""Partial correlations from a correlation matrix, guarded against singular sets."""

import math

from numba import njit

TINY_VARIANCE = 1e-12  # a variable with less variance left is a function of the set
LARGEST = 1.0 - 1e-15  # keeps atanh finite for a variable and its copy


@njit(cache=True, nogil=True)
def partial_correlation(corr, x, y, cond, size, work):
    """(ρ, rank): correlation of x and y given the first `size` columns of `cond`, and the rank of those columns.

    A column that the others determine adds nothing and is left out; if the set determines x or y, ρ is 0, for a
    function of the set is independent of the rest given the set. Never NaN. `work` is (size + 2, size + 2) scratch.
    """
    if size == 0:
        return _bounded(corr[x, y]), 0
    if size == 1:
        return _given_one(corr, x, y, cond[0])
    if size == 2:
        return _given_two(corr, x, y, cond[0], cond[1])
    return _eliminate(corr, x, y, cond, size, work)


@njit(cache=True, nogil=True)
def _bounded(rho):
    return min(max(rho, -LARGEST), LARGEST)


@njit(cache=True, nogil=True)
def _ratio(covariance, var_x, var_y):
    if var_x < TINY_VARIANCE or var_y < TINY_VARIANCE:
        return 0.0
    return _bounded(covariance / math.sqrt(var_x * var_y))


@njit(cache=True, nogil=True)
def _given_one(corr, x, y, z):
    a, b = corr[x, z], corr[y, z]
    return _ratio(corr[x, y] - a * b, 1.0 - a * a, 1.0 - b * b), 1


@njit(cache=True, nogil=True)
def _given_two(corr, x, y, z, w):
    # First z is taken out of x, y and w, then what is left of w out of x and y.
    c = corr[w, z]
    pivot = 1.0 - c * c
    if pivot < TINY_VARIANCE:
        rho, _ = _given_one(corr, x, y, z)
        return rho, 1
    a, b = corr[x, z], corr[y, z]
    u, v = corr[x, w] - a * c, corr[y, w] - b * c
    return _ratio(corr[x, y] - a * b - u * v / pivot, 1.0 - a * a - u * u / pivot, 1.0 - b * b - v * v / pivot), 2


@njit(cache=True, nogil=True)
def _eliminate(corr, x, y, cond, size, work):
    """Gaussian elimination of the set from {set, x, y}: what is left is the residual covariance of x and y."""
    m = size + 2
    for a in range(m):
        i = cond[a] if a < size else (x if a == size else y)
        for b in range(a, m):
            work[a, b] = corr[i, cond[b] if b < size else (x if b == size else y)]
    rank = 0
    for k in range(size):
        pivot = work[k, k]
        if pivot < TINY_VARIANCE:
            continue
        rank += 1
        for a in range(k + 1, m):
            ratio = work[k, a] / pivot
            for b in range(a, m):
                work[a, b] -= ratio * work[k, b]
    return _ratio(work[size, size + 1], work[size, size], work[size + 1, size + 1]), rank
