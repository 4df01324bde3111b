"""The loop that constraint-based learners live on: walk conditioning sets until one separates a pair.

`TestResults` hold one row an edge; a pair is separated iff ``log_p > log_alpha``. `stop` (1,) is set from outside to
end early and `done` (1,) counts the finished edges. Samples and scratch are taken apart once a walk: handing tuples of
arrays down to every test would cost more than the test.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..counting.bitplanes import pair_g2
from ..counting.contingency import n_cells, scalar_g2
from ..counting.cost_model import planes_win
from ..counting.strata import one_variable_g2, planes_g2, share_masks, strata_g2
from .subsets import covering, fill_pool, fill_set, first_subset, next_subset
from .tails import log_chi2_sf


class DiscreteSample(NamedTuple):
    """What the G² test needs, in kernel form (shapes as in `contingency` and `bitplanes`).

    `weights` are whole, and one of them stands for `unit` rows: 1 unless they are survey weights. `adjusted` chooses
    the degrees of freedom, `rows_per_cell` is the power rule, 0 for none.
    """

    codes: np.ndarray
    arity: np.ndarray
    weights: np.ndarray
    unit: float
    n: int
    xlogx: np.ndarray
    planes: np.ndarray
    first: np.ndarray
    counts: np.ndarray
    pairs: np.ndarray
    seen: np.ndarray
    joint: np.ndarray
    adjusted: bool
    rows_per_cell: float


class DiscreteScratch(NamedTuple):
    """Working memory of one thread for G²: see `contingency.scalar_g2` and `strata.planes_g2`."""

    z: np.ndarray
    cells: np.ndarray
    rest: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    shared: np.ndarray
    masks: np.ndarray
    state: np.ndarray
    pair: np.ndarray


@kernel
def dof_of(sample, x, y, cond, size, seen):
    """Degrees of freedom, from those `seen`, and whether the rows suffice for the test."""
    dof = float(seen)
    if not sample.adjusted:
        dof = (float(sample.arity[x]) - 1.0) * (float(sample.arity[y]) - 1.0)
        for k in range(size):
            dof *= float(sample.arity[cond[k]])
    return dof, sample.rows_per_cell <= 0.0 or enough_rows(sample, n_cells(sample.arity, x, y, cond, size))


@kernel
def enough_rows(sample, cells):
    """Whether a test of so many cells is done."""
    return rows_suffice(sample.n, sample.rows_per_cell, cells)


@kernel
def rows_suffice(n, rows_per_cell, cells):
    """The power rule; 0 tests all."""
    return rows_per_cell <= 0.0 or n >= rows_per_cell * cells


@kernel
def g2(sample, x, y, cond, size, scratch):
    """(G²/2, adjusted dof) of x < y given the first `size` members of `cond`, by the cheaper way."""
    known = sample.pairs.shape[0] > 0
    words, n_rows = sample.planes.shape[1], sample.codes.shape[1]
    if planes_win(sample.arity, sample.first, words, known, n_rows, x, y, cond, size):
        return planes_g2(sample, x, y, cond, size, scratch)
    half, seen = scalar_g2(sample.codes, sample.arity, sample.weights, x, y, cond, size, sample.xlogx, scratch.z)
    return half * sample.unit, seen


@kernel
def decide_g2(sample, x, y, cond, scratch):
    """(ln p, G², dof, tested) of one test; an untested pair counts as independent, ln p = 0."""
    # x and y are put into index order, so that rounding does not depend on who asks.
    x, y = min(x, y), max(x, y)
    half, seen = g2(sample, x, y, cond, cond.shape[0], scratch)
    dof, tested = dof_of(sample, x, y, cond, cond.shape[0], seen)
    statistic = max(2.0 * half, 0.0)
    return (log_chi2_sf(statistic, dof) if tested else 0.0), statistic, dof, tested


@kernel
def g2_walk(sample, x, y, pool, skip, log_alpha, outcome, e, scratch, cond, chosen, stop):
    """Test x < y given the subsets of `pool`, up to the first that separates; True if one does.

    Sets within a row of `skip` (s, p) bool are left out, the empty set never. The hardest test is folded into row e of
    `outcome`; `cond` and `chosen` (size,) are scratch.
    """
    planes, first, pairs, seen, joint = sample.planes, sample.first, sample.pairs, sample.seen, sample.joint
    arity, xlogx, shared, rest, columns = sample.arity, sample.xlogx, scratch.shared, scratch.rest, scratch.columns
    plain_rule = sample.adjusted and sample.rows_per_cell <= 0.0
    n_rows, size = sample.codes.shape[1], cond.shape[0]
    counts, masks, state = sample.counts, scratch.masks, scratch.state
    cells, rows, known = scratch.cells, scratch.rows, pairs.shape[0] > 0
    single = size == 1 and known
    n_tests, top = outcome.n_tests[e], outcome.log_p[e]
    top_statistic, top_dof = outcome.statistic[e], outcome.dof[e]
    separated = False
    first_subset(size, chosen)
    more = pool.shape[0] >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        more = next_subset(size, pool.shape[0], chosen)
        if size and covering(cond, skip):
            continue
        if size == 0 or not planes_win(arity, first, planes.shape[1], known, n_rows, x, y, cond, size):
            half, dof_seen = g2(sample, x, y, cond, size, scratch)
        else:
            share_masks(planes, first, x, y, scratch.pair, shared)
            if single:
                half, dof_seen = one_variable_g2(
                    planes, first, pairs, seen, joint, xlogx, x, y, cond[0], shared, rest, columns
                )
            else:
                half, dof_seen = strata_g2(
                    planes,
                    first,
                    counts,
                    pairs,
                    seen,
                    xlogx,
                    x,
                    y,
                    cond,
                    shared,
                    masks,
                    state,
                    cells,
                    rows,
                    columns,
                    planes[0, :0],
                )
        statistic, dof, tested = max(2.0 * half, 0.0), float(dof_seen), True
        if not plain_rule:
            dof, tested = dof_of(sample, x, y, cond, size, dof_seen)
        n_tests += 1
        # p falls with the statistic and rises with dof: most tests are plainly easier than the hardest so far.
        if n_tests > 1 and tested and dof <= top_dof and statistic >= top_statistic:
            continue
        log_p = log_chi2_sf(statistic, dof) if tested else 0.0
        if n_tests == 1 or log_p > top:
            top, top_statistic, top_dof = log_p, statistic, dof
            outcome.tested[e] = tested
            copy(cond, outcome.cond[e])
        separated = log_p > log_alpha
    outcome.n_tests[e], outcome.log_p[e] = n_tests, top
    outcome.statistic[e], outcome.dof[e] = top_statistic, top_dof
    return separated


@kernel
def g2_pairs(sample, edges, begin, end, outcome, done):
    """Each edge ``begin <= e < end`` without a conditioning set, from what is known of all pairs."""
    first, counts, joint, xlogx = sample.first, sample.counts, sample.joint, sample.xlogx
    nothing = np.empty(0, np.int32)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        half, seen = pair_g2(first, counts, joint, x, y, sample.n, xlogx)
        dof, tested = dof_of(sample, x, y, nothing, 0, seen)
        statistic = max(2.0 * half, 0.0)
        outcome.log_p[e] = log_chi2_sf(statistic, dof) if tested else 0.0
        outcome.statistic[e], outcome.dof[e], outcome.tested[e] = statistic, dof, tested
        outcome.n_tests[e] = 1
        done[0] += 1


@kernel
def g2_edges(sample, edges, begin, end, adjacency, begin_of, near_of, log_alpha, outcome, scratch, stop, done):
    """Walk each edge ``begin <= e < end``: subsets of x's other neighbours, then those of y's not covered yet.

    `begin_of` and `near_of` list the neighbours as `subsets.neighbor_lists` does.
    """
    size = outcome.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)  # in index order, so that rounding does not depend on who asks
        near = pool[: fill_pool(begin_of, near_of, a, b, pool)]
        separated = g2_walk(sample, x, y, near, nothing, log_alpha, outcome, e, scratch, cond, chosen, stop)
        if size and not separated:
            near = pool[: fill_pool(begin_of, near_of, b, a, pool)]
            g2_walk(sample, x, y, near, adjacency[a : a + 1], log_alpha, outcome, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def g2_pools(sample, edges, begin, end, begin_of, members, skip, log_alpha, outcome, scratch, stop, done):
    """Walk each edge ``begin <= e < end``: subsets of its own pool but those within a row of ``skip[e]`` (s, p).

    `begin_of` and `members` list the pools as `pair_pools.PairPools` does.
    """
    size = outcome.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members[begin_of[e] : begin_of[e + 1]]
        g2_walk(sample, x, y, pool, skip[e], log_alpha, outcome, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1
