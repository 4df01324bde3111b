"""Trend of two variables with ordered levels, summed over the strata of a conditioning set."""

import numpy as np

from ..compiling import kernel
from ..counting.contingency import fill_strata


@kernel
def linear_by_linear(codes, arity, states, weights, unit, score_x, score_y, x, y, cond):
    """Return the statistic of the linear-by-linear association of x and y given `cond`, and its degrees of freedom.

    (Σ S_s)² / Σ V_s over the strata s, with the sum of products S and its variance V if y is permuted within the
    stratum: χ² with 1 degree of freedom if x and y are independent there. Mantel (1963), Chi-square tests with one
    degree of freedom: extensions of the Mantel-Haenszel procedure. Journal of the American Statistical Association 58.

    Parameters
    ----------
    codes : (p, n) uint8 or uint16 array
        Level of each cell; the arity where the cell is missing. Rows that lack x, y or a member of `cond` do not count.
    arity : (p,) int64 array
        Numbers of levels.
    states : (p,) int64 array
        Numbers of codes: one more than the levels where cells are missing.
    weights : (n,) int64 array
        Row weights; empty if all are 1.
    unit : float
        Rows that a weight of 1 stands for.
    score_x, score_y : (r,) float64 arrays
        Scores of the levels of x and of y.
    x, y : int
    cond : (k,) int32 array
        The conditioning set.

    Returns
    -------
    statistic, dof : float
        Both are 0 if x or y does not vary in any stratum.
    """
    n = codes.shape[1]
    z = np.empty(n, np.int64)
    sums = np.zeros((fill_strata(codes, states, cond, cond.shape[0], z), 6))
    for t in range(n):
        here = codes[x, t] < arity[x] and codes[y, t] < arity[y]
        for k in range(cond.shape[0]):
            here = here and codes[cond[k], t] < arity[cond[k]]
        if not here:
            continue
        weight = unit * weights[t] if weights.shape[0] else unit
        a, b, own = score_x[codes[x, t]], score_y[codes[y, t]], sums[z[t]]
        own[0] += weight
        own[1] += weight * a
        own[2] += weight * b
        own[3] += weight * a * a
        own[4] += weight * b * b
        own[5] += weight * a * b
    total, variance = 0.0, 0.0
    for s in range(sums.shape[0]):
        rows, a, b = sums[s, 0], sums[s, 1], sums[s, 2]
        if rows <= 1.0:
            continue
        spread_a = max(sums[s, 3] - a * a / rows, 0.0)
        spread_b = max(sums[s, 4] - b * b / rows, 0.0)
        total += sums[s, 5] - a * b / rows
        variance += spread_a * spread_b / (rows - 1.0)
    if variance <= 1e-9:  # rounding errors of scores of at most 1/2
        return 0.0, 0.0
    return total * total / variance, 1.0
