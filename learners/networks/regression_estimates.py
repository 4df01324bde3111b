"""Weighted regressions of one variable: linear by least squares, logistic by Newton's method with a weak prior."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax

from .fit_summary import RegressionFit

MIN_NOISE = 1e-12  # of a variable that its parents determine
RELATIVE_ROUNDING = 1e-13  # spread of a parent, of its largest number, below which it is a constant up to rounding
RIDGE = 0.01  # one over the variance of the normal prior of logistic coefficients, of parents of variance 1


class Coefficients(NamedTuple):
    """(1 + m, k) intercept and effects with standard errors, and the variance of the noise (1 of levels)."""

    coefficients: np.ndarray
    error: np.ndarray
    variance: float


Estimator = Callable[[np.ndarray, np.ndarray, np.ndarray], Coefficients]


def least_squares(parents: np.ndarray, child: np.ndarray, weights: np.ndarray) -> Coefficients:
    """Of (n,) numbers on (m, n) others, rows weighed; the variance by maximum likelihood.

    Parents that determine one another share what they have together (least norm, of parents of variance 1).
    """
    (columns, back), root = _scaled(parents, weights), np.sqrt(weights)
    found = np.linalg.lstsq(columns * root[:, None], child * root, rcond=None)[0]
    residual = float(weights @ (child - columns @ found) ** 2)
    n = float(weights.sum())
    inverse = np.linalg.pinv((columns * weights[:, None]).T @ columns, hermitian=True)
    left = residual / (n - len(found)) if n > len(found) else np.inf
    error = np.sqrt(np.maximum(np.diag(back @ inverse @ back.T), 0.0) * max(left, MIN_NOISE))
    return Coefficients((back @ found)[:, None], error[:, None], max(residual / n, MIN_NOISE))


def logistic(parents: np.ndarray, child: np.ndarray, weights: np.ndarray, r: int) -> Coefficients:
    """Of (n,) levels below r on (m, n) numbers, rows weighed: log odds against the first level.

    Notes
    -----
    A normal prior of standard deviation 10 on each coefficient, of parents scaled to mean 0 and variance 1, keeps them
    finite where levels can be told for sure or never come. Errors are those of the inverse Hessian.
    """
    from scipy.optimize import minimize  # half a second, for which no start should wait

    columns, back = _scaled(parents, weights)
    m = columns.shape[1]
    if r == 1:  # always the same
        return Coefficients(np.zeros((m, 1)), np.zeros((m, 1)), 1.0)
    truth = np.eye(r)[child]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        signal = columns @ _with_first(flat, m, r)
        off = (softmax(signal, axis=1) - truth) * weights[:, None]
        value = weights @ (logsumexp(signal, axis=1) - (signal * truth).sum(axis=1)) + 0.5 * RIDGE * flat @ flat
        return float(value), (columns.T @ off)[:, 1:].ravel() + RIDGE * flat

    def hessian(flat: np.ndarray) -> np.ndarray:
        share = softmax(columns @ _with_first(flat, m, r), axis=1)[:, 1:]
        within = np.einsum("nk,kl->nkl", share, np.eye(r - 1)) - share[:, :, None] * share[:, None, :]
        outer = np.einsum("n,na,nb,nkl->akbl", weights, columns, columns, within, optimize=True)
        return outer.reshape(len(flat), -1) + RIDGE * np.eye(len(flat))

    size = m * (r - 1)
    best = minimize(loss, np.zeros(size), jac=True, hess=hessian, method="trust-exact", options={"gtol": 1e-6}).x
    whole = np.kron(back, np.eye(r - 1))
    variance = np.diag(whole @ np.linalg.inv(hessian(best)) @ whole.T)
    return Coefficients(_with_first(whole @ best, m, r), _with_first(np.sqrt(variance), m, r), 1.0)


def _scaled(parents: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 1 + m) ones and the parents with mean 0 and variance 1, constants as 0; and the map of coefficients back.

    Dates as seconds would else differ from the ones by less than rounding. The map is that of their covariance, too.
    """
    n = float(weights.sum())
    middle = (parents * weights).sum(axis=1) / n
    off = parents - middle[:, None]
    spread = np.sqrt((off**2 * weights).sum(axis=1) / n)
    moves = spread > RELATIVE_ROUNDING * np.abs(parents).max(axis=1, initial=0.0)
    spread, middle = np.where(moves, spread, 1.0), np.where(moves, middle, 0.0)
    back = np.diag(np.append(1.0, 1.0 / spread))
    back[0, 1:] = -middle / spread
    return np.column_stack([np.ones(parents.shape[1]), *np.where(moves[:, None], off / spread[:, None], 0.0)]), back


def _with_first(flat: np.ndarray, m: int, r: int) -> np.ndarray:
    """(m, r): the coefficients with those of the first level, which are 0."""
    return np.column_stack([np.zeros(m), flat.reshape(m, r - 1)])


def by_configuration(
    fit: Estimator, row: np.ndarray, q: int, parents: np.ndarray, child: np.ndarray, weights: np.ndarray
) -> tuple[list[Coefficients], RegressionFit]:
    """A regression for each of q configurations; those with too few rows get the one of all rows."""
    rows = np.bincount(row, weights, q)
    pooled = fit(parents, child, weights)
    least = pooled.coefficients.size - (pooled.coefficients.shape[1] > 1) * len(pooled.coefficients) + 1
    borrowed = rows <= least
    found = []
    for k in range(q):
        own = row == k
        found.append(pooled if borrowed[k] or q == 1 else fit(parents[:, own], child[own], weights[own]))
    estimate, error = np.array([one.coefficients for one in found]), np.array([one.error for one in found])
    return found, RegressionFit(rows, estimate, error, borrowed & (q > 1))
