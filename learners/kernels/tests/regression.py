"""The test by regression: each pair by the model that its kinds call for (Tsagris et al. 2018).

A continuous x or y: linear regression, which is Wilks' Λ. Both categorical: G² where the set is categorical and the
rows allow it, else multinomial logistic regression of the one with fewer levels, with and without the other.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..counting.available import mark_available, pick_rows
from .available_counts import HoledSample, HoledScratch, decide_available
from .degenerate import bartlett, decide_degenerate, wilks
from .embedded import EmbeddedSample, add_columns, note_rows
from .kept_blocks import EmbeddedScratch
from .logistic import LogisticScratch, maximise, number_levels

MOST_COEFFICIENTS = 200  # a fit with more would take seconds; Λ stands in
ROWS_PER_COEFFICIENT = 10  # with fewer the ratio rejects too often (Peduzzi et al. 1996); Λ stands in


class RegressionSample(NamedTuple):
    """Columns of both kinds.

    Attributes
    ----------
    embedded : EmbeddedSample
    counted : HoledSample
        The categorical variables, each in its own place; continuous ones are constant there.
    cells : (q, n) float64 array
        The standardised columns, one a row of the array, 0 where missing.
    shares : (n,) float64 array
        Weights of the rows, which add up to their number.
    n : int
        All rows.
    """

    embedded: EmbeddedSample
    counted: HoledSample
    cells: np.ndarray
    shares: np.ndarray
    n: int


class Fits(NamedTuple):
    """The last fits without y, which all y without holes share: a place for each (target, set), by hash.

    `keys` (slots, k + 2) int64, -1 in place of members that are not there; `coefs` (slots, m) and `likelihoods`
    (slots,) float64. `certain` (slots + 1,) int64 says whether a share ran to 0 or 1, and last in how many tests.
    """

    keys: np.ndarray
    coefs: np.ndarray
    likelihoods: np.ndarray
    certain: np.ndarray


class RegressionScratch(NamedTuple):
    """Working memory of one thread; `rows` is that of `embedded` and of `counting`."""

    embedded: EmbeddedScratch
    counting: HoledScratch
    logistic: LogisticScratch
    fits: Fits
    rows: np.ndarray


@kernel
def decide_regression(sample, x, y, cond, size, scratch):
    """(statistic, dof, tested): as `decide_degenerate` where x or y is continuous, else a likelihood ratio."""
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on who asks
    continuous = sample.embedded.continuous
    if continuous[x] or continuous[y]:
        return decide_degenerate(sample.embedded, x, y, cond, size, scratch.embedded)
    counts = True
    for k in range(size):
        counts = counts and not continuous[cond[k]]
    if counts:
        statistic, dof, tested = decide_available(sample.counted, x, y, cond, size, scratch.counting)
        if tested:
            return statistic, dof, tested
    n, log_lambda, rank, rank_x, rank_y, _ = wilks(sample.embedded, x, y, cond, size, scratch.embedded)
    note_rows(scratch.rows, n)
    statistic, dof, tested = bartlett(n, log_lambda, rank, rank_x, rank_y)
    arity, first = sample.counted.counted.arity, sample.embedded.first
    target, other = (y, x) if arity[y] < arity[x] else (x, y)
    width = 1 + first[other + 1] - first[other]
    for k in range(size):
        width += first[cond[k] + 1] - first[cond[k]]
    n_coefficients = (arity[target] - 1) * width
    if dof == 0.0 or not tested or n_coefficients > min(MOST_COEFFICIENTS, n // ROWS_PER_COEFFICIENT):
        return statistic, dof, tested
    return (
        likelihood_ratio(sample, target, other, cond, size, scratch) * share_of(n, rank, rank_x, rank_y),
        dof,
        True,
    )


@kernel
def share_of(n, rank, rank_x, rank_y):
    """Bartlett's factor over n: what a likelihood ratio of few rows for its coefficients is too large by."""
    return max(n - 1.0 - rank - 0.5 * (rank_x + rank_y + 1), 0.0) / n


@kernel
def likelihood_ratio(sample, target, other, cond, size, scratch):
    """Twice the gain in log-likelihood of the target, by the columns of the other beside those of the set."""
    counted, counting, logistic = sample.counted, scratch.counting, scratch.logistic
    columns, first, fits = scratch.embedded.columns, sample.embedded.first, scratch.fits
    picked = pick_available(counted, target, other, cond, size, counting)
    m = 0
    for k in range(size):
        m = add_columns(first, cond[k], columns, m)
    codes, label = counted.counted.codes[target], logistic.label[: counted.counted.arity[target]]
    levels = number_levels(codes, sample.shares, picked, label, logistic.own, logistic.counts)
    shared = counted.hole[other] < 0  # the rows are then the same for all others
    slot = find_fit(fits, target, cond, size)
    if not (shared and is_kept(fits, slot, target, cond, size)):
        logistic.coefs[:] = 0.0
        likelihood, certain = maximise(levels, sample.cells, columns[:m], picked, logistic)
        keep_fit(fits, slot, target, cond, size, shared, logistic.coefs, likelihood, certain)
    without = fits.likelihoods[slot]
    end = add_columns(first, other, columns, m)
    spread(fits.coefs[slot], levels - 1, m + 1, end + 1, logistic.coefs)
    likelihood, certain = maximise(levels, sample.cells, columns[:end], picked, logistic)
    if certain or fits.certain[slot]:
        fits.certain[-1] += 1
    return max(2.0 * (likelihood - without), 0.0)


@kernel
def pick_available(counted, x, y, cond, size, counting):
    """The rows that have x, y and the set."""
    picked = counting.picked
    if mark_available(counted.hole, counted.there, x, y, cond, size, counting.mask):
        m, _ = pick_rows(counting.mask, counted.counted.weights[:0], picked)
        return picked[:m]
    for i in range(picked.shape[0]):
        picked[i] = i
    return picked


@kernel
def spread(narrow, levels, width, wider, coefs):
    """The coefficients of a fit, with zeros for the columns that come after its own."""
    for c in range(levels):
        for a in range(wider):
            coefs[c * wider + a] = narrow[c * width + a] if a < width else 0.0


@kernel
def find_fit(fits, target, cond, size):
    """The place of the fit of a target on a set."""
    key = np.int64(target)
    for k in range(size):
        key = (key * 1_000_003 + cond[k]) % 2_147_483_647
    return key % fits.keys.shape[0]


@kernel
def is_kept(fits, slot, target, cond, size):
    """Whether it is there."""
    keys = fits.keys[slot]
    same = keys[0] == target and keys[size + 1] == -1
    for k in range(size):
        same = same and keys[k + 1] == cond[k]
    return same


@kernel
def keep_fit(fits, slot, target, cond, size, shared, coefs, likelihood, certain):
    """Put it there; one of rows that other tests do not share is found by none."""
    keys = fits.keys[slot]
    keys[:] = -1
    if shared:
        keys[0] = target
        for k in range(size):
            keys[k + 1] = cond[k]
    copy(coefs, fits.coefs[slot])
    fits.likelihoods[slot], fits.certain[slot] = likelihood, certain
