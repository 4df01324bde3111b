"""Numbers as the normal scores of their ranks: what skew and outliers do to correlations is undone."""

from __future__ import annotations

import numpy as np
import pandas as pd

SKEW = 1.0  # skewness from which ranks do better: an exponential column has 2, a normal one 0
ERRORS = 4.0  # standard errors of the skewness of normal rows, sqrt(6 / n), that it must exceed as well
FAR_OUT = 3.0  # times the range between the quartiles, from them: one of 400 000 normal rows lies there (Tukey 1977)
FEWEST = 30  # rows that tell a shape
MANY_VALUES = 10  # different numbers; fewer are levels rather


def normal_scores(values: np.ndarray) -> np.ndarray:
    """The nonparanormal transform of a column (Liu, Lafferty and Wasserman 2009).

    Parameters
    ----------
    values : (n,) float array
        NaN where a number is missing.

    Returns
    -------
    (n,) float array
        Quantile of the normal distribution at rank / (m + 1) among the m numbers that are there; equal numbers share
        their mean rank. NaN stays.
    """
    scores = np.full(len(values), np.nan)
    there = ~np.isnan(values)
    from scipy.special import ndtri  # a tenth of a second that few tables need

    scores[there] = ndtri(pd.Series(values[there]).rank().to_numpy() / (there.sum() + 1))
    return scores


def is_skewed(values: np.ndarray) -> bool:
    """Whether a column of numbers leans to one side."""
    values = _numbers(values)
    if not len(values):
        return False
    centred = values - values.mean()
    spread = np.sqrt(np.mean(centred**2))
    skewness = abs(np.mean((centred / spread) ** 3))
    return bool(skewness > max(SKEW, ERRORS * np.sqrt(6 / len(values))))


def n_far_out(values: np.ndarray) -> int:
    """How many numbers lie far from all but a few others."""
    values = _numbers(values)
    if not len(values):
        return 0
    low, high = np.quantile(values, [0.25, 0.75])
    reach = FAR_OUT * (high - low)
    return int(((values < low - reach) | (values > high + reach)).sum()) if reach > 0 else 0


def _numbers(values: np.ndarray) -> np.ndarray:
    """The numbers that are there, in units of the largest; none if they are too few or too much alike to tell."""
    values = values[~np.isnan(values)]
    if len(values) < FEWEST or np.unique(values).size <= MANY_VALUES:
        return values[:0]
    return values / np.abs(values).max()
