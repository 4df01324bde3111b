"""Degenerate Gaussian test: Wilks' Λ of the embedded columns of x and y given those of a set.

Λ = |S_xyZ| |S_Z| / (|S_xZ| |S_yZ|), from one Cholesky factor of the block (Z, x, y). Columns that those before them
determine are left out, so that degrees of freedom are ranks. Andrews, Ramsey and Cooper (2019), Learning
high-dimensional directed acyclic graphs with mixed data-types, PMLR 104.

Arrays of all functions here
----------------------------
block : (m, m) float64 array
    Correlations of the columns of Z, x and y, in its lower triangle.
chol : (m, m) float64 array
    Row i has the coordinates of column i in the span of the basis; for a basis column the last is its residual length.
left : (m, m) float64 array
    Scratch: covariances of the columns of y given the set, and their factor.
basis : (m,) int64 array
    The columns that those before them do not determine.
"""

import math

import numpy as np

from ..compiling import kernel
from .covariance_cache import fill_cached_block
from .embedded_covariance import add_columns, fill_correlations, record_rows, rows_of_pairs
from .partial_correlation import MAX_CORRELATION, TINY_VARIANCE

MIN_RATIO = 1e-15  # minimum residual share of the variance of a column of y; with less, x determines the column


@kernel
def decide_degenerate(sample, x, y, cond, size, scratch):
    """Perform one test; return (-m ln Λ, degrees of freedom, tested).

    Fisher's z with NaN degrees of freedom where x, y and the set are continuous. ``scratch.rows`` records the rows.

    Parameters
    ----------
    sample : EmbeddedSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : EmbeddedScratch
    """
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on the order of the arguments
    continuous = sample.continuous[x] and sample.continuous[y]
    for k in range(size):
        continuous = continuous and sample.continuous[cond[k]]
    n, log_lambda, rank, rank_x, rank_y, rho = wilks(sample, x, y, cond, size, scratch)
    record_rows(scratch.rows, n)
    return statistic_of(n, continuous, log_lambda, rank, rank_x, rank_y, rho)


@kernel
def wilks(sample, x, y, cond, size, scratch):
    """Return (rows, ln Λ, ranks of the set, of x and of y given it, ρ if x and y have one column each).

    Parameters
    ----------
    sample, x, y, cond, size, scratch
        As in `decide_degenerate`.
    """
    # Unpacked once: passing tuples of arrays to callees would cost more than the test.
    columns, nodes, first = scratch.columns, scratch.nodes[: size + 2], sample.first
    block, chol, left, basis = scratch.block, scratch.chol, scratch.left, scratch.basis
    nodes[size], nodes[size + 1] = x, y
    m = 0
    for k in range(size):
        nodes[k] = cond[k]
        m = add_columns(first, cond[k], columns, m)
    begin_x = m
    begin_y = add_columns(first, x, columns, begin_x)
    m = add_columns(first, y, columns, begin_y)
    n = sample.n
    if sample.sums.shape[0]:
        n = fill_cached_block(sample, nodes, block, scratch)
        if n == 0:
            return 0, 0.0, 0, 0, 0, 0.0
    else:
        fill_correlations(sample.corr, columns, m, block)
        if sample.pair_rows.shape[0]:
            n = rows_of_pairs(sample.pair_rows, nodes)
    log_lambda, rank, rank_x, rank_y, rho = wilks_of_block(block, begin_x, begin_y, m, chol, left, basis)
    return n, log_lambda, rank, rank_x, rank_y, rho


@kernel
def wilks_of_block(block, begin_x, begin_y, end, chol, left, basis):
    """Return (ln Λ, ranks of the set, of x and of y given it, ρ if x and y have one column each).

    Parameters
    ----------
    block, chol, left, basis
        As in the module's docstring.
    begin_x, begin_y : int
        First columns of x and of y in the block.
    end : int
        Number of columns.
    """
    rank, rank_x = factor_block(block, begin_x, begin_y, chol, basis)
    log_lambda, rank_y, rho = factor_y(block, chol, left, basis, rank, rank_x, begin_y, end)
    return log_lambda, rank, rank_x, rank_y, rho


@kernel
def statistic_of(n, continuous, log_lambda, rank, rank_x, rank_y, rho):
    """Return (statistic, degrees of freedom, tested) from Λ and the ranks.

    Parameters
    ----------
    n : int
        Number of rows.
    continuous : bool
        True: Fisher's z of `rho`.
    log_lambda : float
    rank, rank_x, rank_y : int
        Ranks of the set, of x and of y given it.
    rho : float
    """
    if continuous:
        return fisher_z_of(n, rho if rank_x * rank_y else 0.0, rank)
    return bartlett(n, log_lambda, rank, rank_x, rank_y)


@kernel
def fill_relatedness(sample, nothing, scratch, related):
    """Fill `related` with √(1 - Λ^(1/d)) of each pair, where d is the smaller of their ranks.

    Parameters
    ----------
    sample : EmbeddedSample
    nothing : (0,) int32 array
    scratch : EmbeddedScratch
    related : (p, p) float64 array
        Filled except for the diagonal.
    """
    p = related.shape[0]
    for x in range(p):
        for y in range(x + 1, p):
            _, log_lambda, _, rank_x, rank_y, _ = wilks(sample, x, y, nothing, 0, scratch)
            rank = max(min(rank_x, rank_y), 1)
            related[x, y] = related[y, x] = math.sqrt(max(-math.expm1(log_lambda / rank), 0.0))


@kernel
def fisher_z_of(n, rho, rank):
    """Return (z, NaN, tested) of a partial correlation `rho` given a set of that rank, from `n` rows."""
    room = n - rank - 3
    if room <= 0:
        return 0.0, np.nan, False
    return math.atanh(min(max(rho, -MAX_CORRELATION), MAX_CORRELATION)) * math.sqrt(room), np.nan, True


@kernel
def bartlett(n, log_lambda, rank, rank_x, rank_y):
    """Return (-m ln Λ, d_x d_y, tested), with Bartlett's m = n - 1 - rank(Z) - (d_x + d_y + 1) / 2.

    Not tested unless there are more rows than columns: otherwise Λ is 0 whatever the data are. Bartlett (1938), Further
    aspects of the theory of multiple regression.

    Parameters
    ----------
    n : int
        Number of rows.
    log_lambda : float
    rank, rank_x, rank_y : int
        Ranks of the set, of x and of y given it.
    """
    dof = float(rank_x * rank_y)
    if n - 1 - rank - rank_x - rank_y <= 0:
        return 0.0, dof, False
    return max(-(n - 1 - rank - 0.5 * (rank_x + rank_y + 1)) * log_lambda, 0.0), dof, True


@kernel
def factor_block(block, begin_x, end, chol, basis):
    """Factor the first columns of a block; return (rank of the columns before `begin_x`, rank of the others).

    Parameters
    ----------
    block, chol, basis
        As in the module's docstring; the last two are filled.
    begin_x : int
        First column that does not belong to the set.
    end : int
        Number of columns that are factored.
    """
    rank, rank_before = 0, 0
    for i in range(end):
        if i == begin_x:
            rank_before = rank
        left = whiten_row(block, chol, basis, rank, i)
        if left >= TINY_VARIANCE:
            chol[i, rank] = math.sqrt(left)
            basis[rank] = i
            rank += 1
    if begin_x >= end:
        rank_before = rank
    return rank_before, rank - rank_before


@kernel
def whiten_row(block, chol, basis, rank, i):
    """Write the coordinates of column i in the span of the basis to its row of `chol`; return the variance left.

    Parameters
    ----------
    block, chol, basis
        As in the module's docstring.
    rank : int
        Columns of the basis.
    i : int
    """
    left = block[i, i]
    for a in range(rank):
        j = basis[a]
        value = block[i, j]
        for b in range(a):
            value -= chol[i, b] * chol[j, b]
        value /= chol[j, a]
        chol[i, a] = value
        left -= value * value
    return left


@kernel
def factor_y(block, chol, left, basis, rank, rank_x, begin, end):
    """Return (ln Λ, rank of y given the set, ρ if x and y have one column each), after the set and x were factored.

    Parameters
    ----------
    block, chol, left, basis
        As in the module's docstring.
    rank, rank_x : int
        Ranks of the set and of x given it.
    begin, end : int
        The columns of y are ``begin .. end - 1``.
    """
    for i in range(begin, end):
        whiten_row(block, chol, basis, rank + rank_x, i)
        for j in range(begin, i + 1):
            total = block[i, j]
            for b in range(rank):
                total -= chol[i, b] * chol[j, b]
            left[i, j] = total
    # Pivots of y given the set; those given x as well are computed for the same columns.
    own = basis[rank + rank_x :]
    rank_y, ratio, rho = 0, 1.0, 0.0
    for i in range(begin, end):
        pivot = left[i, i]
        for a in range(rank_y):
            j = own[a]
            value = left[i, j]
            for b in range(a):
                value -= left[b, i] * left[b, j]
            value /= left[a, j]
            left[a, i] = value
            pivot -= value * value
        if pivot < TINY_VARIANCE:
            continue
        ratio *= variance_given_x(block, chol, own, rank + rank_x, rank_y, i) / pivot
        left[rank_y, i] = math.sqrt(pivot)
        own[rank_y] = i
        rank_y += 1
        rho = chol[i, rank] / math.sqrt(pivot) if rank_x else 0.0
    return math.log(min(max(ratio, MIN_RATIO), 1.0)), rank_y, rho


@kernel
def variance_given_x(block, chol, own, base, rank_y, i):
    """Return the variance of column i of y given the set, x and the columns of y before it.

    Parameters
    ----------
    block, chol
        As in the module's docstring.
    own : int64 array
        Basis of y: its independent columns so far.
    base : int
        Rank of the set and x together.
    rank_y : int
        Number of members of `own`.
    i : int
    """
    pivot = block[i, i]
    for b in range(base):
        pivot -= chol[i, b] * chol[i, b]
    for a in range(rank_y):
        j = own[a]
        value = 0.0
        if chol[j, base + a] > 0.0:
            value = block[i, j]
            for b in range(base + a):
                value -= chol[i, b] * chol[j, b]
            value /= chol[j, base + a]
        chol[i, base + a] = value
        pivot -= value * value
    chol[i, base + rank_y] = math.sqrt(pivot) if pivot >= TINY_VARIANCE else 0.0
    return max(pivot, 0.0)
