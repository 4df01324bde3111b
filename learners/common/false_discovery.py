"""Which of many hypotheses to reject so that few rejections are false: Benjamini and Hochberg, Benjamini and Yekutieli.

Everything is in logarithms, for p-values of large samples underflow.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

Method = Literal["bh", "by"]


def share(m: int, method: Method) -> float:
    """Returns the divisor of the line k q / m: 1 ("bh", independent p-values), or 1 + 1/2 + ... + 1/m ("by", any)."""
    return 1.0 if method == "bh" else float((1.0 / np.arange(1, m + 1)).sum())


def log_line(m: int, q: float, method: Method) -> np.ndarray:
    """(m,) float64: ln of k q / (m `share`), what the k-th smallest p of m is held against."""
    return np.log(np.arange(1, m + 1)) + (math.log(q) - math.log(m * share(m, method)))


def log_threshold(log_p: np.ndarray, q: float, method: Method = "by") -> float:
    """ln α*: the largest p on or below the line; hypotheses with p <= α* are rejected.

    Parameters
    ----------
    log_p : (m,) float64 array
        ln p of the family, in any order.
    q : float
        Share of false ones among the rejections that is accepted, in (0, 1).
    method : "bh" or "by"

    Returns
    -------
    float
        NaN if no p is on or below the line: nothing is rejected.

    References
    ----------
    Benjamini and Hochberg (1995), JRSS B 57; Benjamini and Yekutieli (2001), Annals of Statistics 29.

    Examples
    --------
    >>> p = np.array([0.03, 0.001, 0.2, 0.008, 0.02])
    >>> [round(math.exp(log_threshold(np.log(p), 0.05, method)), 12) for method in ("bh", "by")]
    [0.03, 0.008]
    """
    ordered = np.sort(log_p)
    # p equal to the line is rejected; rounding of the line must not decide.
    below = np.flatnonzero(ordered <= log_line(len(ordered), q, method) + 1e-12) if len(ordered) else ()
    return float(ordered[below[-1]]) if len(below) else math.nan


def log_adjusted(log_p: np.ndarray, method: Method = "by") -> np.ndarray:
    """(m,) float64: ln of the smallest q at which each hypothesis is rejected, in the order given; may exceed 0.

    Parameters
    ----------
    log_p : (m,) float64 array
        ln p of the family.
    method : "bh" or "by"

    Examples
    --------
    >>> np.exp(log_adjusted(np.log([0.01, 0.04, 0.03]), "bh")).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    m = len(log_p)
    order = np.argsort(log_p, kind="stable")
    raw = log_p[order] + math.log(max(m, 1) * share(max(m, 1), method)) - np.log(np.arange(1, m + 1))
    adjusted = np.empty(m)
    adjusted[order] = np.minimum.accumulate(raw[::-1])[::-1]
    return adjusted
