"""Partial correlations from a correlation matrix, guarded against singular sets.

A set is factored once, R_ZZ = L Lᵀ without its redundant members, and serves any number of pairs. With w(x) the
coordinates of x in the span of the set, L w(x) = R_Zx, the residual covariance of x and y is R_xy - w(x)·w(y). Nothing
is ever NaN: a variable that the set determines has ρ = 0 with all others, for given the set it is a constant.

`corr` (p, p) is in C order; `chol`, `basis` and `rank` are a factored set as `factor` leaves it. The loops run over
many variables at a time, one member of the set after the other, which processors do several at once.
"""

import math

import numpy as np
from numba import njit

TINY_VARIANCE = 1e-12  # a variable with less variance left is a function of the set
LARGEST = 1.0 - 1e-15  # keeps atanh finite for a variable and its copy
BLOCK = 256  # partners of a sweep at a time, so that their coordinates stay in the first cache
ROWS_OF_WORK = 3  # rows that `given_each` needs beside one for each member of the set


@njit(cache=True, nogil=True, error_model="numpy")
def whiten(corr, chol, basis, rank, x, out):
    """Coordinates of x in the span of the set (first `rank` entries of `out`); return the variance left."""
    left = 1.0
    for a in range(rank):
        value = corr[basis[a], x]
        for b in range(a):
            value -= chol[a, b] * out[b]
        out[a] = value * chol[a, a]
        left -= out[a] * out[a]
    return left


@njit(cache=True, nogil=True, error_model="numpy")
def factor(corr, cond, size, chol, basis):
    """Factor the first `size` columns of `cond`; return their rank.

    `basis` (size,) int64 gets the members that the ones before them do not determine, and `chol` (size, size) below
    its diagonal the factor L of their correlations, on it the inverse of L's. A rank below `size` says that the set
    is redundant: to skip it loses nothing, to use it is to use `basis`.
    """
    rank = 0
    for k in range(size):
        left = whiten(corr, chol, basis, rank, cond[k], chol[rank])
        if left >= TINY_VARIANCE:
            chol[rank, rank] = 1.0 / math.sqrt(left)
            basis[rank] = cond[k]
            rank += 1
    return rank


@njit(cache=True, nogil=True, error_model="numpy")
def dot(u, v, rank):
    """u·v of the first `rank` entries."""
    total = 0.0
    for a in range(rank):
        total += u[a] * v[a]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def ratio(covariance, var_x, var_y):
    """ρ from what the set leaves of a covariance and two variances."""
    rho = covariance / math.sqrt(max(var_x, TINY_VARIANCE) * max(var_y, TINY_VARIANCE))
    return min(max(rho, -LARGEST), LARGEST) if min(var_x, var_y) >= TINY_VARIANCE else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def whiten_each(corr, chol, basis, rank, nodes, coordinates, var):
    """`whiten` for all `nodes` (m,): column t of `coordinates` (rank or more, m or more) and var[t] are of nodes[t]."""
    m = nodes.shape[0]
    for t in range(m):
        var[t] = 1.0
    for a in range(rank):
        row, new = corr[basis[a]], coordinates[a]
        for t in range(m):
            new[t] = row[nodes[t]]
        for b in range(a):
            old, weight = coordinates[b], chol[a, b]
            for t in range(m):
                new[t] -= weight * old[t]
        scale = chol[a, a]
        for t in range(m):
            value = new[t] * scale
            new[t] = value
            var[t] -= value * value


@njit(cache=True, nogil=True, error_model="numpy")
def covariances_with(corr, x, of_x, rank, nodes, coordinates, out):
    """What the set leaves of the covariances of x with all `nodes`, from the coordinates of both."""
    row = corr[x]
    for t in range(nodes.shape[0]):
        out[t] = row[nodes[t]]
    for a in range(rank):
        of_node, weight = coordinates[a], of_x[a]
        for t in range(nodes.shape[0]):
            out[t] -= weight * of_node[t]


@njit(cache=True, nogil=True, error_model="numpy")
def partial_correlations_with(corr, i, chol, basis, rank, partners, out):
    """ρ of node i with each of `partners` (m,) given the factored set, into `out` (m,).

    A member of the set gets 0, as does everything if the set determines i; i itself gets `LARGEST`.
    """
    m = partners.shape[0]
    of_i = np.empty(rank)
    var_i = whiten(corr, chol, basis, rank, i, of_i)
    if var_i < TINY_VARIANCE:
        out[:m] = 0.0
        return
    coordinates, var = np.empty((rank, min(m, BLOCK))), np.empty(min(m, BLOCK))
    for begin in range(0, m, BLOCK):
        near, rho = partners[begin : begin + BLOCK], out[begin : begin + BLOCK]
        whiten_each(corr, chol, basis, rank, near, coordinates, var)
        covariances_with(corr, i, of_i, rank, near, coordinates, rho)
        for t in range(near.shape[0]):
            rho[t] = ratio(rho[t], var_i, var[t])


@njit(cache=True, nogil=True, error_model="numpy")
def given_each(corr, x, y, chol, basis, rank, nodes, of_pair, work):
    """(ρ, variance): two (m,) views, ρ of x and y given the factored set and one more node, for each of `nodes` (m,).

    Where the variance that the set leaves of a node is below `TINY_VARIANCE` the node adds nothing. Scratch: `of_pair`
    (2, rank or more), `work` (rank + `ROWS_OF_WORK` or more, m or more).
    """
    m = nodes.shape[0]
    of_x, of_y = of_pair[0], of_pair[1]
    var_x = whiten(corr, chol, basis, rank, x, of_x)
    var_y = whiten(corr, chol, basis, rank, y, of_y)
    left = corr[x, y] - dot(of_x, of_y, rank)
    var, rho, with_y = work[rank, :m], work[rank + 1, :m], work[rank + 2, :m]
    whiten_each(corr, chol, basis, rank, nodes, work, var)
    covariances_with(corr, x, of_x, rank, nodes, work, rho)
    covariances_with(corr, y, of_y, rank, nodes, work, with_y)
    for t in range(m):
        u, v = rho[t], with_y[t]
        inverse = 1.0 / var[t] if var[t] >= TINY_VARIANCE else 0.0
        rho[t] = ratio(left - u * v * inverse, var_x - u * u * inverse, var_y - v * v * inverse)
    return rho, var


@njit(cache=True, nogil=True)
def partial_correlation(corr, x, y, cond, size):
    """(ρ, rank): correlation of x and y given the first `size` columns of `cond`, and the rank of those columns."""
    if size == 0:
        return ratio(corr[x, y], 1.0, 1.0), 0
    first = size - 1
    chol, basis = np.empty((first, first)), np.empty(first, np.int64)
    rank = factor(corr, cond, first, chol, basis)
    of_pair, work = np.empty((2, first)), np.empty((first + ROWS_OF_WORK, 1))
    rho, var = given_each(corr, x, y, chol, basis, rank, cond[first:size], of_pair, work)
    return rho[0], rank + (var[0] >= TINY_VARIANCE)
