"""Gaussian BIC: families of a variable and many candidate parents at a time."""

import math
from typing import NamedTuple

import numpy as np

from ..ci.partial_correlation import BLOCK, TINY_VARIANCE, factor, whiten, whiten_each
from ..compiling import kernel
from .determinant import MIN_SAFE_VARIANCE, log_variance_left


class GaussianFamilies(NamedTuple):
    """Continuous data in kernel form.

    Attributes
    ----------
    corr : (p, p) float64 array
    log_variance : (p,) float64 array
    n : int
        Number of rows.
    penalty : float
        Penalty of one parameter.
    rank : (p,) int64 array
        Ranks of the columns by name.
    """

    corr: np.ndarray
    log_variance: np.ndarray
    n: int
    penalty: float
    rank: np.ndarray


@kernel
def fit_gaussian(sample, child, parents, candidates, out):
    """Compute the Gaussian log-likelihood at the residual variance RSS / n.

    Families whose columns nearly determine one another take the residual variance from determinants of sets of columns
    (`determinant.log_determinant`), so that DAGs of one class have the same score. Parents that the others determine
    then explain next to nothing, and a child that its parents determine keeps about `TINY_VARIANCE` of its variance.

    Parameters
    ----------
    sample : GaussianFamilies
    child, parents, candidates, out
        As in `families.fit_families`.
    """
    m, n_candidates = parents.shape[0], candidates.shape[0]
    chol, basis, of_child = np.empty((m, m)), np.empty(m, np.int64), np.empty((1, m))
    rank = factor(sample.corr, parents, m, chol, basis)
    child_left = whiten(sample.corr, chol, basis, rank, child, of_child, 0)
    is_safe = rank == m
    for a in range(rank):
        is_safe = is_safe and chol[a, a] * chol[a, a] * MIN_SAFE_VARIANCE <= 1.0
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
            if is_safe and left >= MIN_SAFE_VARIANCE and (k < 0 or work[rank, t] >= MIN_SAFE_VARIANCE):
                log_variance = sample.log_variance[child] + math.log(left)
            else:  # rare, so scratch arrays are allocated here
                columns, scratch = np.empty(m + 2, np.int64), np.empty((m + 2, m + 2))
                log_left = log_variance_left(sample.corr, sample.rank, child, parents, k, columns, scratch)
                log_variance = sample.log_variance[child] + log_left
            out[begin + t] = -0.5 * sample.n * (math.log(2.0 * math.pi) + 1.0 + log_variance)


@kernel
def penalize_gaussian(sample, _child, parents, candidates, out):
    """Subtract the penalty of |parents| + 2 parameters, and one more with a candidate.

    Parameters
    ----------
    sample, _child, parents, candidates, out
        As in `fit_gaussian`.
    """
    for c in range(candidates.shape[0]):
        out[c] -= sample.penalty * (parents.shape[0] + (3 if candidates[c] >= 0 else 2))


@kernel
def explained_with(of_child, rank, work, m):
    """Write the covariances of the child with m nodes that the set explains to row ``rank + 1`` of `work`.

    Parameters
    ----------
    of_child : (1, rank) float64 array
        Coordinates of the child.
    rank : int
    work : float64 array
        Coordinates of the nodes, as `partial_correlation.whiten_each` leaves them.
    m : int
    """
    for t in range(m):
        work[rank + 1, t] = 0.0
    for a in range(rank):
        weight = of_child[0, a]
        for t in range(m):
            work[rank + 1, t] += weight * work[a, t]
