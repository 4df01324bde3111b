"""Gaussian score of a variable given its parents, many candidate parents at a time."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..tests.partial_correlation import BLOCK, TINY_VARIANCE, factor, whiten, whiten_each


class GaussianFamilies(NamedTuple):
    """Correlations (p, p), log variances (p,), the number of rows, and the price of a parameter."""

    corr: np.ndarray
    log_variance: np.ndarray
    n: int
    penalty: float


@kernel
def fit_gaussian(sample, child, parents, candidates, out):
    """Gaussian log-likelihood at the residual variance RSS / n.

    Parents that the others determine explain nothing more. A child that its parents determine keeps the share
    `TINY_VARIANCE` of its variance, so that no score is infinite.
    """
    m, n_candidates = parents.shape[0], candidates.shape[0]
    chol, basis, of_child = np.empty((m, m)), np.empty(m, np.int64), np.empty((1, m))
    rank = factor(sample.corr, parents, m, chol, basis)
    child_left = whiten(sample.corr, chol, basis, rank, child, of_child, 0)
    work = np.empty((rank + 2, min(n_candidates, BLOCK)))
    for begin in range(0, n_candidates, BLOCK):
        end = min(n_candidates, begin + BLOCK)
        whiten_each(sample.corr, chol, basis, rank, candidates, begin, end, work)
        explained_with(of_child, rank, work, end - begin)
        for t in range(end - begin):
            k, left = candidates[begin + t], child_left
            if k >= 0 and work[rank, t] >= TINY_VARIANCE:
                shared = sample.corr[child, k] - work[rank + 1, t]
                left -= shared * shared / work[rank, t]
            log_variance = sample.log_variance[child] + math.log(max(left, TINY_VARIANCE))
            out[begin + t] = -0.5 * sample.n * (math.log(2.0 * math.pi) + 1.0 + log_variance)


@kernel
def price_gaussian(sample, _child, parents, candidates, out):
    """The penalty of |parents| + 2 parameters, and one more with a candidate, off each fit."""
    for c in range(candidates.shape[0]):
        out[c] -= sample.penalty * (parents.shape[0] + (3 if candidates[c] >= 0 else 2))


@kernel
def explained_with(of_child, rank, work, m):
    """Covariances of the child with m nodes that the set explains, into row ``rank + 1`` of `work`.

    The coordinates of the nodes are in `work` as `whiten_each` leaves them, those of the child in row 0 of `of_child`.
    """
    for t in range(m):
        work[rank + 1, t] = 0.0
    for a in range(rank):
        weight = of_child[0, a]
        for t in range(m):
            work[rank + 1, t] += weight * work[a, t]
