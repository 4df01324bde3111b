"""Multinomial logistic regression by Newton steps, on columns of which rows are picked.

A level c of the target but the base has coefficients B[c, 0 .. k], the first of a column of ones, in `coefs` one level
after the other. `label` (r,) int64 numbers the levels seen, the base last, and -1 for those not seen.
"""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..dots import dot
from ..elementary import MOST, exp_all, log_all
from ..tiles import BLOCK, add_products

RIDGE = 1e-6  # keeps columns that others determine, and levels that can be told for sure, from running away
MOST_STEPS = 25
LONGEST_STEP = 5.0  # of one coefficient of a standardised column
RUNNING = 8.0  # log odds beyond which coefficients may be on their way to infinity
ENOUGH = 1e-9  # likelihood still to be gained, at which the steps end
CLOSE = 1e-4  # so little that what a step gains is known without taking it, but where coefficients run away
CERTAIN = 15.0  # log odds beyond which a fitted share is 0 or 1


class LogisticScratch(NamedTuple):
    """Working memory for m coefficients of k columns and r levels.

    `gathered` and `weighted` (k + 2, `BLOCK`), `shares` (r, `BLOCK`), `spare` (2, `BLOCK`), `told` and `odds`
    (`BLOCK`,), `sums` as in `add_products`, `hessian` (m, m), `gradient`, `step` and `coefs` (m,) float64, `label` (r,)
    int64. Of n rows and `BLOCK` more: `own` the number of the level, and `counts` the weight, float64.
    """

    gathered: np.ndarray
    weighted: np.ndarray
    shares: np.ndarray
    spare: np.ndarray
    told: np.ndarray
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
    """Number the levels seen, the most frequent last; how many there are. Fill those of the rows, and their weights."""
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
def maximise(levels, cells, columns, picked, scratch):
    """(log-likelihood, whether a share ran to 0 or 1) at its maximum, from the coefficients in the scratch on."""
    width = columns.shape[0] + 1
    m = (levels - 1) * width
    coefs, step = scratch.coefs[:m], scratch.step[:m]
    gradient, hessian = scratch.gradient[:m], scratch.hessian[:m, :m]
    best, likelihood, odds = -np.inf, 0.0, 0.0
    for _ in range(MOST_STEPS):
        likelihood, odds = sweep(levels, cells, columns, picked, coefs, scratch, gradient, hessian)
        value = likelihood - penalise(coefs, gradient, hessian)
        if value < best - ENOUGH:  # too far: half of the way back
            for j in range(m):
                step[j] *= 0.5
                coefs[j] -= step[j]
            continue
        best = value
        gain = newton_step(hessian, gradient, step)
        if gain < ENOUGH:
            return likelihood, odds > CERTAIN
        for j in range(m):
            coefs[j] += step[j]
        if gain < CLOSE and odds < RUNNING:
            return likelihood + gain, False
    return likelihood, True


@kernel
def penalise(coefs, gradient, hessian):
    """Take the ridge into the gradient and the Hessian; what it takes from the likelihood."""
    total = 0.0
    for j in range(coefs.shape[0]):
        total += 0.5 * RIDGE * coefs[j] * coefs[j]
        gradient[j] -= RIDGE * coefs[j]
        hessian[j, j] += RIDGE
    return total


@kernel
def newton_step(hessian, gradient, step):
    """Solve for the step, shortened if too long; what it gains to second order. The Hessian becomes its factor."""
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
    if longest > LONGEST_STEP:
        for i in range(m):
            step[i] *= LONGEST_STEP / longest
    return gain


@kernel
def sweep(levels, cells, columns, picked, coefs, scratch, gradient, hessian):
    """(log-likelihood, largest log odds), its gradient and the lower triangle of minus its Hessian."""
    gathered, weighted, shares, spare = scratch.gathered, scratch.weighted, scratch.shares, scratch.spare
    told, odds, sums = scratch.told, scratch.odds, scratch.sums
    width, likelihood = columns.shape[0] + 1, 0.0
    gradient[:] = 0.0
    hessian[:] = 0.0
    odds[:] = 0.0
    for begin in range(0, picked.shape[0], BLOCK):
        own, counts = scratch.own[begin : begin + BLOCK], scratch.counts[begin : begin + BLOCK]
        gather(cells, columns, picked[begin : begin + BLOCK], gathered)
        fill_odds(levels, width, coefs, gathered, own, shares, told, odds)
        fill_shares(levels, shares, told, spare)
        likelihood += dot(counts, told, BLOCK)
        add_hessian(levels, width, gathered, weighted, shares, counts, sums, hessian)
        keep_rest(levels, own, counts, shares)
        rest, columns_of_all = shares.reshape(-1), gathered.reshape(-1)
        add_products(rest, levels - 1, columns_of_all, width, False, sums, gradient.reshape(levels - 1, width))
    mirror(levels, width, hessian)
    return likelihood, odds.max()


@kernel
def gather(cells, columns, rows, gathered):
    """Ones and the columns, in some rows, with zeros up to a block."""
    for i in range(BLOCK):
        gathered[0, i] = 1.0 if i < rows.shape[0] else 0.0  # or log odds of no row would count
    for a in range(columns.shape[0]):
        pick(cells[columns[a]], rows, gathered[a + 1])


@kernel
def pick(column, rows, target):
    """The cells of a column in some rows, ascending; zeros up to a block."""
    m = rows.shape[0]
    for i in range(m, BLOCK):
        target[i] = 0.0
    if rows[m - 1] - rows[0] == m - 1:  # as they lie
        copy(column[rows[0] : rows[0] + m], target)
        return
    for i in range(m):
        target[i] = column[rows[i]]


@kernel
def fill_odds(levels, width, coefs, gathered, own, shares, told, odds):
    """The log odds of each level and the base in each row; `told` gets those of the row's own, `odds` the largest."""
    for i in range(BLOCK):
        told[i] = 0.0
    for c in range(levels - 1):
        line = shares[c]
        for i in range(BLOCK):
            line[i] = 0.0
        for a in range(width):
            b, column = coefs[c * width + a], gathered[a]
            for i in range(BLOCK):
                line[i] += b * column[i]
        for i in range(BLOCK):
            line[i] = min(max(line[i], -MOST), MOST)
        for i in range(BLOCK):
            told[i] += line[i] if own[i] == c else 0.0
        for i in range(BLOCK):
            odds[i] = max(odds[i], abs(line[i]))


@kernel
def fill_shares(levels, shares, told, spare):
    """From the log odds the fitted shares; `told` becomes the logarithm of the share of the row's own level."""
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
        told[i] -= total[i]


@kernel
def add_hessian(levels, width, gathered, weighted, shares, counts, sums, hessian):
    """Σ p_c (δ_cd - p_d) x x' over the rows, for the levels c >= d: the lower triangle of each."""
    weight = weighted[0]  # that of the column of ones
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
def mirror(levels, width, hessian):
    """The upper triangles of the Hessian's parts for two levels, which are those below."""
    for c in range(levels - 1):
        for d in range(c):
            for a in range(width):
                for b in range(a):
                    hessian[c * width + b, d * width + a] = hessian[c * width + a, d * width + b]


@kernel
def keep_rest(levels, own, counts, shares):
    """What the fitted shares leave of the cells: counts (1_c - p_c)."""
    for c in range(levels - 1):
        line = shares[c]
        for i in range(BLOCK):
            line[i] = counts[i] * ((1.0 if own[i] == c else 0.0) - line[i])
