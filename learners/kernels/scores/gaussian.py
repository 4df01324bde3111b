"""Gaussian BIC: families of a variable and many candidate parents at a time."""

import math
from typing import NamedTuple

import numpy as np

from ..ci.partial_correlation import BLOCK, TINY_VARIANCE, factor, whiten, whiten_each
from ..compiling import kernel
from .determinant import MIN_SAFE_VARIANCE, log_variance_left

ROUNDING = 1e-9  # of a variance, more than the rounding of its logarithm


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
    fit_gaussian_above(sample, child, parents, candidates, np.full(candidates.shape[0], -np.inf), out)


@kernel
def fit_gaussian_above(sample, child, parents, candidates, floors, out):
    """Compute fits as `fit_gaussian`; one that is not above its floor may become -inf.

    Logarithms are computed only of residual variances that are small enough. The loop that finds these has no branches,
    so the compiler vectorizes it.

    Parameters
    ----------
    sample, child, parents, candidates, floors, out
        As in `families.fit_families_above`.
    """
    m, n_candidates = parents.shape[0], candidates.shape[0]
    chol, basis, of_child = np.empty((m, m)), np.empty(m, np.int64), np.empty((1, m))
    rank = factor(sample.corr, parents, m, chol, basis)
    child_left = whiten(sample.corr, chol, basis, rank, child, of_child, 0)
    is_safe = rank == m
    for a in range(rank):
        is_safe = is_safe and chol[a, a] * chol[a, a] * MIN_SAFE_VARIANCE <= 1.0
    constant = math.log(2.0 * math.pi) + 1.0
    work, left = np.empty((rank + 2, min(n_candidates, BLOCK))), np.empty(min(n_candidates, BLOCK))
    floor, most = -np.inf, np.inf  # a fit is above the floor if `most` or less of the variance is left
    for begin in range(0, n_candidates, BLOCK):
        end = min(n_candidates, begin + BLOCK)
        whiten_each(sample.corr, chol, basis, rank, candidates, begin, end, work)
        explained_with(of_child, rank, work, end - begin)
        for t in range(end - begin):
            shared = sample.corr[child, candidates[begin + t]] - work[rank + 1, t]
            left[t] = child_left - np.divide(shared * shared, max(work[rank, t], TINY_VARIANCE))
        for t in range(end - begin):
            k = candidates[begin + t]
            if floors[begin + t] != floor:
                floor = floors[begin + t]
                log_most = -2.0 * floor / sample.n - constant - sample.log_variance[child]
                most = math.exp(min(log_most, 1.0)) * (1.0 + ROUNDING)  # never more than 1 is left
            safe = is_safe and (k < 0 or work[rank, t] >= MIN_SAFE_VARIANCE)
            if k < 0 or work[rank, t] < TINY_VARIANCE:
                left[t] = child_left
            if safe and left[t] >= MIN_SAFE_VARIANCE:
                if left[t] > most:
                    out[begin + t] = -np.inf
                    continue
                log_variance = sample.log_variance[child] + math.log(left[t])
            else:  # rare, so scratch arrays are allocated here
                columns, scratch = np.empty(m + 2, np.int64), np.empty((m + 2, m + 2))
                log_left = log_variance_left(sample.corr, sample.rank, child, parents, k, columns, scratch)
                log_variance = sample.log_variance[child] + log_left
            out[begin + t] = -0.5 * sample.n * (constant + log_variance)


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
