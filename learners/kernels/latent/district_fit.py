"""Maximum likelihood of a district of a Gaussian MAG, by residual iterative conditional fitting (RICF).

Drton, Eichler and Richardson (2009), Computing maximum likelihood estimates in recursive linear models with correlated
errors. JMLR 10.
"""

import math

import numpy as np

from ..compiling import kernel

MIN_VARIANCE = 1e-9  # minimum variance of a residual, as a share of the variance
TINY = 1.001 * math.sqrt(MIN_VARIANCE)  # pivots of at most this were raised
MAX_ROUNDS = 40
MIN_CHANGE = 3e-6  # change of the deviance per row below which the fit has converged


@kernel
def factor(matrix):
    """Return the lower Cholesky factor of a positive definite matrix; too small pivots are raised."""
    m = matrix.shape[0]
    chol = np.zeros((m, m))
    for i in range(m):
        for j in range(i + 1):
            left = matrix[i, j]
            for q in range(j):
                left -= chol[i, q] * chol[j, q]
            chol[i, j] = math.sqrt(max(left, MIN_VARIANCE)) if i == j else left / chol[j, j]
    return chol


@kernel
def solve(chol, values):
    """Return the solution x of ``matrix @ x = values``, given the factor of the matrix."""
    m = chol.shape[0]
    x = np.empty(m)
    for i in range(m):
        left = values[i]
        for q in range(i):
            left -= chol[i, q] * x[q]
        x[i] = left / chol[i, i]
    for i in range(m - 1, -1, -1):
        left = x[i]
        for q in range(i + 1, m):
            left -= chol[q, i] * x[q]
        x[i] = left / chol[i, i]
    return x


@kernel
def regress(cov, design, target):
    """Return the coefficients of the regression of a column on combinations of columns, and its residual variance.

    Parameters
    ----------
    cov : (q, q) float64 array
    design : (m, q) float64 array
        Each row is a combination of the columns.
    target : int
        The column.
    """
    m = design.shape[0]
    if m == 0:
        return np.empty(0), cov[target, target]
    shared = design @ cov
    slopes = solve(factor(shared @ design.T), shared[:, target].copy())
    left = cov[target, target]
    for x in range(m):
        left -= slopes[x] * shared[x, target]
    return slopes, max(left, MIN_VARIANCE)


@kernel
def deviance(cov, slopes, errors):
    """Return ln det of the errors plus the trace of their inverse times the residual covariance.

    The result is infinite if the errors are not positive definite.

    Parameters
    ----------
    cov : (q, q) float64 array
    slopes : (k, q) float64 array
        Coefficients of each node of the district on its parents.
    errors : (k, k) float64 array
        Covariance of the errors.
    """
    k = slopes.shape[0]
    residual = -slopes
    for a in range(k):
        residual[a, a] += 1.0
    left, chol, total = residual @ cov @ residual.T, factor(errors), 0.0
    for a in range(k):
        if chol[a, a] <= TINY:
            return math.inf
        total += 2.0 * math.log(chol[a, a]) + solve(chol, left[:, a].copy())[a]
    return total


@kernel
def fit_district(cov, parents, spouses):
    """Return minus twice the log-likelihood per row of a district given its parents, without the constant.

    Parameters
    ----------
    cov : (q, q) float64 array
        Covariance of the k nodes of the district, which come first, and of their other parents.
    parents : (k, q) bool array
    spouses : (k, k) bool array
        Symmetric; True for nodes that share a hidden cause.
    """
    k, q = parents.shape
    slopes, errors = np.zeros((k, q)), np.zeros((k, k))
    for a in range(k):
        own = np.flatnonzero(parents[a])
        design = np.zeros((own.shape[0], q))
        for x in range(own.shape[0]):
            design[x, own[x]] = 1.0
        found, errors[a, a] = regress(cov, design, a)
        for x in range(own.shape[0]):
            slopes[a, own[x]] = found[x]
    value = deviance(cov, slopes, errors)
    if not spouses.any():
        return value
    for _ in range(MAX_ROUNDS):
        for a in range(k):
            update_node(cov, parents, spouses, a, slopes, errors)
        before, value = value, deviance(cov, slopes, errors)
        if abs(before - value) < MIN_CHANGE:
            break
    return value


@kernel
def update_node(cov, parents, spouses, a, slopes, errors):
    """Fit one node given the others: regress it on its parents and on the pseudo-variables of its spouses.

    Parameters
    ----------
    cov, parents, spouses
        As in `fit_district`.
    a : int
        The node.
    slopes : (k, q) float64 array
        Changed in row a.
    errors : (k, k) float64 array
        Changed in row and column a.
    """
    k, q = parents.shape
    own, near = np.flatnonzero(parents[a]), np.flatnonzero(spouses[a])
    others = np.empty(k - 1, np.int64)
    for b in range(k - 1):
        others[b] = b + (b >= a)
    rest = np.empty((k - 1, k - 1))
    for x in range(k - 1):
        for y in range(k - 1):
            rest[x, y] = errors[others[x], others[y]]
    design, weights = np.zeros((own.shape[0] + near.shape[0], q)), np.zeros((near.shape[0], k - 1))
    for x in range(own.shape[0]):
        design[x, own[x]] = 1.0
    chol = factor(rest)
    for s in range(near.shape[0]):
        unit = np.zeros(k - 1)
        unit[near[s] - (near[s] > a)] = 1.0
        weights[s] = solve(chol, unit)
        for y in range(k - 1):
            design[own.shape[0] + s, others[y]] += weights[s, y]
            for i in range(q):
                design[own.shape[0] + s, i] -= weights[s, y] * slopes[others[y], i]
    found, left = regress(cov, design, a)
    for x in range(own.shape[0]):
        slopes[a, own[x]] = found[x]
    for s in range(near.shape[0]):
        errors[a, near[s]] = errors[near[s], a] = found[own.shape[0] + s]
    for s in range(near.shape[0]):
        for t in range(near.shape[0]):
            left += found[own.shape[0] + s] * weights[s, near[t] - (near[t] > a)] * found[own.shape[0] + t]
    errors[a, a] = max(left, MIN_VARIANCE)
