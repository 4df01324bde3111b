"""Gaussian score of a variable given its parents, many candidate parents at a time."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..tests.partial_correlation import TINY_VARIANCE, explained, factor, whiten


class GaussianFamilies(NamedTuple):
    """Correlations (p, p), log variances (p,), the number of rows, and the price of a parameter."""

    corr: np.ndarray
    log_variance: np.ndarray
    n: int
    penalty: float


@kernel
def score_gaussian(sample, child, parents, candidates, out):
    """Gaussian log-likelihood at the residual variance RSS / n, less the penalty of |parents| + 2 parameters.

    Parents that the others determine explain nothing more. A child that its parents determine keeps the share
    `TINY_VARIANCE` of its variance, so that no score is infinite.
    """
    m = parents.shape[0]
    chol, basis, of_pair = np.empty((m, m)), np.empty(m, np.int64), np.empty((2, m))
    rank = factor(sample.corr, parents, m, chol, basis)
    child_left = whiten(sample.corr, chol, basis, rank, child, of_pair, 0)
    for c in range(candidates.shape[0]):
        k = candidates[c]
        left, n_parameters = child_left, m + 2
        if k >= 0:
            n_parameters += 1
            candidate_left = whiten(sample.corr, chol, basis, rank, k, of_pair, 1)
            if candidate_left >= TINY_VARIANCE:
                shared = sample.corr[child, k] - explained(of_pair, rank)
                left -= shared * shared / candidate_left
        log_variance = sample.log_variance[child] + math.log(max(left, TINY_VARIANCE))
        out[c] = -0.5 * sample.n * (math.log(2.0 * math.pi) + 1.0 + log_variance) - sample.penalty * n_parameters
