"""Bayesian score of continuous data (BGe) of a variable given its parents, many candidate parents at a time."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class BGeFamilies(NamedTuple):
    """Posterior scale matrix (p, p), the number of rows, degrees of freedom beyond p, prior scale, weight of the mean.

    `scale` is T0 + S of standardised columns, T0 = `prior` · I; `freedom` is alpha_w - p. Each parent costs
    `edge_price`.
    """

    scale: np.ndarray
    n: int
    freedom: float
    prior: float
    mean_weight: float
    edge_price: float


@kernel
def fit_bge(sample, child, parents, candidates, out):
    """ln of the marginal likelihood of the child given the parents and each candidate; Kuipers et al. (2014), eq. 6.

    With |R| the determinant of the parents' part of `scale` and r the variance that they leave of the child, the
    ratio of the two determinants' powers is |R|^(-1/2) r^(-(n + freedom + m + 1) / 2).
    """
    m = parents.shape[0]
    chol = np.zeros((m + 2, m + 2))
    family = np.empty(m + 2, np.int64)
    log_parents = 0.0
    for a in range(m):
        family[a] = parents[a]
        log_parents += add_row(sample.scale, family, a, chol)
    for c in range(candidates.shape[0]):
        size, log_given = m, log_parents
        if candidates[c] >= 0:
            family[m] = candidates[c]
            log_given += add_row(sample.scale, family, m, chol)
            size += 1
        family[size] = child
        log_left = add_row(sample.scale, family, size, chol)
        free = sample.freedom + size
        out[c] = (
            0.5 * math.log(sample.mean_weight / (sample.n + sample.mean_weight))
            - 0.5 * sample.n * math.log(math.pi)
            + math.lgamma(0.5 * (sample.n + free + 1.0))
            - math.lgamma(0.5 * (free + 1.0))
            + 0.5 * (free + 1.0 + size) * math.log(sample.prior)
            - 0.5 * log_given
            - 0.5 * (sample.n + free + 1.0) * log_left
        )


@kernel
def price_bge(sample, _child, parents, candidates, out):
    """The price of each parent off each fit; a likelihood that parameters are integrated out of charges none itself."""
    for c in range(candidates.shape[0]):
        out[c] -= sample.edge_price * (parents.shape[0] + (candidates[c] >= 0))


@kernel
def add_row(scale, family, k, chol):
    """Row k of the Cholesky factor of the family's part; ln of what the earlier ones leave of its k-th member."""
    left = scale[family[k], family[k]]
    for a in range(k):
        value = scale[family[k], family[a]]
        for b in range(a):
            value -= chol[k, b] * chol[a, b]
        chol[k, a] = value / chol[a, a]
        left -= chol[k, a] * chol[k, a]
    chol[k, k] = math.sqrt(left)
    return math.log(left)
