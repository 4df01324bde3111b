"""Partial correlations from a correlation matrix, also given singular sets.

A set is factored once, R_ZZ = L Lᵀ without its redundant members, and serves any number of pairs. With the coordinates
w(x) of x in the span of the set, L w(x) = R_Zx, the residual covariance of x and y is R_xy - w(x)·w(y). The result is
never NaN: a variable that the set determines is constant given the set, so its ρ with all others is 0.

The loops run over many variables for one member of the set after the other, so that the compiler vectorizes them.
`np.divide` does not check for division by 0, which would prevent that.

Arrays of all functions here
----------------------------
corr : (p, p) float64 array
    Correlations, in C order.
chol : (size, size) float64 array
    Factor L of a set below the diagonal, the inverse of L's diagonal on it.
basis : (size,) int64 array
    The members that those before them do not determine.
rank : int
    Number of these members.
of_pair : (2, size) float64 array
    Coordinates of x and of y in the span of the set.
"""

import math

import numpy as np

from ..compiling import kernel

TINY_VARIANCE = 1e-12  # a variable with less variance left is a function of the set
MAX_CORRELATION = 1.0 - 1e-15  # keeps atanh finite for a variable and its copy
BLOCK = 256  # partners processed at a time, so that their coordinates stay in the L1 cache
EXTRA_WORK_ROWS = 3  # rows of `work` in addition to one for each member of the set


@kernel
def whiten(corr, chol, basis, rank, x, out, row):
    """Write the coordinates of x in the span of the set to a row of `out`; return the variance left.

    Parameters
    ----------
    corr, chol, basis, rank
        As in the module's docstring.
    x : int
    out : float64 array
        At least `rank` columns.
    row : int
        Row of `out` that is filled.
    """
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
    """Factor the first `size` members of `cond`; return their rank.

    A rank below `size` means that the set is redundant; using `basis` in its place changes nothing.

    Parameters
    ----------
    corr, chol, basis
        As in the module's docstring; the last two are filled.
    cond : integer array
    size : int
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
def explained_covariance(of_pair, rank):
    """Return the covariance of x and y that the set explains, from their coordinates in `of_pair`."""
    total = 0.0
    for a in range(rank):
        total += of_pair[0, a] * of_pair[1, a]
    return total


@kernel
def to_correlation(covariance, var_x, var_y):
    """Return ρ from a residual covariance and two residual variances; 0 where a variance vanishes."""
    rho = np.divide(covariance, math.sqrt(max(var_x, TINY_VARIANCE) * max(var_y, TINY_VARIANCE)))
    return min(max(rho, -MAX_CORRELATION), MAX_CORRELATION) if min(var_x, var_y) >= TINY_VARIANCE else 0.0


@kernel
def whiten_each(corr, chol, basis, rank, nodes, begin, end, work):
    """Compute the coordinates of many nodes, as `whiten`.

    Parameters
    ----------
    corr, chol, basis, rank
        As in the module's docstring.
    nodes : integer array
    begin, end : int
        The nodes are ``nodes[begin:end]``.
    work : float64 array
        Column t gets the coordinates of ``nodes[begin + t]`` and, in row `rank`, the variance left.
    """
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
    """Write the residual covariances of x with many nodes to row ``rank + 1 + side`` of `work`.

    Parameters
    ----------
    corr, of_pair, rank
        As in the module's docstring.
    x : int
    side : int
        Row of `of_pair` with the coordinates of x.
    nodes, begin, end, work
        As in `whiten_each`, which must have been called.
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
    """Write ρ of a node with each partner, given the factored set, to `out`.

    A member of the set gets 0, as do all partners if the set determines the node; the node itself gets
    `MAX_CORRELATION`.

    Parameters
    ----------
    corr, chol, basis, rank
        As in the module's docstring.
    i : int
    partners : (m,) integer array
    out : (m,) float64 array
    """
    m = partners.shape[0]
    of_pair, work = np.empty((1, rank)), np.empty((rank + 2, min(m, BLOCK)))
    var_i = whiten(corr, chol, basis, rank, i, of_pair, 0)
    for begin in range(0, m, BLOCK):
        end = min(m, begin + BLOCK)
        whiten_each(corr, chol, basis, rank, partners, begin, end, work)
        covariances_with(corr, i, of_pair, 0, rank, partners, begin, end, work)
        for t in range(end - begin):
            out[begin + t] = to_correlation(work[rank + 1, t], var_i, work[rank, t])


@kernel
def partial_correlations_given_each(corr, x, y, chol, basis, rank, nodes, begin, end, of_pair, work):
    """Compute ρ of x and y given the factored set and one more node, for each of many nodes.

    Parameters
    ----------
    corr, chol, basis, rank, of_pair
        As in the module's docstring; `of_pair` is scratch.
    x, y : int
    nodes, begin, end
        As in `whiten_each`.
    work : (rank + `EXTRA_WORK_ROWS` or more, end - begin or more) float64 array
        Row `rank` gets the residual variances of the nodes, row ``rank + 1`` gets ρ. A node with a variance below
        `TINY_VARIANCE` changes nothing.
    """
    var_x = whiten(corr, chol, basis, rank, x, of_pair, 0)
    var_y = whiten(corr, chol, basis, rank, y, of_pair, 1)
    left = corr[x, y] - explained_covariance(of_pair, rank)
    whiten_each(corr, chol, basis, rank, nodes, begin, end, work)
    covariances_with(corr, x, of_pair, 0, rank, nodes, begin, end, work)
    covariances_with(corr, y, of_pair, 1, rank, nodes, begin, end, work)
    for t in range(end - begin):
        var, u, v = work[rank, t], work[rank + 1, t], work[rank + 2, t]
        inverse = np.divide(1.0, var) if var >= TINY_VARIANCE else 0.0
        work[rank + 1, t] = to_correlation(left - u * v * inverse, var_x - u * u * inverse, var_y - v * v * inverse)


@kernel
def partial_correlation(corr, x, y, cond, size):
    """Return (ρ of x and y given the first `size` members of `cond`, rank of these members).

    Parameters
    ----------
    corr : (p, p) float64 array
    x, y : int
    cond : (k,) int32 array
    size : int
    """
    if size == 0:
        return to_correlation(corr[x, y], 1.0, 1.0), 0
    chol, basis = np.empty((size, size)), np.empty(size, np.int64)
    of_pair, work = np.empty((2, size)), np.empty((size + EXTRA_WORK_ROWS, 1))
    rank = factor(corr, cond, size - 1, chol, basis)
    partial_correlations_given_each(corr, x, y, chol, basis, rank, cond, size - 1, size, of_pair, work)
    return work[rank + 1, 0], rank + (work[rank, 0] >= TINY_VARIANCE)
