"""Log determinants of correlation matrices that are the same for each order of the columns, also of singular ones."""

import math

import numpy as np

from ..ci.partial_correlation import TINY_VARIANCE
from ..compiling import kernel

# Below this share of variance left, rounding differs between orders of the columns by more than 1e-10 of a pivot.
MIN_SAFE_VARIANCE = 1e-6


@kernel
def log_determinant(corr, rank, columns, m, chol):
    """Return ln of the determinant of the correlations of a set of columns.

    The columns are taken in ascending order of `rank`, so the result is a function of the set: scores that are
    differences of such functions are equal for all DAGs of a class, and for all orders of the table. If the columns
    determine one another, 1e-12 is added to each variance, which keeps the determinant positive.

    Parameters
    ----------
    corr : (p, p) float64 array
    rank : (p,) int64 array
        Ranks of the columns by name.
    columns : int64 array
        The first `m` count; they are sorted in place.
    m : int
    chol : (m, m) float64 array
        Scratch.
    """
    columns[:m] = columns[:m][np.argsort(rank[columns[:m]])]
    total, smallest = _log_pivots(corr, columns, m, chol, 0.0)
    if smallest < TINY_VARIANCE:
        total, _ = _log_pivots(corr, columns, m, chol, TINY_VARIANCE)
    return total


@kernel
def log_variance_left(corr, rank, child, parents, candidate, columns, chol):
    """Return ln of the share of a column's variance that its parents leave, as a difference of functions of sets.

    Parameters
    ----------
    corr, rank
        As in `log_determinant`.
    child : int
    parents : int64 array
    candidate : int
        One more parent, or negative.
    columns, chol
        Scratch for two more columns than there are parents, as in `log_determinant`.
    """
    m = parents.shape[0]
    columns[:m] = parents
    if candidate >= 0:
        columns[m] = candidate
        m += 1
    of_parents = log_determinant(corr, rank, columns, m, chol)
    columns[m] = child
    return log_determinant(corr, rank, columns, m + 1, chol) - of_parents


@kernel
def _log_pivots(corr, columns, m, chol, ridge):
    """Return the sum of ln of the pivots of the correlations, and the smallest pivot.

    Parameters
    ----------
    corr, columns, m, chol
        As in `log_determinant`.
    ridge : float
        Added to each variance.
    """
    total, smallest = 0.0, 1.0
    for i in range(m):
        left = corr[columns[i], columns[i]] + ridge
        for a in range(i):
            value = corr[columns[i], columns[a]]
            for b in range(a):
                value -= chol[i, b] * chol[a, b]
            value /= chol[a, a]
            chol[i, a] = value
            left -= value * value
        smallest = min(smallest, left)
        left = max(left, 0.5 * TINY_VARIANCE)
        total += math.log(left)
        chol[i, i] = math.sqrt(left)
    return total, smallest
