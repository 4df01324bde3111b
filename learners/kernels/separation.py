"""The loop that constraint-based learners live on: walk conditioning sets until one separates a pair.

One walk serves every kind of data: `DiscreteSample` and `GaussianSample` say which test `judge` stands for. An `Outcome`
holds one row an edge; a pair is separated iff ``log_p > log_alpha``. `stop` (1,) is set from outside to end early and
`done` (1,) counts the finished edges.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import overload

from .contingency import g2, n_cells
from .partial_correlation import partial_correlation
from .subsets import fill_pool, first_subset, next_subset
from .tails import log_chi2_sf, log_normal_two_sided


class DiscreteSample(NamedTuple):
    """What the G² test needs, in kernel form (shapes as in `contingency`)."""

    codes: np.ndarray
    arity: np.ndarray
    weights: np.ndarray
    n: int
    xlogx: np.ndarray
    adjusted: bool
    rows_per_cell: float


class GaussianSample(NamedTuple):
    """What Fisher's z needs: the (p, p) correlations and the number of rows."""

    corr: np.ndarray
    n: int


class Outcome(NamedTuple):
    """Of each edge the hardest test, that is the one with the largest p, and how many were done.

    `log_p`, `statistic`, `dof` (m,) float64; `tested` (m,) bool, False if rows did not suffice; `cond` (m, size) int32;
    `n_tests` (m,) int64, 0 where no set of the size exists.
    """

    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    tested: np.ndarray
    cond: np.ndarray
    n_tests: np.ndarray


@njit(cache=True, nogil=True)
def judge_g2(sample, x, y, cond, size, scratch):
    """(ln p, G², dof, tested); an untested pair counts as independent, ln p = 0 (spec 0.2)."""
    statistic, dof = g2(
        sample.codes, sample.arity, sample.weights, x, y, cond, size, sample.xlogx, sample.adjusted, scratch
    )
    if sample.rows_per_cell > 0.0 and sample.n < sample.rows_per_cell * n_cells(sample.arity, x, y, cond, size):
        return 0.0, statistic, dof, False
    return log_chi2_sf(statistic, dof), statistic, dof, True


@njit(cache=True, nogil=True)
def judge_fisher_z(sample, x, y, cond, size, scratch):  # noqa: ARG001  (one signature for both tests)
    """(ln p, z, nan, tested): z = atanh(ρ) sqrt(n - |Z| - 3), with |Z| the rank of the set (spec 0.2)."""
    rho, rank = partial_correlation(sample.corr, x, y, cond, size)
    room = sample.n - rank - 3
    if room <= 0:
        return 0.0, 0.0, math.nan, False
    z = math.atanh(rho) * math.sqrt(room)
    return log_normal_two_sided(z), z, math.nan, True


def judge(sample, x, y, cond, size, scratch):
    """Test x and y given the first `size` members of `cond`: (ln p, statistic, dof, tested)."""
    kernel = judge_g2 if isinstance(sample, DiscreteSample) else judge_fisher_z
    return kernel(sample, x, y, cond, size, scratch)


@overload(judge)
def _judge(sample, x, y, cond, size, scratch):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    kernel = judge_g2 if sample.instance_class is DiscreteSample else judge_fisher_z
    return lambda sample, x, y, cond, size, scratch: kernel(sample, x, y, cond, size, scratch)


@njit(cache=True, nogil=True)
def judge_one(sample, x, y, cond, scratch):
    """`judge`, to be called from Python."""
    return judge(sample, x, y, cond, cond.shape[0], scratch)


@njit(cache=True, nogil=True)
def walk(sample, x, y, pool, skip, log_alpha, outcome, e, scratch, stop):
    """Test x, y given the subsets of `pool` but those within `skip`, up to the first that separates; True if one does.

    The hardest test is folded into row e of `outcome`, whose `cond` has as many columns as the subsets members.
    """
    size = outcome.cond.shape[1]
    cond = np.empty(size, np.int32)
    chosen = np.empty(size, np.int64)
    first_subset(size, chosen)
    more = pool.shape[0] >= size
    while more and not stop[0]:
        known = size > 0
        for k in range(size):
            cond[k] = pool[chosen[k]]
            known = known and skip[cond[k]]
        if not known:
            log_p, statistic, dof, tested = judge(sample, x, y, cond, size, scratch)
            if outcome.n_tests[e] == 0 or log_p > outcome.log_p[e]:
                outcome.log_p[e] = log_p
                outcome.statistic[e] = statistic
                outcome.dof[e] = dof
                outcome.tested[e] = tested
                outcome.cond[e, :] = cond
            outcome.n_tests[e] += 1
            if log_p > log_alpha:
                return True
        more = next_subset(size, pool.shape[0], chosen)
    return False


@njit(cache=True, nogil=True)
def walk_edges(sample, edges, begin, end, adjacency, log_alpha, outcome, n_scratch, stop, done):
    """Walk each edge ``begin <= e < end``: subsets of x's other neighbours, then those of y's that x's did not cover."""
    scratch = np.empty(n_scratch, np.int64)
    pool = np.empty(adjacency.shape[0], np.int32)
    nothing = np.zeros(adjacency.shape[0], np.bool_)
    for e in range(begin, end):
        x, y = edges[e, 0], edges[e, 1]
        size = fill_pool(adjacency, x, y, pool)
        separated = walk(sample, x, y, pool[:size], nothing, log_alpha, outcome, e, scratch, stop)
        if not separated and outcome.cond.shape[1] > 0:
            size = fill_pool(adjacency, y, x, pool)
            walk(sample, x, y, pool[:size], adjacency[x], log_alpha, outcome, e, scratch, stop)
        if stop[0]:
            return
        done[0] += 1
