"""Weighted regressions of one variable: linear by least squares, logistic by maximum penalized likelihood."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax

from .fit_summary import RegressionFit

MIN_NOISE = 1e-12  # noise variance of a variable that its parents determine
RELATIVE_ROUNDING = 1e-13  # relative spread below which a parent counts as constant
MAX_COVARIANCES = 4_000_000  # maximum number of covariances of all configurations of one variable, 32 MB
RIDGE = 0.01  # prior precision of logistic coefficients of standardized parents


class Coefficients(NamedTuple):
    """(1 + m, k) intercept and effects with standard errors, the noise variance (1 for levels), and the covariance.

    The covariance is that of `RegressionFit`.
    """

    coefficients: np.ndarray
    error: np.ndarray
    variance: float
    covariance: np.ndarray


Estimator = Callable[[np.ndarray, np.ndarray, np.ndarray], Coefficients]


def least_squares(parents: np.ndarray, child: np.ndarray, weights: np.ndarray) -> Coefficients:
    """Regress (n,) numbers on (m, n) parents, with row weights and the maximum-likelihood variance.

    Collinear parents share their effect (minimum norm for standardized parents).
    """
    (columns, back), root = _scaled(parents, weights), np.sqrt(weights)
    found = np.linalg.lstsq(columns * root[:, None], child * root, rcond=None)[0]
    residual = float(weights @ (child - columns @ found) ** 2)
    n = float(weights.sum())
    inverse = np.linalg.pinv((columns * weights[:, None]).T @ columns, hermitian=True)
    left = residual / (n - len(found)) if n > len(found) else np.inf
    covariance = back @ inverse @ back.T * max(left, MIN_NOISE)
    error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return Coefficients((back @ found)[:, None], error[:, None], max(residual / n, MIN_NOISE), covariance)


def logistic(parents: np.ndarray, child: np.ndarray, weights: np.ndarray, r: int) -> Coefficients:
    """Fit a weighted multinomial regression of (n,) levels below r on (m, n) numbers; level 0 is the reference.

    Notes
    -----
    A normal prior of standard deviation 10 on each coefficient of standardized parents keeps coefficients finite where
    levels are separable or absent. Standard errors come from the inverse Hessian.
    """
    from scipy.optimize import minimize  # a slow import (0.5 s)

    columns, back = _scaled(parents, weights)
    m = columns.shape[1]
    if r == 1:  # the child has one level
        return Coefficients(np.zeros((m, 1)), np.zeros((m, 1)), 1.0, np.zeros((m, m)))
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
    covariance = whole @ np.linalg.inv(hessian(best)) @ whole.T
    error = _with_first(np.sqrt(np.diag(covariance)), m, r)
    return Coefficients(_with_first(whole @ best, m, r), error, 1.0, covariance)


def _scaled(parents: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the (n, 1 + m) design with standardized parents, constants as 0, and the map back to raw coefficients.

    Without scaling, dates in seconds would differ from the intercept by less than rounding. The map also applies to
    covariances.
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
    """Return the (m, r) coefficients including those of the first level, which are 0."""
    return np.column_stack([np.zeros(m), flat.reshape(m, r - 1)])


def by_configuration(
    fit: Estimator, row: np.ndarray, q: int, parents: np.ndarray, child: np.ndarray, weights: np.ndarray
) -> tuple[list[Coefficients], RegressionFit]:
    """Fit a regression for each of q configurations; those with too few rows get the regression of all rows."""
    rows = np.bincount(row, weights, q)
    pooled = fit(parents, child, weights)
    least = pooled.coefficients.size - (pooled.coefficients.shape[1] > 1) * len(pooled.coefficients) + 1
    borrowed = rows <= least
    found = []
    for k in range(q):
        own = row == k
        found.append(pooled if borrowed[k] or q == 1 else fit(parents[:, own], child[own], weights[own]))
    estimate, error = np.array([one.coefficients for one in found]), np.array([one.error for one in found])
    covariance = None
    if q * found[0].covariance.size <= MAX_COVARIANCES:
        covariance = np.array([one.covariance for one in found])
    return found, RegressionFit(rows, estimate, error, borrowed & (q > 1), covariance=covariance)
