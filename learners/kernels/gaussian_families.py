"""Gaussian score of a variable given its parents, many candidate parents at a time."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

FLAT = 1e-12  # share of a variance below which nothing but rounding is left


class GaussianFamilies(NamedTuple):
    """Correlations (p, p), log variances (p,), the number of rows, and the price of a parameter."""

    corr: np.ndarray
    log_variance: np.ndarray
    n: int
    penalty: float


@njit(cache=True, nogil=True)
def whiten(corr, chol, basis, rank, x, out):
    """Coordinates of x in the span of the basis (first `rank` entries of `out`); return the variance left."""
    left = 1.0
    for a in range(rank):
        value = corr[x, basis[a]]
        for b in range(a):
            value -= chol[a, b] * out[b]
        out[a] = value / chol[a, a]
        left -= out[a] * out[a]
    return left


@njit(cache=True, nogil=True)
def score_gaussian(sample, child, parents, candidates, out):
    """Gaussian log-likelihood at the residual variance RSS / n, less the penalty of |parents| + 2 parameters.

    Parents that the others determine explain nothing more. A child that its parents determine keeps the share `FLAT`
    of its variance, so that no score is infinite.
    """
    m = parents.shape[0]
    chol = np.empty((m, m))
    basis = np.empty(m, np.int64)
    rank = 0
    for x in parents:
        if rank < m:
            left = whiten(sample.corr, chol, basis, rank, x, chol[rank])
            if left > FLAT:
                chol[rank, rank] = math.sqrt(left)
                basis[rank] = x
                rank += 1
    of_child = np.empty(m)
    of_candidate = np.empty(m)
    child_left = whiten(sample.corr, chol, basis, rank, child, of_child)
    for c in range(candidates.shape[0]):
        k = candidates[c]
        left, n_parameters = child_left, m + 2
        if k >= 0:
            n_parameters += 1
            candidate_left = whiten(sample.corr, chol, basis, rank, k, of_candidate)
            if candidate_left > FLAT:
                shared = sample.corr[child, k]
                for a in range(rank):
                    shared -= of_child[a] * of_candidate[a]
                left -= shared * shared / candidate_left
        log_variance = sample.log_variance[child] + math.log(max(left, FLAT))
        out[c] = -0.5 * sample.n * (math.log(2.0 * math.pi) + 1.0 + log_variance) - sample.penalty * n_parameters
