"""The E-step of EM for a normal distribution with missing cells."""

import math

import numpy as np

from ..compiling import kernel


@kernel
def expect_missing(deviations, begin, columns, repeats, precision, weights, added):
    """Fill missing cells with their means given the rest of the row, and add up their covariances given the rest.

    Parameters
    ----------
    deviations : (m, q) float64 array
        Rows with missing cells, as deviations from the mean; 0 in missing cells at the start.
    begin : (m + 1,) int64 array
        The missing cells of row t are in ``columns[begin[t] : begin[t + 1]]``.
    columns : int64 array
    repeats : (m,) bool array
        True where a row misses the same cells as the row before.
    precision : (q, q) float64 array
        Inverse of the covariances.
    weights : (m,) float64 array
    added : (q, q) float64 array
        Conditional covariances times the weights are added to it.
    """
    q = deviations.shape[1]
    chol, inverse, covariance = np.empty((q, q)), np.empty((q, q)), np.empty((q, q))
    pull = np.empty(q)
    for t in range(deviations.shape[0]):
        missing = columns[begin[t] : begin[t + 1]]
        m = missing.shape[0]
        if not repeats[t]:
            invert_block(precision, missing, chol, inverse, covariance)
        row = deviations[t]
        for a in range(m):
            total, of = 0.0, precision[missing[a]]
            for j in range(q):
                total += of[j] * row[j]
            pull[a] = total
        for a in range(m):
            total = 0.0
            for b in range(m):
                total += covariance[a, b] * pull[b]
                added[missing[a], missing[b]] += weights[t] * covariance[a, b]
            row[missing[a]] = -total


@kernel
def invert_block(precision, members, chol, inverse, covariance):
    """Invert the block of a positive definite matrix, by its Cholesky factor.

    Parameters
    ----------
    precision : (q, q) float64 array
    members : (m,) int64 array
        Rows and columns of the block.
    chol, inverse : float64 arrays
        Scratch.
    covariance : float64 array
        Its first m rows and columns become the inverse.
    """
    m = members.shape[0]
    for a in range(m):
        for b in range(a + 1):
            total = precision[members[a], members[b]]
            for c in range(b):
                total -= chol[a, c] * chol[b, c]
            chol[a, b] = math.sqrt(max(total, 1e-300)) if a == b else total / chol[b, b]
    for b in range(m):
        for a in range(b, m):
            total = 1.0 if a == b else 0.0
            for c in range(b, a):
                total -= chol[a, c] * inverse[c, b]
            inverse[a, b] = total / chol[a, a]
    for a in range(m):
        for b in range(a + 1):
            total = 0.0
            for c in range(a, m):
                total += inverse[c, a] * inverse[c, b]
            covariance[a, b] = covariance[b, a] = total
