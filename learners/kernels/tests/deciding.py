"""One test of independence in any kind of sample, for kernels that do not care which.

``decide(sample, x, y, cond, size, scratch)`` gives (statistic, dof, tested) of x and y given the first `size` members
of `cond` (k,) int32, and ``evidence(sample, cut, statistic, dof, tested)`` how strongly that speaks for independence:
the pair counts as independent iff the evidence is above ``cut.limit``.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ..compiling import kernel
from .available_counts import HoledSample, decide_available
from .degenerate import decide_degenerate
from .embedded import EmbeddedSample
from .partial_correlation import partial_correlation
from .regression import RegressionSample, decide_regression
from .separation import DiscreteSample, dof_of, g2
from .tails import log_chi2_sf, log_normal_two_sided

LOG_P, PER_DOF, BITS = 0, 1, 2  # kinds of cuts
LN2 = math.log(2.0)


class Cut(NamedTuple):
    """Where dependence ends.

    Kind `LOG_P`: `limit` is ln alpha, the evidence ln p. `PER_DOF`: G² below c degrees of freedom is independence, so
    the limit is -c and the evidence -G² / dof. `BITS`: mutual information below a threshold is, so both are negated.

    `excess`: how many times as much G² chance leaves where nothing is dependent as on a plain sample, see `corrected`.
    """

    kind: int
    limit: float
    excess: float = 1.0


class NormalSample(NamedTuple):
    """What Fisher's z needs: `corr` (p, p) float64 and the sample size."""

    corr: np.ndarray
    n: int


class TrueSample(NamedTuple):
    """A known DAG, asked for d-separation: `amat` (p, p) bool. It has no rows."""

    amat: np.ndarray
    n: int = 0


def decide(sample, x, y, cond, size, scratch):
    """(statistic, dof, tested) of one test, by kind of sample (see the head of the file)."""
    return KERNELS[type(sample)](sample, x, y, cond, size, scratch)


# Inlined, for this function is no kernel: as a call of its own it would count who holds each array (see `borrowing`).
@overload(decide, inline="always")
def _decide(sample, x, y, cond, size, scratch):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    decide_kind = KERNELS[sample.instance_class]
    return lambda sample, x, y, cond, size, scratch: decide_kind(sample, x, y, cond, size, scratch)


@kernel
def decide_counts(sample, x, y, cond, size, scratch):
    """G² from counts."""
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on who asks
    half, seen = g2(sample, x, y, cond[:size], size, scratch)
    dof, tested = dof_of(sample, x, y, cond, size, seen)
    return max(2.0 * half, 0.0), dof, tested


@kernel
def decide_normal(sample, x, y, cond, size, scratch):  # noqa: ARG001  (all kinds are called alike)
    """Fisher's z; the degrees of freedom are NaN."""
    rho, rank = partial_correlation(sample.corr, min(x, y), max(x, y), cond[:size], size)
    room = sample.n - rank - 3
    if room <= 0:
        return 0.0, np.nan, False
    return math.atanh(rho) * math.sqrt(room), np.nan, True


@kernel
def decide_truth(sample, x, y, cond, size, scratch):  # noqa: ARG001
    """Statistic 0 if `cond` d-separates x and y, infinite if not; the degrees of freedom are NaN."""
    amat = sample.amat
    p = amat.shape[0]
    given = np.zeros(p, np.bool_)
    opened = np.zeros(p, np.bool_)  # the set and all above it: colliders there let pass
    todo = np.empty(2 * p, np.int64)
    n = 0
    for k in range(size):
        given[cond[k]] = True
        opened[cond[k]] = True
        todo[n] = cond[k]
        n += 1
    while n:
        n -= 1
        v = todo[n]
        for k in range(p):
            if amat[k, v] and not opened[k]:
                opened[k] = True
                todo[n] = k
                n += 1
    # A trail arrives at a node from a child (even state) or from a parent (odd state).
    visited = np.zeros(2 * p, np.bool_)
    visited[2 * x] = True
    todo[0], n = 2 * x, 1
    while n:
        n -= 1
        v, from_parent = todo[n] // 2, todo[n] % 2
        if v == y and not given[v]:
            return np.inf, np.nan, True
        for k in range(p):
            down = amat[v, k] and not given[v]
            up = amat[k, v] and (opened[v] if from_parent else not given[v])
            state = 2 * k + 1 if down else 2 * k
            if (down or up) and not visited[state]:
                visited[state] = True
                todo[n] = state
                n += 1
    return 0.0, np.nan, True


KERNELS = {
    DiscreteSample: decide_counts,
    HoledSample: decide_available,
    NormalSample: decide_normal,
    EmbeddedSample: decide_degenerate,
    RegressionSample: decide_regression,
    TrueSample: decide_truth,
}


@kernel
def log_p_of(statistic, dof, tested):
    """ln p: of G² where there are degrees of freedom, else of Fisher's z; 0 where no test was done."""
    if not tested:
        return 0.0
    return log_normal_two_sided(statistic) if math.isnan(dof) else log_chi2_sf(statistic, dof)


@kernel
def corrected(cut, statistic, dof):
    """A statistic as the cut takes it, without the excess that chance leaves in it.

    On a resample of n rows G² of independent variables is spread like twice χ²: once for the sample, once for the
    resampling. For p it is divided by the excess, so that the level is alpha; of information the excess is taken away,
    so that it is as large on average as on the sample. A limit per degree of freedom is multiplied instead.
    """
    if cut.kind == LOG_P:
        return statistic / cut.excess
    if cut.kind == BITS:
        return max(statistic - (cut.excess - 1.0) * dof, 0.0)
    return statistic


@kernel
def evidence(cut, n, statistic, dof, tested):
    """How strongly a test on `n` rows speaks for independence, on the scale of the cut."""
    if not tested:
        return 0.0
    if cut.kind == LOG_P:
        return log_p_of(statistic, dof, tested)
    if cut.kind == PER_DOF:
        return -statistic / dof if dof > 0.0 else 0.0
    return -statistic / (2.0 * n * LN2)
