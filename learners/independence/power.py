"""Power of the χ² test of independence, and the largest degrees of freedom with enough power."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ..common.checks import check_choice, check_count, check_open_interval
from ..settings.shared import ALPHA

Scale = Literal["bits", "cohen", "literal"]
MAX_DOF = 1_000_000  # upper limit of the search for testable degrees of freedom
FEW_ROWS, MANY_ROWS = 1_000, 5_000
WEAK_ROWS_EFFECT, MANY_ROWS_EFFECT = 0.2, 0.1
MAX_EFFECT = 10.0  # maximum effect that is suggested
N_BISECTIONS = 40  # number of bisections of the range of an effect


def suggested_effect(
    n: int, dof: float = math.nan, alpha: float = 0.05, beta: float = 0.05, scale: Scale = "bits"
) -> float:
    """Return the default effect size: 0.2 up to 1,000 rows, 0.1 from 5,000, linear in ln n between.

    0.1 is a mutual information of 10 mbit; with few rows no test has the power to detect so little. The result is at
    least the weakest effect that a test of `dof` degrees of freedom detects at level `alpha` with power 1 - `beta`,
    unless `dof` is NaN: with many levels, a smaller effect would leave most pairs without any test.
    """
    at = [math.log(FEW_ROWS), math.log(MANY_ROWS)]
    by_rows = float(np.interp(math.log(max(n, 1)), at, [WEAK_ROWS_EFFECT, MANY_ROWS_EFFECT]))
    if not dof > 0.0 or n < 1:
        return by_rows
    low, high = by_rows, MAX_EFFECT
    if power(dof, n, alpha, low, scale) >= 1.0 - beta:
        return low
    for _ in range(N_BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if power(dof, n, alpha, middle, scale) >= 1.0 - beta else (middle, high)
    return high


def power(dof: np.ndarray, n: int, alpha: float, effect: float, scale: Scale = "bits") -> np.ndarray:
    """Return the probability that the χ² test detects a dependence of a given size.

    Parameters
    ----------
    dof : float array
        Degrees of freedom, above 0.
    n : int
        Number of rows.
    alpha : float
        Level of the test.
    effect : float
        Effect size w.
    scale : "bits", "cohen" or "literal"
        "bits": w² is a mutual information in bits, so the non-centrality is 2 n ln 2 · w². "cohen": w is Cohen's, so it
        is n w². "literal": 1 while 2 n ln 2 · w² exceeds the critical value, 0 beyond, as in the paper's listing.

    Returns
    -------
    float64 array
        Shaped like `dof`.
    """
    from scipy.special import chdtri, chndtr

    dof = np.asarray(dof, dtype=np.float64)
    shift = n * effect**2 * (1.0 if scale == "cohen" else 2.0 * math.log(2.0))
    critical = chdtri(dof, alpha)
    if scale == "literal":
        return (shift > critical).astype(np.float64)
    return 1.0 - chndtr(critical, dof, shift)


def fnr_bound(n: int, alpha: float = 0.05, beta: float = 0.05, effect: float = 0.1, scale: Scale = "bits") -> int:
    """Return the largest degrees of freedom with which a test detects an effect with power 1 - `beta`.

    Parameters
    ----------
    n : int
        Number of rows.
    alpha, beta : float
        Level of the test, and the share of such dependences that it may miss; both in (0, 1).
    effect : float
        Effect size w, above 0.
    scale : "bits", "cohen" or "literal"
        As for `power`.

    Returns
    -------
    int
        0 if not even a test with one degree of freedom has the power; at most `MAX_DOF`.

    Raises
    ------
    ParameterError
        If an argument is out of range.

    Notes
    -----
    Power falls as degrees of freedom rise, so the largest value is found by bisection. The paper's listing returns the
    first number that fails; this function returns the last that passes.

    References
    ----------
    Bacciu, Etchells, Lisboa and Whittaker (2013), Efficient identification of independence networks using mutual
    information. Computational Statistics 28, algorithm 2.

    Examples
    --------
    >>> fnr_bound(1_000, effect=0.2), fnr_bound(1_000, effect=0.1), fnr_bound(500, effect=0.1)
    (94, 1, 0)
    """
    check_count("n", n)
    ALPHA.check(alpha)
    check_open_interval("beta", beta, 0.0, 1.0)
    check_choice("scale", scale, ("bits", "cohen", "literal"))
    check_open_interval("effect", effect, 0.0, math.inf)

    def passes(dof: int) -> bool:
        return bool(power(dof, n, alpha, effect, scale) >= 1.0 - beta)

    low, high = 0, 1
    while high <= MAX_DOF and passes(high):
        low, high = high, 2 * high
    high = min(high, MAX_DOF + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if passes(middle) else (low, middle)
    return low
