"""Multinomial logistic regression by Newton steps, on columns of which rows are picked.

A level c of the target but the base has coefficients B[c, 0 .. k], the first of a column of ones, in `coefs` one level
after the other. `label` (r,) int64 numbers the levels seen, the base last, and -1 for those not seen.
"""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..dots import LANES, dot
from .embedded import ROWS_AT_ONCE

RIDGE = 1e-6  # keeps columns that others determine, and levels that can be told for sure, from running away
MOST_STEPS = 25
LONGEST_STEP = 5.0  # of one coefficient of a standardised column
RUNNING = 8.0  # log odds beyond which coefficients may be on their way to infinity
ENOUGH = 1e-9  # likelihood still to be gained, at which the steps end
CLOSE = 1e-4  # so little that what a step gains is known without taking it, but where coefficients run away
CERTAIN = 15.0  # log odds beyond which a fitted share is 0 or 1


class LogisticScratch(NamedTuple):
    """Working memory for m coefficients of k columns and r levels.

    `gathered` and `weighted` (k + 1, `ROWS_AT_ONCE`), `shares` (r, `ROWS_AT_ONCE`), `counts` (`ROWS_AT_ONCE`,),
    `hessian` (m, m), `gradient`, `step` and `coefs` (m,) float64, `label` (r,) int64.
    """

    gathered: np.ndarray
    weighted: np.ndarray
    shares: np.ndarray
    counts: np.ndarray
    hessian: np.ndarray
    gradient: np.ndarray
    step: np.ndarray
    coefs: np.ndarray
    label: np.ndarray


@kernel
def number_levels(codes, picked, label):
    """Number the levels seen, the most frequent last; how many there are."""
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
    return seen + 1


@kernel
def maximise(codes, label, levels, cells, columns, often, picked, scratch):
    """(log-likelihood, whether a share ran to 0 or 1) at its maximum, from the coefficients in the scratch on."""
    width = columns.shape[0] + 1
    m = (levels - 1) * width
    coefs, step = scratch.coefs[:m], scratch.step[:m]
    gradient, hessian = scratch.gradient[:m], scratch.hessian[:m, :m]
    best, likelihood, odds = -np.inf, 0.0, 0.0
    for _ in range(MOST_STEPS):
        likelihood, odds = sweep(
            codes, label, levels, cells, columns, often, picked, coefs, scratch.gathered, scratch.weighted,
            scratch.shares, scratch.counts, gradient, hessian,
        )  # fmt: skip
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
def sweep(
    codes, label, levels, cells, columns, often, picked, coefs, gathered, weighted, shares, counts, gradient, hessian
):  # fmt: skip
    """(log-likelihood, largest log odds), its gradient and the lower triangle of minus its Hessian."""
    gradient[:] = 0.0
    hessian[:] = 0.0
    likelihood, odds = 0.0, 0.0
    for begin in range(0, picked.shape[0], ROWS_AT_ONCE):
        rows = picked[begin : begin + ROWS_AT_ONCE]
        filled = gather(cells, columns, rows, gathered)
        odds = max(odds, fill_shares(levels, columns.shape[0] + 1, coefs, gathered, filled, shares))
        for i in range(filled):
            counts[i] = often[rows[i]] if i < rows.shape[0] else 0.0
        for i in range(rows.shape[0]):
            likelihood += counts[i] * math.log(max(shares[label[codes[rows[i]]], i], 1e-300))
        add_hessian(levels, columns.shape[0] + 1, gathered, weighted, shares, counts, filled, hessian)
        add_gradient(codes, label, levels, columns.shape[0] + 1, rows, gathered, shares, counts, filled, gradient)
    return likelihood, odds


@kernel
def gather(cells, columns, rows, gathered):
    """Ones and the columns, in some rows, with zeros up to a multiple of `LANES`; how many that are."""
    filled = (rows.shape[0] + LANES - 1) // LANES * LANES
    for a in range(columns.shape[0] + 1):
        for i in range(rows.shape[0]):
            gathered[a, i] = cells[columns[a - 1], rows[i]] if a else 1.0
        for i in range(rows.shape[0], filled):
            gathered[a, i] = 0.0
    return filled


@kernel
def fill_shares(levels, width, coefs, gathered, filled, shares):
    """The fitted share of each level in each row, the base last; the largest log odds of a level and the base."""
    odds, base = 0.0, levels - 1
    for c in range(base):
        own = shares[c]
        for i in range(filled):
            own[i] = 0.0
        for a in range(width):
            b, column = coefs[c * width + a], gathered[a]
            for i in range(filled):
                own[i] += b * column[i]
    for i in range(filled):
        top, total = 0.0, 0.0
        for c in range(base):
            top = max(top, shares[c, i])
            odds = max(odds, abs(shares[c, i]))
        for c in range(base):
            shares[c, i] = math.exp(shares[c, i] - top)
            total += shares[c, i]
        shares[base, i] = math.exp(-top)
        total += shares[base, i]
        for c in range(levels):
            shares[c, i] /= total
    return odds


@kernel
def add_hessian(levels, width, gathered, weighted, shares, counts, filled, hessian):
    """Σ p_c (δ_cd - p_d) x x' over the rows, for the levels c >= d. The shares of the base are lost."""
    weight = shares[levels - 1]
    for c in range(levels - 1):
        for d in range(c + 1):
            one, other, same = shares[c], shares[d], 1.0 if c == d else 0.0
            for i in range(filled):
                weight[i] = counts[i] * one[i] * (same - other[i])
            for a in range(width):
                own, column = weighted[a], gathered[a]
                for i in range(filled):
                    own[i] = weight[i] * column[i]
            for a in range(width):
                for b in range(a + 1):
                    total = dot(weighted[a], gathered[b], filled)
                    hessian[c * width + a, d * width + b] += total
                    if b < a and d < c:
                        hessian[c * width + b, d * width + a] += total


@kernel
def add_gradient(codes, label, levels, width, rows, gathered, shares, counts, filled, gradient):
    """Σ (1_c - p_c) x over the rows; the shares become what is left of the cells."""
    for c in range(levels - 1):
        for i in range(rows.shape[0]):
            shares[c, i] = counts[i] * ((1.0 if label[codes[rows[i]]] == c else 0.0) - shares[c, i])
        for a in range(width):
            gradient[c * width + a] += dot(shares[c], gathered[a], filled)
