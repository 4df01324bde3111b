"""Normal scores of ranks, which remove the effect of skewness and outliers on correlations."""

from __future__ import annotations

import numpy as np

SKEW = 1.0  # minimum skewness for ranks to be better: an exponential column has 2, a normal column 0
ERRORS = 4.0  # minimum skewness in standard errors of a normal sample, sqrt(6 / n)
FAR_OUT = 3.0  # interquartile ranges beyond the quartiles: about one of 400 000 normal rows lies there (Tukey 1977)
MIN_ROWS = 30  # minimum number of rows to judge a shape
FEW_VALUES = 10  # maximum number of distinct values of a column that probably holds levels


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Transform a column to normal scores, the nonparanormal transform (Liu, Lafferty and Wasserman 2009).

    Parameters
    ----------
    values : (n,) float array
        NaN where a number is missing.

    Returns
    -------
    (n,) float array
        Quantile of the normal distribution at rank / (m + 1) among the m present numbers; ties have their mean
        rank. NaN stays NaN.
    """
    scores = np.full(len(values), np.nan)
    there = ~np.isnan(values)
    from scipy.special import ndtri  # slow to import (0.1 s), and rarely needed

    scores[there] = ndtri(_mean_ranks(values[there]) / (there.sum() + 1))
    return scores


def is_skewed(values: np.ndarray) -> bool:
    """Return True if the skewness of a column is large, and too large to be due to chance."""
    values = _numbers(values)
    if not len(values):
        return False
    centred = values - values.mean()
    spread = np.sqrt(np.mean(centred**2))
    skewness = abs(np.mean((centred / spread) ** 3))
    return bool(skewness > max(SKEW, ERRORS * np.sqrt(6 / len(values))))


def n_far_out(values: np.ndarray) -> int:
    """Return the number of outliers by Tukey's rule at `FAR_OUT` interquartile ranges."""
    values = _numbers(values)
    if not len(values):
        return 0
    low, high = np.quantile(values, [0.25, 0.75])
    reach = FAR_OUT * (high - low)
    return int(((values < low - reach) | (values > high + reach)).sum()) if reach > 0 else 0


def _numbers(values: np.ndarray) -> np.ndarray:
    """Return the observed numbers divided by the largest; empty if there are too few distinct ones to judge a shape."""
    values = values[~np.isnan(values)]
    if len(values) < MIN_ROWS or np.unique(values).size <= FEW_VALUES:
        return values[:0]
    return values / np.abs(values).max()


def _mean_ranks(values: np.ndarray) -> np.ndarray:
    """Return ranks from 1; equal values share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]
