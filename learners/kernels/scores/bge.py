"""BGe score of continuous data: families of a variable and many candidate parents at a time."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class BGeFamilies(NamedTuple):
    """Continuous data in kernel form.

    Attributes
    ----------
    scale : (p, p) float64 array
        Posterior scale matrix T0 + S of standardized columns, T0 = `prior` · I.
    n : int
        Number of rows.
    freedom : float
        alpha_w - p.
    prior : float
    mean_weight : float
        alpha_mu.
    edge_penalty : float
        Penalty of each parent.
    """

    scale: np.ndarray
    n: int
    freedom: float
    prior: float
    mean_weight: float
    edge_penalty: float


@kernel
def fit_bge(sample, child, parents, candidates, out):
    """Compute the log marginal likelihood of the child; Kuipers et al. (2014), equation 6.

    With the determinant |R| of the parents' part of `scale` and the variance r that they leave of the child, the ratio
    of the two determinants' powers is |R|^(-1/2) r^(-(n + freedom + m + 1) / 2).

    Parameters
    ----------
    sample : BGeFamilies
    child, parents, candidates, out
        As in `families.fit_families`.
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
def penalize_bge(sample, _child, parents, candidates, out):
    """Subtract the edge penalty of each parent; the marginal likelihood itself needs no penalty.

    Parameters
    ----------
    sample, _child, parents, candidates, out
        As in `fit_bge`.
    """
    for c in range(candidates.shape[0]):
        out[c] -= sample.edge_penalty * (parents.shape[0] + (candidates[c] >= 0))


@kernel
def add_row(scale, family, k, chol):
    """Compute row k of the Cholesky factor of the family's part of `scale`; return the log of its residual variance.

    Parameters
    ----------
    scale : (p, p) float64 array
    family : int64 array
    k : int
    chol : float64 array
    """
    left = scale[family[k], family[k]]
    for a in range(k):
        value = scale[family[k], family[a]]
        for b in range(a):
            value -= chol[k, b] * chol[a, b]
        chol[k, a] = value / chol[a, a]
        left -= chol[k, a] * chol[k, a]
    chol[k, k] = math.sqrt(left)
    return math.log(left)
