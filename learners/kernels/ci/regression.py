"""Test by regression: the model of each pair depends on the column types (Tsagris et al. 2018).

If x or y is continuous: linear regression, which is Wilks' Λ. If both are categorical: G² if the set is categorical and
there are enough rows; otherwise multinomial logistic regression of the one with fewer levels, with and without the
other.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..counting.available_cases import mark_available, pick_rows
from .covariance_cache import EmbeddedScratch
from .degenerate_gaussian import bartlett, decide_degenerate, wilks
from .embedded_covariance import EmbeddedSample, add_columns, record_rows
from .g2_available import IncompleteSample, IncompleteScratch, decide_available
from .logistic_regression import LogisticScratch, maximize_likelihood, number_levels

MAX_COEFFICIENTS = 200  # a fit with more would take seconds; Λ is used instead
MIN_ROWS_PER_COEFFICIENT = 10  # with fewer the ratio rejects too often (Peduzzi et al. 1996); Λ is used instead


class RegressionSample(NamedTuple):
    """Mixed data.

    Attributes
    ----------
    embedded : EmbeddedSample
    counted : IncompleteSample
        The categorical variables at their positions; continuous ones are constant there.
    cells : (q, n) float64 array
        The standardized columns, one in each row of the array, 0 where missing.
    shares : (n,) float64 array
        Row weights, which add up to the number of rows.
    n : int
        Number of all rows.
    """

    embedded: EmbeddedSample
    counted: IncompleteSample
    cells: np.ndarray
    shares: np.ndarray
    n: int


class FitCache(NamedTuple):
    """Hash table of the last fits without y, which all complete y share; one slot for each (target, set).

    Attributes
    ----------
    keys : (slots, k + 2) int64 array
        Target and set, padded with -1.
    coefs : (slots, m) float64 array
    likelihoods : (slots,) float64 array
    certain : (slots + 1,) int64 array
        1 if a fitted probability ran to 0 or 1; the last entry counts the tests in which one did.
    """

    keys: np.ndarray
    coefs: np.ndarray
    likelihoods: np.ndarray
    certain: np.ndarray


class RegressionScratch(NamedTuple):
    """Working memory of one thread.

    Attributes
    ----------
    embedded : EmbeddedScratch
    counting : IncompleteScratch
    logistic : LogisticScratch
    fits : FitCache
    rows : (3,) int64 array
        The same array as in `embedded` and `counting`.
    """

    embedded: EmbeddedScratch
    counting: IncompleteScratch
    logistic: LogisticScratch
    fits: FitCache
    rows: np.ndarray


@kernel
def decide_regression(sample, x, y, cond, size, scratch):
    """Perform one test; return (statistic, degrees of freedom, tested).

    As `decide_degenerate` if x or y is continuous, otherwise a likelihood ratio.

    Parameters
    ----------
    sample : RegressionSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : RegressionScratch
    """
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on the order of the arguments
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
    record_rows(scratch.rows, n)
    statistic, dof, tested = bartlett(n, log_lambda, rank, rank_x, rank_y)
    arity, first = sample.counted.counted.arity, sample.embedded.first
    target, other = (y, x) if arity[y] < arity[x] else (x, y)
    width = 1 + first[other + 1] - first[other]
    for k in range(size):
        width += first[cond[k] + 1] - first[cond[k]]
    n_coefficients = (arity[target] - 1) * width
    if dof == 0.0 or not tested or n_coefficients > min(MAX_COEFFICIENTS, n // MIN_ROWS_PER_COEFFICIENT):
        return statistic, dof, tested
    return (
        likelihood_ratio(sample, target, other, cond, size, scratch) * bartlett_factor(n, rank, rank_x, rank_y),
        dof,
        True,
    )


@kernel
def bartlett_factor(n, rank, rank_x, rank_y):
    """Return Bartlett's factor divided by n, which corrects a likelihood ratio of few rows per coefficient.

    Parameters
    ----------
    n : int
        Number of rows.
    rank, rank_x, rank_y : int
        Ranks of the set, of x and of y given it.
    """
    return max(n - 1.0 - rank - 0.5 * (rank_x + rank_y + 1), 0.0) / n


@kernel
def likelihood_ratio(sample, target, other, cond, size, scratch):
    """Return twice the gain in log-likelihood of the target from adding the other variable to the set.

    Parameters
    ----------
    sample : RegressionSample
    target, other : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : RegressionScratch
    """
    counted, counting, logistic = sample.counted, scratch.counting, scratch.logistic
    columns, first, fits = scratch.embedded.columns, sample.embedded.first, scratch.fits
    picked = pick_available(counted, target, other, cond, size, counting)
    m = 0
    for k in range(size):
        m = add_columns(first, cond[k], columns, m)
    codes, label = counted.counted.codes[target], logistic.label[: counted.counted.arity[target]]
    levels = number_levels(codes, sample.shares, picked, label, logistic.own, logistic.counts)
    shared = counted.missing_index[other] < 0  # then the rows do not depend on the other variable
    slot = find_fit(fits, target, cond, size)
    if not (shared and has_fit(fits, slot, target, cond, size)):
        logistic.coefs[:] = 0.0
        likelihood, certain = maximize_likelihood(levels, sample.cells, columns[:m], picked, logistic)
        store_fit(fits, slot, target, cond, size, shared, logistic.coefs, likelihood, certain)
    without = fits.likelihoods[slot]
    end = add_columns(first, other, columns, m)
    pad_coefficients(fits.coefs[slot], levels - 1, m + 1, end + 1, logistic.coefs)
    likelihood, certain = maximize_likelihood(levels, sample.cells, columns[:end], picked, logistic)
    if certain or fits.certain[slot]:
        fits.certain[-1] += 1
    return max(2.0 * (likelihood - without), 0.0)


@kernel
def pick_available(counted, x, y, cond, size, counting):
    """Return the rows in which x, y and the set are observed.

    Parameters
    ----------
    counted : IncompleteSample
    x, y : int
    cond : (k,) int32 array
    size : int
    counting : IncompleteScratch
    """
    picked = counting.picked
    if mark_available(counted.missing_index, counted.observed, x, y, cond, size, counting.mask):
        m, _ = pick_rows(counting.mask, counted.counted.weights[:0], picked)
        return picked[:m]
    for i in range(picked.shape[0]):
        picked[i] = i
    return picked


@kernel
def pad_coefficients(narrow, levels, width, wider, coefs):
    """Write the coefficients of a fit to `coefs`, with zeros for further columns.

    Parameters
    ----------
    narrow : float64 array
        Coefficients of the smaller model, one level after the other.
    levels : int
        Levels with coefficients.
    width, wider : int
        Coefficients of a level in the smaller and the larger model.
    coefs : float64 array
        Filled.
    """
    for c in range(levels):
        for a in range(wider):
            coefs[c * wider + a] = narrow[c * width + a] if a < width else 0.0


@kernel
def find_fit(fits, target, cond, size):
    """Return the slot for the fit of a target on a set.

    Parameters
    ----------
    fits : FitCache
    target : int
    cond : (k,) int32 array
    size : int
    """
    key = np.int64(target)
    for k in range(size):
        key = (key * 1_000_003 + cond[k]) % 2_147_483_647
    return key % fits.keys.shape[0]


@kernel
def has_fit(fits, slot, target, cond, size):
    """Return True if a slot holds the fit of a target on a set.

    Parameters
    ----------
    fits : FitCache
    slot, target : int
    cond : (k,) int32 array
    size : int
    """
    keys = fits.keys[slot]
    same = keys[0] == target and keys[size + 1] == -1
    for k in range(size):
        same = same and keys[k + 1] == cond[k]
    return same


@kernel
def store_fit(fits, slot, target, cond, size, shared, coefs, likelihood, certain):
    """Store a fit in its slot.

    Parameters
    ----------
    fits : FitCache
    slot, target : int
    cond : (k,) int32 array
    size : int
    shared : bool
        False: the fit belongs to rows that no other test has, and is never found.
    coefs : float64 array
    likelihood : float
    certain : bool
    """
    keys = fits.keys[slot]
    keys[:] = -1
    if shared:
        keys[0] = target
        for k in range(size):
            keys[k + 1] = cond[k]
    copy(coefs, fits.coefs[slot])
    fits.likelihoods[slot], fits.certain[slot] = likelihood, certain
