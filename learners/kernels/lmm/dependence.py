"""Probability of dependence of two variables: log-odds, and the one-sided and joint CPPD of LMM.

Mahdi and Mezey (2013), equations 1, 2, 4 and 5.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel

SLACK = 1e-9  # relative margin for rounding
MAX_SQUARED = 1.0 - 2.0**-53  # maximum squared correlation, so that log-odds stay finite


class DependenceEvidence(NamedTuple):
    """Dependence of each pair given each set.

    Attributes
    ----------
    corr : (p, p) float64 array
        Correlations.
    intercept, slope : (m + 1,) float64 arrays
        Log-odds given a set of k members: ``intercept[k] - slope[k] * log1p(-rho**2)``.
    separated : (p, p, 2**p) bool array
        With perfect information: True if the set, as a bit mask, separates the pair. The last axis is empty if
        `corr` is used.
    """

    corr: np.ndarray
    intercept: np.ndarray
    slope: np.ndarray
    separated: np.ndarray


@kernel
def log_odds(evidence, size, squared):
    """Return the log-odds of dependence for a squared partial correlation given `size` variables."""
    return evidence.intercept[size] - evidence.slope[size] * np.log1p(-min(squared, MAX_SQUARED))


@kernel
def squared_at(evidence, size, s):
    """Return a squared correlation, given `size` variables, with log-odds just above `s`; infinity if none is known."""
    slope, intercept = evidence.slope[size], evidence.intercept[size]
    if slope <= 0.0:
        return np.inf
    above = s + SLACK * (1.0 + abs(s) + abs(intercept))
    squared = -np.expm1(min((intercept - above) / slope, 0.0))
    return squared if squared <= MAX_SQUARED else np.inf


@kernel
def marginal_log_odds(evidence, i, j):
    """Return the log-odds of dependence given the empty set."""
    if evidence.separated.shape[2]:
        return log_odds(evidence, 0, 0.0 if evidence.separated[i, j, 0] else 1.0)
    return log_odds(evidence, 0, evidence.corr[i, j] ** 2)


@kernel
def probability(s):
    """Return the probability for log-odds s."""
    if s >= 0:
        return 1.0 / (1.0 + np.exp(-s))
    e = np.exp(s)
    return e / (1.0 + e)


@kernel
def log_softplus(t):
    """Return ln ln(1 + e^t), without overflow or cancellation."""
    if t < -30.0:
        return t
    if t > 30.0:
        return np.log(t)
    return np.log(np.log1p(np.exp(t)))


@kernel
def joint_key(s, t, product):
    """Return -ln(-ln P) of the joint CPPD P of two one-sided log-odds; it grows with P and does not saturate at P = 1.

    If `product`, P is the product of the two probabilities (equation 4), otherwise the smaller one.
    """
    a, b = log_softplus(-s), log_softplus(-t)
    high, low = max(a, b), min(a, b)
    return -(high + np.log1p(np.exp(low - high))) if product else -high


@kernel
def mixture_likelihood(null, share):
    """Return the log-likelihood of equation 5: densities `null` under independence and 1/2 under dependence."""
    total = 0.0
    for k in range(null.shape[0]):
        total += np.log(share / 2 + (1.0 - share) * null[k])
    return total


@kernel
def mixture_slope(null, share):
    """Return the derivative of `mixture_likelihood` with respect to the share."""
    total = 0.0
    for k in range(null.shape[0]):
        total += (0.5 - null[k]) / (share / 2 + (1.0 - share) * null[k])
    return total
