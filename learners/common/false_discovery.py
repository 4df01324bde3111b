"""Control of the false discovery rate: the procedures of Benjamini-Hochberg and Benjamini-Yekutieli.

All p-values are logarithms, because those of large samples underflow.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

Method = Literal["bh", "by"]


def share(m: int, method: Method) -> float:
    """Return the divisor c(m) of the line k q / (m c(m)).

    It is 1 for "bh" (independent p-values) and 1 + 1/2 + ... + 1/m for "by" (any dependence).
    """
    return 1.0 if method == "bh" else float((1.0 / np.arange(1, m + 1)).sum())


def log_line(m: int, q: float, method: Method) -> np.ndarray:
    """Return the (m,) float64 ln of k q / (m `share`), the bound for the k-th smallest of m p-values."""
    return np.log(np.arange(1, m + 1)) + (math.log(q) - math.log(m * share(m, method)))


def log_threshold(log_p: np.ndarray, q: float, method: Method = "by") -> float:
    """Return ln of the largest p-value on or below the line; hypotheses up to it are rejected.

    Parameters
    ----------
    log_p : (m,) float64 array
        ln p of the hypotheses, in any order.
    q : float
        Accepted share of false rejections, in (0, 1).
    method : "bh" or "by"

    Returns
    -------
    float
        NaN if no p-value is on or below the line, so that nothing is rejected.

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
    # A p-value on the line is rejected; the tolerance absorbs rounding.
    below = np.flatnonzero(ordered <= log_line(len(ordered), q, method) + 1e-12) if len(ordered) else ()
    return float(ordered[below[-1]]) if len(below) else math.nan


def log_adjusted(log_p: np.ndarray, method: Method = "by") -> np.ndarray:
    """Return ln of the smallest q at which each hypothesis is rejected, in the given order.

    Parameters
    ----------
    log_p : (m,) float64 array
        ln p of the hypotheses.
    method : "bh" or "by"

    Returns
    -------
    (m,) float64 array
        Values may exceed 0.

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
