"""Multinomial logistic regression by Newton's method, on columns of selected rows.

Each level c of the target but the base level has the coefficients B[c, 0 .. k], the first of a column of ones.

Arguments of all functions here
-------------------------------
levels : int
    Levels of the target that occur, the base level last.
width : int
    Coefficients of a level: columns and the intercept.
cells : (q, n) float64 array
    Standardized columns.
columns : int64 array
    The columns that are used.
picked : (m,) int64 array
    The rows that are used, ascending.
coefs : float64 array
    Coefficients, one level after the other.
gradient, hessian : float64 arrays
    Derivatives of the log-likelihood; the Hessian is negated, and only its lower triangle counts.
gathered : (k + 2, `BLOCK`) float64 array
    The column of ones and the columns, in one block of rows.
own : float64 array
    Number of the level of each row.
counts : float64 array
    Weight of each row.
shares : (r, `BLOCK`) float64 array
    Log odds, then fitted probabilities, of each level.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arrays import copy, dot
from ..compiling import kernel
from ..exp_log import MAX_EXPONENT, exp_all, log_all
from ..tiles import BLOCK, add_products

RIDGE = 1e-6  # keeps the coefficients of collinear columns and of perfectly predicted levels finite
MAX_STEPS = 25
MAX_STEP = 5.0  # maximum change of one coefficient of a standardised column
DIVERGING_LOG_ODDS = 8.0  # larger log odds may mean that coefficients diverge
MIN_GAIN = 1e-9  # minimum gain of a Newton step, below which the fit has converged
SMALL_GAIN = 1e-4  # below it the second-order gain is exact enough, unless coefficients diverge
CERTAIN_LOG_ODDS = 15.0  # with larger log odds a fitted probability counts as 0 or 1


class LogisticScratch(NamedTuple):
    """Working memory for m coefficients of k columns and r levels, and for n rows.

    Attributes
    ----------
    gathered, weighted : (k + 2, `BLOCK`) float64 arrays
    shares : (r, `BLOCK`) float64 array
    spare : (2, `BLOCK`) float64 array
    own_log_odds, odds : (`BLOCK`,) float64 arrays
    sums : float64 array
        As in `tiles.add_products`.
    hessian : (m, m) float64 array
    gradient, step, coefs : (m,) float64 arrays
    label : (r,) int64 array
        Number of each level that occurs, the base level last; -1 for others.
    own, counts : (n + `BLOCK`,) float64 arrays
    """

    gathered: np.ndarray
    weighted: np.ndarray
    shares: np.ndarray
    spare: np.ndarray
    own_log_odds: np.ndarray
    odds: np.ndarray
    sums: np.ndarray
    hessian: np.ndarray
    gradient: np.ndarray
    step: np.ndarray
    coefs: np.ndarray
    label: np.ndarray
    own: np.ndarray
    counts: np.ndarray


@kernel
def number_levels(codes, often, picked, label, own, counts):
    """Number the levels that occur, the most frequent one last; return their number.

    Parameters
    ----------
    codes : (n,) integer array
        Level of each row.
    often : (n,) float64 array
        Weight of each row.
    picked
        As in the module's docstring.
    label : (r,) int64 array
        Filled with the numbers; -1 for levels that do not occur.
    own, counts
        As in the module's docstring; filled.
    """
    label[:] = 0
    for i in range(picked.shape[0]):
        label[codes[picked[i]]] += 1
    base, seen = np.argmax(label), 0
    for level in range(label.shape[0]):
        shown = label[level] > 0
        label[level] = -1
        if shown and level != base:
            label[level] = seen
            seen += 1
    label[base] = seen
    for i in range(picked.shape[0] + BLOCK):
        there = i < picked.shape[0]
        own[i] = label[codes[picked[i]]] if there else 0.0
        counts[i] = often[picked[i]] if there else 0.0
    return seen + 1


@kernel
def maximize_likelihood(levels, cells, columns, picked, scratch):
    """Maximize the log-likelihood, starting from the coefficients in `scratch`.

    Parameters
    ----------
    levels, cells, columns, picked
        As in the module's docstring.
    scratch : LogisticScratch

    Returns
    -------
    likelihood : float
    diverged : bool
        True if a fitted probability ran to 0 or 1.
    """
    width = columns.shape[0] + 1
    m = (levels - 1) * width
    coefs, step = scratch.coefs[:m], scratch.step[:m]
    gradient, hessian = scratch.gradient[:m], scratch.hessian[:m, :m]
    best, likelihood, odds = -np.inf, 0.0, 0.0
    for _ in range(MAX_STEPS):
        likelihood, odds = fill_derivatives(levels, cells, columns, picked, coefs, scratch, gradient, hessian)
        value = likelihood - add_ridge(coefs, gradient, hessian)
        if value < best - MIN_GAIN:  # overshot: halve the step
            for j in range(m):
                step[j] *= 0.5
                coefs[j] -= step[j]
            continue
        best = value
        gain = newton_step(hessian, gradient, step)
        if gain < MIN_GAIN:
            return likelihood, odds > CERTAIN_LOG_ODDS
        for j in range(m):
            coefs[j] += step[j]
        if gain < SMALL_GAIN and odds < DIVERGING_LOG_ODDS:
            return likelihood + gain, False
    return likelihood, True


@kernel
def add_ridge(coefs, gradient, hessian):
    """Add the ridge penalty to the gradient and the Hessian; return its value."""
    total = 0.0
    for j in range(coefs.shape[0]):
        total += 0.5 * RIDGE * coefs[j] * coefs[j]
        gradient[j] -= RIDGE * coefs[j]
        hessian[j, j] += RIDGE
    return total


@kernel
def newton_step(hessian, gradient, step):
    """Solve for the Newton step, shortened if necessary; return its second-order gain.

    The Hessian becomes its Cholesky factor.
    """
    m = gradient.shape[0]
    for i in range(m):
        for j in range(i + 1):
            total = hessian[i, j]
            for k in range(j):
                total -= hessian[i, k] * hessian[j, k]
            hessian[i, j] = math.sqrt(max(total, RIDGE * RIDGE)) if i == j else total / hessian[j, j]
        total = gradient[i]
        for k in range(i):
            total -= hessian[i, k] * step[k]
        step[i] = total / hessian[i, i]
    gain, longest = 0.0, 0.0
    for i in range(m - 1, -1, -1):
        gain += 0.5 * step[i] * step[i]
        total = step[i]
        for k in range(i + 1, m):
            total -= hessian[k, i] * step[k]
        step[i] = total / hessian[i, i]
        longest = max(longest, abs(step[i]))
    if longest > MAX_STEP:
        for i in range(m):
            step[i] *= MAX_STEP / longest
    return gain


@kernel
def fill_derivatives(levels, cells, columns, picked, coefs, scratch, gradient, hessian):
    """Compute the gradient and the Hessian; return (log-likelihood, largest log odds).

    Parameters
    ----------
    levels, cells, columns, picked, coefs, gradient, hessian
        As in the module's docstring.
    scratch : LogisticScratch
    """
    gathered, weighted, shares, spare = scratch.gathered, scratch.weighted, scratch.shares, scratch.spare
    own_log_odds, odds, sums = scratch.own_log_odds, scratch.odds, scratch.sums
    width, likelihood = columns.shape[0] + 1, 0.0
    gradient[:] = 0.0
    hessian[:] = 0.0
    odds[:] = 0.0
    for begin in range(0, picked.shape[0], BLOCK):
        own, counts = scratch.own[begin : begin + BLOCK], scratch.counts[begin : begin + BLOCK]
        gather_rows(cells, columns, picked[begin : begin + BLOCK], gathered)
        fill_odds(levels, width, coefs, gathered, own, shares, own_log_odds, odds)
        fill_shares(levels, shares, own_log_odds, spare)
        likelihood += dot(counts, own_log_odds, BLOCK)
        add_hessian(levels, width, gathered, weighted, shares, counts, sums, hessian)
        fill_residuals(levels, own, counts, shares)
        rest, columns_of_all = shares.reshape(-1), gathered.reshape(-1)
        add_products(rest, levels - 1, columns_of_all, width, False, sums, gradient.reshape(levels - 1, width))
    mirror_blocks(levels, width, hessian)
    return likelihood, odds.max()


@kernel
def gather_rows(cells, columns, rows, gathered):
    """Fill the column of ones and the columns for some rows, padded with zeros to a block.

    Parameters
    ----------
    cells, columns, gathered
        As in the module's docstring.
    rows : int64 array
    """
    for i in range(BLOCK):
        gathered[0, i] = 1.0 if i < rows.shape[0] else 0.0  # otherwise padding would have log odds
    for a in range(columns.shape[0]):
        gather_column(cells[columns[a]], rows, gathered[a + 1])


@kernel
def gather_column(column, rows, target):
    """Copy the cells of a column in some ascending rows to `target`, padded with zeros to a block."""
    m = rows.shape[0]
    for i in range(m, BLOCK):
        target[i] = 0.0
    if rows[m - 1] - rows[0] == m - 1:  # contiguous rows
        copy(column[rows[0] : rows[0] + m], target)
        return
    for i in range(m):
        target[i] = column[rows[i]]


@kernel
def fill_odds(levels, width, coefs, gathered, own, shares, own_log_odds, odds):
    """Compute the log odds of each level against the base level.

    Parameters
    ----------
    levels, width, coefs, gathered, own, shares
        As in the module's docstring; `shares` is filled.
    own_log_odds : (`BLOCK`,) float64 array
        Filled with the log odds of each row's own level.
    odds : (`BLOCK`,) float64 array
        Raised to the largest absolute log odds of each row.
    """
    for i in range(BLOCK):
        own_log_odds[i] = 0.0
    for c in range(levels - 1):
        line = shares[c]
        for i in range(BLOCK):
            line[i] = 0.0
        for a in range(width):
            b, column = coefs[c * width + a], gathered[a]
            for i in range(BLOCK):
                line[i] += b * column[i]
        for i in range(BLOCK):
            line[i] = min(max(line[i], -MAX_EXPONENT), MAX_EXPONENT)
        for i in range(BLOCK):
            own_log_odds[i] += line[i] if own[i] == c else 0.0
        for i in range(BLOCK):
            odds[i] = max(odds[i], abs(line[i]))


@kernel
def fill_shares(levels, shares, own_log_odds, spare):
    """Convert log odds to fitted probabilities.

    Parameters
    ----------
    levels, shares
        As in the module's docstring.
    own_log_odds : (`BLOCK`,) float64 array
        Becomes the logarithm of the probability of each row's own level.
    spare : (2, `BLOCK`) float64 array
        Scratch.
    """
    total, scale = spare[0], spare[1]
    for i in range(BLOCK):
        total[i] = 1.0
    for c in range(levels - 1):
        exp_all(shares[c], BLOCK, scale)
        line = shares[c]
        for i in range(BLOCK):
            total[i] += line[i]
    for c in range(levels - 1):
        line = shares[c]
        for i in range(BLOCK):
            line[i] = np.divide(line[i], total[i])
    log_all(total, BLOCK, scale)
    for i in range(BLOCK):
        own_log_odds[i] -= total[i]


@kernel
def add_hessian(levels, width, gathered, weighted, shares, counts, sums, hessian):
    """Add Σ p_c (δ_cd - p_d) x x' over a block of rows, for the levels c >= d: the lower triangle of each part.

    Parameters
    ----------
    levels, width, gathered, shares, counts, hessian
        As in the module's docstring.
    weighted : (k + 2, `BLOCK`) float64 array
        Scratch.
    sums : float64 array
        Scratch.
    """
    weight = weighted[0]  # weights for the column of ones
    for c in range(levels - 1):
        for d in range(c + 1):
            one, other, same = shares[c], shares[d], 1.0 if c == d else 0.0
            for i in range(BLOCK):
                weight[i] = counts[i] * one[i] * (same - other[i])
            for a in range(1, width):
                own, column = weighted[a], gathered[a]
                for i in range(BLOCK):
                    own[i] = weight[i] * column[i]
            part = hessian[c * width : (c + 1) * width, d * width : (d + 1) * width]
            add_products(weighted.reshape(-1), width, gathered.reshape(-1), width, True, sums, part)


@kernel
def mirror_blocks(levels, width, hessian):
    """Copy the lower triangle of each of the Hessian's parts for two levels to its upper triangle."""
    for c in range(levels - 1):
        for d in range(c):
            for a in range(width):
                for b in range(a):
                    hessian[c * width + b, d * width + a] = hessian[c * width + a, d * width + b]


@kernel
def fill_residuals(levels, own, counts, shares):
    """Replace the fitted probabilities by the residuals: counts (1_c - p_c).

    Parameters
    ----------
    levels, own, counts, shares
        As in the module's docstring.
    """
    for c in range(levels - 1):
        line = shares[c]
        for i in range(BLOCK):
            line[i] = counts[i] * ((1.0 if own[i] == c else 0.0) - line[i])
