"""The degenerate Gaussian test: Wilks' Λ of the embedded columns of x and y given those of a set.

Λ = |S_xyZ| |S_Z| / (|S_xZ| |S_yZ|), from one Cholesky factor of the block (Z, x, y). Columns that those before them
determine are left out, so degrees of freedom are ranks.
"""

import math

import numpy as np

from ..compiling import kernel
from .embedded import add_columns, fill_known, note_rows
from .kept_blocks import fill_kept
from .partial_correlation import LARGEST, TINY_VARIANCE

LEAST = 1e-15  # share of a variance that is left where x determines a column of y


@kernel
def decide_degenerate(sample, x, y, cond, size, scratch):
    """(statistic, dof, tested): -m ln Λ, or Fisher's z with dof NaN where x, y and the set are continuous.

    `scratch.rows` takes note of the number of rows.
    """
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on who asks
    continuous = sample.continuous[x] and sample.continuous[y]
    for k in range(size):
        continuous = continuous and sample.continuous[cond[k]]
    n, log_lambda, rank, rank_x, rank_y, rho = wilks(sample, x, y, cond, size, scratch)
    note_rows(scratch.rows, n)
    return test_of(n, continuous, log_lambda, rank, rank_x, rank_y, rho)


@kernel
def wilks(sample, x, y, cond, size, scratch):
    """(rows, ln Λ, ranks of the set, of x and of y given it, ρ where both are one column)."""
    # Taken apart at once: handing tuples of arrays further down would cost more than the test.
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
        n = fill_kept(sample, nodes, block, scratch)
        if n == 0:
            return 0, 0.0, 0, 0, 0, 0.0
    else:
        fill_known(sample.corr, columns, m, block)
    log_lambda, rank, rank_x, rank_y, rho = wilks_of_block(block, begin_x, begin_y, m, chol, left, basis)
    return n, log_lambda, rank, rank_x, rank_y, rho


@kernel
def wilks_of_block(block, begin_x, begin_y, end, chol, left, basis):
    """(ln Λ, ranks of the set, of x and of y given it, ρ where both are one column).

    The lower triangle of `block` holds the set's columns, those of x from `begin_x`, and those of y from `begin_y`.
    """
    rank, rank_x = factor_block(block, begin_x, begin_y, chol, basis)
    log_lambda, rank_y, rho = part_of_y(block, chol, left, basis, rank, rank_x, begin_y, end)
    return log_lambda, rank, rank_x, rank_y, rho


@kernel
def test_of(n, continuous, log_lambda, rank, rank_x, rank_y, rho):
    """(statistic, dof, tested) from Λ and the ranks."""
    if continuous:
        return fisher_z_of(n, rho if rank_x * rank_y else 0.0, rank)
    return bartlett(n, log_lambda, rank, rank_x, rank_y)


@kernel
def marginal_lambda(sample, x, y, nothing, scratch):
    """ln Λ of x and y alone, and the smaller rank."""
    _, log_lambda, _, rank_x, rank_y, _ = wilks(sample, min(x, y), max(x, y), nothing, 0, scratch)
    return log_lambda, min(rank_x, rank_y)


@kernel
def fisher_z_of(n, rho, rank):
    """Fisher's z of a partial correlation."""
    room = n - rank - 3
    if room <= 0:
        return 0.0, np.nan, False
    return math.atanh(min(max(rho, -LARGEST), LARGEST)) * math.sqrt(room), np.nan, True


@kernel
def bartlett(n, log_lambda, rank, rank_x, rank_y):
    """-m ln Λ with m = n - 1 - rank(Z) - (d_x + d_y + 1) / 2, against χ² with d_x d_y degrees of freedom.

    Not tested without a row left beside the columns: Λ is then 0 whatever the data are.
    """
    dof = float(rank_x * rank_y)
    if n - 1 - rank - rank_x - rank_y <= 0:
        return 0.0, dof, False
    return max(-(n - 1 - rank - 0.5 * (rank_x + rank_y + 1)) * log_lambda, 0.0), dof, True


@kernel
def factor_block(block, begin_x, end, chol, basis):
    """Factor the first `end` columns of the lower triangle; (rank of those before `begin_x`, of the others).

    Row i of `chol` gets the coordinates of column i, on its own place the inverse of its length; `basis` the columns
    that the ones before them do not determine.
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
    """Coordinates of column i in the span of the basis, into its row of `chol`; the variance left."""
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
def part_of_y(block, chol, left, basis, rank, rank_x, begin, end):
    """(ln Λ, rank of y given the set, ρ of x and y where both are one column), x and the set being factored."""
    for i in range(begin, end):
        whiten_row(block, chol, basis, rank + rank_x, i)
        for j in range(begin, i + 1):
            total = block[i, j]
            for b in range(rank):
                total -= chol[i, b] * chol[j, b]
            left[i, j] = total
    # Pivots of y given the set; those given x as well are found beside them, on the same columns.
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
        ratio *= given_x(block, chol, own, rank + rank_x, rank_y, i) / pivot
        left[rank_y, i] = math.sqrt(pivot)
        own[rank_y] = i
        rank_y += 1
        rho = chol[i, rank] / math.sqrt(pivot) if rank_x else 0.0
    return math.log(min(max(ratio, LEAST), 1.0)), rank_y, rho


@kernel
def given_x(block, chol, own, base, rank_y, i):
    """Variance of column i of y that the set, x and the columns `own` of y before it leave."""
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
