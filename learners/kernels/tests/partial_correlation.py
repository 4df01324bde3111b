"""Partial correlations from a correlation matrix, guarded against singular sets.

A set is factored once, R_ZZ = L Lᵀ without its redundant members, and serves any number of pairs. With w(x) the
coordinates of x in the span of the set, L w(x) = R_Zx, the residual covariance of x and y is R_xy - w(x)·w(y). Nothing
is ever NaN: a variable that the set determines has ρ = 0 with all others, for given the set it is a constant.

`corr` (p, p) is in C order; `chol`, `basis` and `rank` are a factored set as `factor` leaves it. The loops run over
many variables at a time, one member of the set after the other, so that processors do several at once; numba would not
let them if it had to check for a division by 0, which `np.divide` does not.
"""

import math

import numpy as np

from ..compiling import kernel

TINY_VARIANCE = 1e-12  # a variable with less variance left is a function of the set
LARGEST = 1.0 - 1e-15  # keeps atanh finite for a variable and its copy
BLOCK = 256  # partners of a sweep at a time, so that their coordinates stay in the first cache
ROWS_OF_WORK = 3  # rows that `given_each` needs beside one for each member of the set


@kernel
def whiten(corr, chol, basis, rank, x, out, row):
    """Coordinates of x in the span of the set, into a row of `out` (., rank or more); return the variance left."""
    left = 1.0
    for a in range(rank):
        value = corr[basis[a], x]
        for b in range(a):
            value -= chol[a, b] * out[row, b]
        out[row, a] = value * chol[a, a]
        left -= out[row, a] * out[row, a]
    return left


@kernel
def factor(corr, cond, size, chol, basis):
    """Factor the first `size` columns of `cond`; return their rank.

    `basis` (size,) int64 gets the members that the ones before them do not determine, and `chol` (size, size) below
    its diagonal the factor L of their correlations, on it the inverse of L's. A rank below `size` says that the set
    is redundant: to skip it loses nothing, to use it is to use `basis`.
    """
    rank = 0
    for k in range(size):
        left = whiten(corr, chol, basis, rank, cond[k], chol, rank)
        if left >= TINY_VARIANCE:
            chol[rank, rank] = 1.0 / math.sqrt(left)
            basis[rank] = cond[k]
            rank += 1
    return rank


@kernel
def explained(of_pair, rank):
    """Covariance of x and y that the set explains; their coordinates are rows 0 and 1 of `of_pair`."""
    total = 0.0
    for a in range(rank):
        total += of_pair[0, a] * of_pair[1, a]
    return total


@kernel
def ratio(covariance, var_x, var_y):
    """ρ from what the set leaves of a covariance and two variances."""
    rho = np.divide(covariance, math.sqrt(max(var_x, TINY_VARIANCE) * max(var_y, TINY_VARIANCE)))
    return min(max(rho, -LARGEST), LARGEST) if min(var_x, var_y) >= TINY_VARIANCE else 0.0


@kernel
def whiten_each(corr, chol, basis, rank, nodes, begin, end, work):
    """`whiten` for ``nodes[begin:end]``: column t of `work` gets the coordinates of ``nodes[begin + t]`` and, in row
    `rank`, the variance left."""
    m = end - begin
    for t in range(m):
        work[rank, t] = 1.0
    for a in range(rank):
        z, scale = basis[a], chol[a, a]
        for t in range(m):
            work[a, t] = corr[z, nodes[begin + t]]
        for b in range(a):
            weight = chol[a, b]
            for t in range(m):
                work[a, t] -= weight * work[b, t]
        for t in range(m):
            work[a, t] *= scale
            work[rank, t] -= work[a, t] * work[a, t]


@kernel
def covariances_with(corr, x, of_pair, side, rank, nodes, begin, end, work):
    """What the set leaves of the covariances of x with ``nodes[begin:end]``, into row ``rank + 1 + side`` of `work`.

    The coordinates of x are in row `side` of `of_pair`, those of the nodes in `work` as `whiten_each` leaves them.
    """
    row = rank + 1 + side
    for t in range(end - begin):
        work[row, t] = corr[x, nodes[begin + t]]
    for a in range(rank):
        weight = of_pair[side, a]
        for t in range(end - begin):
            work[row, t] -= weight * work[a, t]


@kernel
def partial_correlations_with(corr, i, chol, basis, rank, partners, out):
    """ρ of node i with each of `partners` (m,) given the factored set, into `out` (m,).

    A member of the set gets 0, as does everything if the set determines i; i itself gets `LARGEST`.
    """
    m = partners.shape[0]
    of_pair, work = np.empty((1, rank)), np.empty((rank + 2, min(m, BLOCK)))
    var_i = whiten(corr, chol, basis, rank, i, of_pair, 0)
    for begin in range(0, m, BLOCK):
        end = min(m, begin + BLOCK)
        whiten_each(corr, chol, basis, rank, partners, begin, end, work)
        covariances_with(corr, i, of_pair, 0, rank, partners, begin, end, work)
        for t in range(end - begin):
            out[begin + t] = ratio(work[rank + 1, t], var_i, work[rank, t])


@kernel
def given_each(corr, x, y, chol, basis, rank, nodes, begin, end, of_pair, work):
    """ρ of x and y given the factored set and one more node, for each of ``nodes[begin:end]``.

    Row `rank` of `work` gets the variances that the set leaves of the nodes, row ``rank + 1`` gets ρ; a node with a
    variance below `TINY_VARIANCE` adds nothing. Scratch: `of_pair` (2, rank or more), `work` (rank + `ROWS_OF_WORK` or
    more, end - begin or more).
    """
    var_x = whiten(corr, chol, basis, rank, x, of_pair, 0)
    var_y = whiten(corr, chol, basis, rank, y, of_pair, 1)
    left = corr[x, y] - explained(of_pair, rank)
    whiten_each(corr, chol, basis, rank, nodes, begin, end, work)
    covariances_with(corr, x, of_pair, 0, rank, nodes, begin, end, work)
    covariances_with(corr, y, of_pair, 1, rank, nodes, begin, end, work)
    for t in range(end - begin):
        var, u, v = work[rank, t], work[rank + 1, t], work[rank + 2, t]
        inverse = np.divide(1.0, var) if var >= TINY_VARIANCE else 0.0
        work[rank + 1, t] = ratio(left - u * v * inverse, var_x - u * u * inverse, var_y - v * v * inverse)


@kernel
def partial_correlation(corr, x, y, cond, size):
    """(ρ, rank): correlation of x and y given the first `size` columns of `cond`, and the rank of those columns."""
    if size == 0:
        return ratio(corr[x, y], 1.0, 1.0), 0
    chol, basis = np.empty((size, size)), np.empty(size, np.int64)
    of_pair, work = np.empty((2, size)), np.empty((size + ROWS_OF_WORK, 1))
    rank = factor(corr, cond, size - 1, chol, basis)
    given_each(corr, x, y, chol, basis, rank, cond, size - 1, size, of_pair, work)
    return work[rank + 1, 0], rank + (work[rank, 0] >= TINY_VARIANCE)
