"""Evidence for independence from a test, compared with a threshold.

A pair counts as independent if ``evidence(threshold, n, statistic, dof, tested) > threshold.limit``.
"""

import math
from typing import NamedTuple

from ..compiling import kernel
from .tail_probabilities import log_chi2_sf, log_normal_two_sided

LOG_P, PER_DOF, BITS = 0, 1, 2  # kinds of thresholds
LN2 = math.log(2.0)


class Threshold(NamedTuple):
    """Limit above which the evidence means independence.

    Attributes
    ----------
    kind : int
        `LOG_P`: the evidence is ln p, the limit ln alpha. `PER_DOF`: the evidence is -G² / dof, the limit -c, so that
        G² below c degrees of freedom means independence. `BITS`: the evidence is minus the mutual information.
    limit : float
    excess : float
        Ratio of the G² expected under independence to its value on a plain sample, see `corrected_statistic`.
    """

    kind: int
    limit: float
    excess: float = 1.0


@kernel
def log_p_of(statistic, dof, tested):
    """Return ln p of G² where there are degrees of freedom, otherwise of Fisher's z; 0 where no test was done."""
    if not tested:
        return 0.0
    return log_normal_two_sided(statistic) if math.isnan(dof) else log_chi2_sf(statistic, dof)


@kernel
def corrected_statistic(threshold, statistic, dof):
    """Return a statistic without the excess that resampling adds to it.

    On a resample of n rows, G² of independent variables is distributed like 2 χ²: once for the sample, once for the
    resampling. For p it is divided by the excess, which keeps the level alpha. For mutual information the excess is
    subtracted, which keeps the mean. A limit per degree of freedom is multiplied instead.
    """
    if threshold.kind == LOG_P:
        return statistic / threshold.excess
    if threshold.kind == BITS:
        return max(statistic - (threshold.excess - 1.0) * dof, 0.0)
    return statistic


@kernel
def evidence(threshold, n, statistic, dof, tested):
    """Return the evidence for independence on the scale of the threshold.

    Parameters
    ----------
    threshold : Threshold
    n : int
        Rows of the test.
    statistic, dof : float
    tested : bool
        False gives 0.
    """
    if not tested:
        return 0.0
    if threshold.kind == LOG_P:
        return log_p_of(statistic, dof, tested)
    if threshold.kind == PER_DOF:
        return -statistic / dof if dof > 0.0 else 0.0
    return -statistic / (2.0 * n * LN2)
