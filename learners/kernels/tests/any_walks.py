"""The walks of `separation`, `max_min` and `batch` with any test that `deciding.decide` knows.

Slower than walks made for one test, by what those share from a set to the next. `outcome.n_rows` gets the rows of the
hardest test, of which ``scratch.rows[0]`` has those of the last.
"""

import math

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .batch import fill_around
from .deciding import decide, log_p_of
from .max_min import fill_sorted, first_new, next_new
from .subsets import covering, fill_pool, fill_set, first_subset, next_subset


@kernel
def easier(outcome, e, statistic, dof, tested):
    """Whether a test plainly has a smaller p than the hardest so far: p falls with the statistic, rises with dof."""
    if outcome.n_tests[e] == 0 or not tested or not outcome.tested[e]:
        return False
    top = outcome.dof[e]
    if math.isnan(dof) or math.isnan(top):
        return math.isnan(dof) and math.isnan(top) and abs(statistic) >= abs(outcome.statistic[e])
    return dof <= top and statistic >= outcome.statistic[e]


@kernel
def test_set(sample, x, y, cond, skips_untested, log_alpha, outcome, e, scratch):
    """One more test of walk e; whether it ends the walk. See `batch.fold` for `skips_untested`."""
    statistic, dof, tested = decide(sample, x, y, cond, cond.shape[0], scratch)
    if easier(outcome, e, statistic, dof, tested):
        outcome.n_tests[e] += 1
        return False
    log_p = log_p_of(statistic, dof, tested)
    passed_over = skips_untested and not tested
    harder = log_p > outcome.log_p[e] or (skips_untested and not outcome.tested[e])
    if outcome.n_tests[e] == 0 or (harder and not passed_over):
        outcome.log_p[e], outcome.statistic[e], outcome.dof[e] = log_p, statistic, dof
        outcome.tested[e] = tested
        if outcome.n_rows.shape[0]:
            outcome.n_rows[e] = scratch.rows[0]
        copy(cond, outcome.cond[e])
    outcome.n_tests[e] += 1
    return log_p > log_alpha and not passed_over


@kernel
def any_walk(sample, x, y, pool, skip, log_alpha, outcome, e, scratch, cond, chosen, stop):
    """As `separation.g2_walk`."""
    size = cond.shape[0]
    separated = False
    first_subset(size, chosen)
    more = pool.shape[0] >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        more = next_subset(size, pool.shape[0], chosen)
        if size and covering(cond, skip):
            continue
        separated = test_set(sample, x, y, cond, False, log_alpha, outcome, e, scratch)
    return separated


@kernel
def any_edges(sample, edges, begin, end, adjacency, begin_of, near_of, log_alpha, outcome, scratch, stop, done):
    """As `separation.g2_edges`."""
    size = outcome.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        near = pool[: fill_pool(begin_of, near_of, a, b, pool) if size else 0]
        separated = any_walk(sample, a, b, near, nothing, log_alpha, outcome, e, scratch, cond, chosen, stop)
        if size and not separated:
            near = pool[: fill_pool(begin_of, near_of, b, a, pool)]
            any_walk(sample, a, b, near, adjacency[a : a + 1], log_alpha, outcome, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def any_pools(sample, edges, begin, end, begin_of, members, skip, log_alpha, outcome, scratch, stop, done):
    """As `separation.g2_pools`."""
    size = outcome.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    for e in range(begin, end):
        pool = members[begin_of[e] : begin_of[e + 1]]
        x, y = edges[e, 0], edges[e, 1]
        any_walk(sample, x, y, pool, skip[e], log_alpha, outcome, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def any_new_sets(sample, edges, begin, end, pools, sizes, known, most, log_alpha, outcome, scratch, stop, done):
    """As `max_min.g2_new_sets`."""
    members, chosen = np.empty(most, np.int32), np.empty(most, np.int64)
    for e in range(begin, end):
        target, other = edges[e, 0], edges[e, 1]
        pool, n_pool = pools[target], sizes[target]
        separated = False
        for size in range(1, min(most, n_pool) + 1):
            cond = members[:size]
            more = first_new(size, n_pool, known[target], chosen)
            while more and not separated and not stop[0]:
                fill_sorted(pool, chosen, cond)
                more = next_new(size, n_pool, chosen)
                separated = test_set(sample, target, other, cond, False, log_alpha, outcome, e, scratch)
        if stop[0]:
            return
        done[0] += 1


@kernel
def any_batch(
    sample,
    pairs,
    begin,
    end,
    base_begin,
    bases,
    pool_begin,
    pools,
    sizes,
    skips_untested,
    log_alpha,
    results,
    scratch,
    stop,
    done,
):
    """As `batch.g2_batch`."""
    width = results.cond.shape[1]
    members, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    for w in range(begin, end):
        base, pool = bases[base_begin[w] : base_begin[w + 1]], pools[pool_begin[w] : pool_begin[w + 1]]
        cond, size = members[: base.shape[0] + sizes[w]], sizes[w]
        first_subset(size, chosen)
        more = pool.shape[0] >= size
        while more and not stop[0]:
            fill_around(base, pool, chosen, cond)
            more = next_subset(size, pool.shape[0], chosen)
            if test_set(sample, pairs[w, 0], pairs[w, 1], cond, skips_untested, log_alpha, results, w, scratch):
                break
        if stop[0]:
            return
        done[0] += 1
