"""Bounds that show, before a table is counted to its end, that a test has a smaller p than the hardest test so far.

A search records only its hardest test, so the statistic of an easier test is not needed. p falls with the statistic and
rises with the degrees of freedom. A lower bound of the statistic and an upper bound of the degrees of freedom thus give
an upper bound of p.
"""

import math

import numpy as np

from ..compiling import kernel
from ..counting.contingency import c_log_c
from .tail_probabilities import log_chi2_sf

SLACK = 1e-6  # margin of all comparisons, far above the rounding errors of sums and of ln p


@kernel
def least_half_g2(joint, x, y, v, n, xlogx):
    """Return a lower bound of G²/2 of x and y given v, from the counted pairs.

    I(x; y | v) ≥ I(x; y) - min(I(x; v), I(y; v)), because I(x; y, v) = I(x; v) + I(x; y | v) ≥ I(x; y).

    Parameters
    ----------
    joint, xlogx
        As in `counting.bit_planes`.
    x, y, v : int
    n : int
        Number of rows.
    """
    with_x, with_y = joint[x, v] - joint[x, x], joint[y, v] - joint[y, y]
    both = joint[x, y] - joint[x, x] - joint[y, y] + c_log_c(n, xlogx)
    return both - (min(with_x, with_y) - joint[v, v] + c_log_c(n, xlogx))


@kernel
def is_surely_easier(statistic, dof, top, top_statistic, top_dof):
    """Return True if a test has a smaller p than the hardest test so far.

    Parameters
    ----------
    statistic : float
        Lower bound of the statistic of the test.
    dof : float
        Upper bound of its degrees of freedom.
    top, top_statistic, top_dof : float
        ln p, statistic and degrees of freedom of the hardest test.
    """
    statistic -= SLACK * (1.0 + statistic)
    if statistic <= 0.0:
        return False
    if statistic >= top_statistic and dof <= top_dof:
        return True
    if statistic <= top_statistic and dof >= top_dof:
        return False
    return log_chi2_sf(statistic, dof) < top * (1.0 + SLACK)


@kernel
def sufficient_half_g2(dof, top, top_statistic, top_dof):
    """Return a value of G²/2 above which a test surely has a smaller p than the hardest test; infinity if unknown.

    Parameters
    ----------
    dof : float
        Upper bound of the degrees of freedom of the test.
    top, top_statistic, top_dof : float
        ln p, statistic and degrees of freedom of the hardest test.
    """
    statistic = top_statistic
    if dof > top_dof:
        if top_statistic <= top_dof or top_dof <= 0.0:
            return np.inf
        # Along curves of equal p, the statistic rises by about r ln r / (r - 1) per degree, r = statistic / dof.
        r = top_statistic / top_dof
        statistic += (dof - top_dof) * r * math.log(r) / (r - 1.0)
    statistic = (statistic + 3.0 * SLACK) * (1.0 + 3.0 * SLACK)
    return 0.5 * statistic if is_surely_easier(statistic, dof, top, top_statistic, top_dof) else np.inf
