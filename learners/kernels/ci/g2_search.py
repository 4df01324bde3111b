"""Searches over conditioning sets with the G² test: the loops in which constraint-based learners spend their time.

A pair is separated if ln p > `log_alpha`; its search then ends. Searches differ in their sets: subsets of neighbors
(`g2_level_search`), of a pool for each pair (`g2_pool_search`), new subsets of a growing pool (`g2_new_set_search`), or
subsets of a pool joined with a base (`g2_batch_search`).

Samples and scratch are unpacked once in each search: passing tuples of arrays to each test would cost more than the
test.

Arguments of all searches
-------------------------
sample : DiscreteSample
edges : (m, 2) int64 array
    The pairs.
begin, end : int
    Only the pairs ``begin <= e < end`` are tested.
log_alpha : float
results : CIResults
    Row e is filled for pair e. `cond` is as wide as the largest set.
scratch : DiscreteScratch
stop : (1,) int8 array
    Set by another thread to end early.
done : (1,) int64 array
    Counts the finished pairs.
"""

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..counting.bit_planes import pair_g2
from ..counting.contingency import n_cells
from ..counting.cost_model import planes_win
from ..counting.strata import fill_shared_masks, one_variable_dof, one_variable_g2, strata_g2
from .easier_tests import is_surely_easier, least_half_g2, sufficient_half_g2
from .g2 import decide_g2, declared_dof, dof_of, enough_rows, g2
from .results import add_batch_test
from .subsets import (
    covering_pools,
    fill_pool,
    fill_set,
    fill_sorted_set,
    fill_with_base,
    first_new_set,
    first_subset,
    next_new_set,
    next_subset,
)
from .tail_probabilities import log_chi2_sf


@kernel
def g2_batch_search(
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
    """Test each pair given its base and ``sizes[w]`` members of its pool; an untested pair is not even counted.

    Parameters
    ----------
    sample, begin, end, log_alpha, results, scratch, stop, done
        As in the module's docstring.
    pairs : (m, 2) int64 array
    base_begin, bases : int64 and int32 arrays
        The base of pair w is ``bases[base_begin[w]:base_begin[w + 1]]``, ascending.
    pool_begin, pools : int64 and int32 arrays
        Its pool is ``pools[pool_begin[w]:pool_begin[w + 1]]``, without the base.
    sizes : (m,) int64 array
    skips_untested : bool
        As in `results.add_batch_test`.
    """
    width = results.cond.shape[1]
    members, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    # Unpacked once: most tests have one conditioning variable, and cost less than passing tuples of arrays.
    planes, first, known, seen, joint = sample.planes, sample.first, sample.pairs, sample.seen, sample.joint
    arity, xlogx, n, rows_per_cell = sample.arity, sample.xlogx, sample.n, sample.rows_per_cell
    words, n_rows, adjusted = planes.shape[1], sample.codes.shape[1], sample.adjusted
    pair, shared, rest, columns = scratch.pair, scratch.shared, scratch.rest, scratch.columns
    for w in range(begin, end):
        x, y = min(pairs[w, 0], pairs[w, 1]), max(pairs[w, 0], pairs[w, 1])
        base, pool = bases[base_begin[w] : base_begin[w + 1]], pools[pool_begin[w] : pool_begin[w + 1]]
        cond, size = members[: base.shape[0] + sizes[w]], sizes[w]
        single = cond.shape[0] == 1 and known.shape[0] > 0 and adjusted
        first_subset(size, chosen)
        more = pool.shape[0] >= size
        while more and not stop[0]:
            fill_with_base(base, pool, chosen, cond)
            more = next_subset(size, pool.shape[0], chosen)
            log_p, statistic, dof = 0.0, np.nan, np.nan
            tested = n >= rows_per_cell * n_cells(arity, x, y, cond, cond.shape[0])
            if tested and single and planes_win(arity, first, words, True, n_rows, x, y, cond, 1):
                fill_shared_masks(planes, first, x, y, pair, shared)
                half, n_free = one_variable_g2(
                    planes, first, known, seen, joint, xlogx, x, y, cond[0], shared, rest, columns
                )
                statistic, dof = max(2.0 * half, 0.0), float(n_free)
                log_p = log_chi2_sf(statistic, dof)
            elif tested:
                log_p, statistic, dof, tested = decide_g2(sample, x, y, cond, scratch)
            if add_batch_test(results, w, cond, log_p, statistic, dof, tested, skips_untested, log_alpha):
                break
        if stop[0]:
            return
        done[0] += 1


@kernel
def g2_new_set_search(
    sample, edges, begin, end, pools, sizes, known, max_size, log_alpha, results, scratch, stop, done
):
    """Test each pair given the new sets of its first node's pool, see `subsets.first_new_set`.

    Parameters
    ----------
    sample, edges, begin, end, log_alpha, results, scratch, stop, done
        As in the module's docstring.
    pools : (p, q) int32 array
        Row x begins with the pool of x.
    sizes : (p,) int64 array
        Number of members of each pool.
    known : (p,) int64 array
        All subsets of that many first members were tested before.
    max_size : int
        Number of members of the largest set.
    """
    members, chosen = np.empty(max_size, np.int32), np.empty(max_size, np.int64)
    plain_rule = sample.adjusted and sample.rows_per_cell <= 0.0
    for e in range(begin, end):
        target = edges[e, 0]
        x, y = min(target, edges[e, 1]), max(target, edges[e, 1])
        pool, n_pool = pools[target], sizes[target]
        n_tests, top, top_statistic, top_dof = 0, -np.inf, np.nan, np.nan
        for size in range(1, min(max_size, n_pool) + 1):
            cond = members[:size]
            more = first_new_set(size, n_pool, known[target], chosen)
            while more and top <= log_alpha and not stop[0]:
                fill_sorted_set(pool, chosen, cond)
                more = next_new_set(size, n_pool, chosen)
                half, seen = g2(sample, x, y, cond, size, scratch)
                statistic, dof, tested = max(2.0 * half, 0.0), float(seen), True
                if not plain_rule:
                    dof, tested = dof_of(sample, x, y, cond, size, seen)
                n_tests += 1
                # p falls with the statistic and rises with dof: most tests certainly have a smaller p than the hardest.
                if n_tests > 1 and tested and dof <= top_dof and statistic >= top_statistic:
                    continue
                log_p = log_chi2_sf(statistic, dof) if tested else 0.0
                if n_tests == 1 or log_p > top:
                    top, top_statistic, top_dof = log_p, statistic, dof
                    results.tested[e] = tested
                    copy(cond, results.cond[e])
        results.n_tests[e], results.log_p[e] = n_tests, top
        results.statistic[e], results.dof[e] = top_statistic, top_dof
        if stop[0]:
            return
        done[0] += 1


@kernel
def g2_search(sample, x, y, pool, skip, log_alpha, results, e, scratch, cond, chosen, stop):
    """Test x < y given the subsets of `pool`, up to the first that separates; return True if one does.

    Parameters
    ----------
    sample, log_alpha, results, scratch, stop
        As in the module's docstring.
    x, y : int
    pool : int32 array
    skip : (s, p) bool array
        Sets within one of its rows are left out, except the empty set.
    e : int
        Row of `results` that the hardest test is recorded in.
    cond, chosen : (size,) int32 and int64 arrays
        Scratch: the set, and its positions in the pool.
    """
    planes, first, pairs, seen, joint = sample.planes, sample.first, sample.pairs, sample.seen, sample.joint
    arity, xlogx, shared, rest, columns = sample.arity, sample.xlogx, scratch.shared, scratch.rest, scratch.columns
    plain_rule = sample.adjusted and sample.rows_per_cell <= 0.0
    n, n_rows, size, adjusted = sample.n, sample.codes.shape[1], cond.shape[0], sample.adjusted
    counts, masks, state = sample.counts, scratch.masks, scratch.state
    cells, rows, known = scratch.cells, scratch.rows, pairs.shape[0] > 0
    single = size == 1 and known
    n_tests, top = results.n_tests[e], results.log_p[e]
    top_statistic, top_dof = results.statistic[e], results.dof[e]
    separated = False
    first_subset(size, chosen)
    more = pool.shape[0] >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        more = next_subset(size, pool.shape[0], chosen)
        if size and covering_pools(cond, skip):
            continue
        n_tests += 1
        may_skip = n_tests > 1 and enough_rows(sample, n_cells(arity, x, y, cond, size))
        enough = np.inf
        if size == 0 or not planes_win(arity, first, planes.shape[1], known, n_rows, x, y, cond, size):
            half, dof_seen = g2(sample, x, y, cond, size, scratch)
        elif single:
            if may_skip:
                most = one_variable_dof(first, seen, x, y, cond[0]) if adjusted else declared_dof(arity, x, y, cond, 1)
                least = 2.0 * least_half_g2(joint, x, y, cond[0], n, xlogx)
                if is_surely_easier(least, float(most), top, top_statistic, top_dof):
                    continue
            fill_shared_masks(planes, first, x, y, scratch.pair, shared)
            half, dof_seen = one_variable_g2(
                planes, first, pairs, seen, joint, xlogx, x, y, cond[0], shared, rest, columns
            )
        else:
            if may_skip:
                enough = sufficient_half_g2(declared_dof(arity, x, y, cond, size), top, top_statistic, top_dof)
            fill_shared_masks(planes, first, x, y, scratch.pair, shared)
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
                enough,
            )
        if half > enough:
            continue  # the rest of the table was not counted
        statistic, dof, tested = max(2.0 * half, 0.0), float(dof_seen), True
        if not plain_rule:
            dof, tested = dof_of(sample, x, y, cond, size, dof_seen)
        # p falls with the statistic and rises with dof: most tests certainly have a smaller p than the hardest.
        if n_tests > 1 and tested and dof <= top_dof and statistic >= top_statistic:
            continue
        log_p = log_chi2_sf(statistic, dof) if tested else 0.0
        if n_tests == 1 or log_p > top:
            top, top_statistic, top_dof = log_p, statistic, dof
            results.tested[e] = tested
            copy(cond, results.cond[e])
        separated = log_p > log_alpha
    results.n_tests[e], results.log_p[e] = n_tests, top
    results.statistic[e], results.dof[e] = top_statistic, top_dof
    return separated


@kernel
def g2_marginal_tests(sample, edges, begin, end, results, done):
    """Test pairs without a conditioning set, from the counted pairs of states.

    Parameters
    ----------
    sample, edges, begin, end, results, done
        As in the module's docstring.
    """
    first, counts, joint, xlogx = sample.first, sample.counts, sample.joint, sample.xlogx
    nothing = np.empty(0, np.int32)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        half, seen = pair_g2(first, counts, joint, x, y, sample.n, xlogx)
        dof, tested = dof_of(sample, x, y, nothing, 0, seen)
        statistic = max(2.0 * half, 0.0)
        results.log_p[e] = log_chi2_sf(statistic, dof) if tested else 0.0
        results.statistic[e], results.dof[e], results.tested[e] = statistic, dof, tested
        results.n_tests[e] = 1
        done[0] += 1


@kernel
def g2_level_search(sample, edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, scratch, stop, done):
    """Test each pair given subsets of the first node's other neighbors, then new ones of the second node's.

    Parameters
    ----------
    sample, edges, begin, end, log_alpha, results, scratch, stop, done
        As in the module's docstring; all sets have as many members as `results.cond` has columns.
    adjacency : (p, p) bool array
    begin_of, near_of : int64 and int32 arrays
        Adjacency lists as in `graphs.adjacency.neighbor_lists`, in the order of the search.
    """
    size = results.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)  # in index order, so that rounding does not depend on the order of the arguments
        near = pool[: fill_pool(begin_of, near_of, a, b, pool)]
        separated = g2_search(sample, x, y, near, nothing, log_alpha, results, e, scratch, cond, chosen, stop)
        if size and not separated:
            near = pool[: fill_pool(begin_of, near_of, b, a, pool)]
            g2_search(sample, x, y, near, adjacency[a : a + 1], log_alpha, results, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def g2_pool_search(sample, edges, begin, end, begin_of, members, skip, whole, log_alpha, results, scratch, stop, done):
    """Test each pair given subsets of its own pool, or given its whole pool.

    Parameters
    ----------
    sample, edges, begin, end, log_alpha, results, scratch, stop, done
        As in the module's docstring; subsets have as many members as `results.cond` has columns.
    begin_of, members : int64 and int32 arrays
        Pools, as `begin` and `members` of `PairPools`.
    skip : (m, s, p) bool array
        Sets of pair e within a row of ``skip[e]`` are left out.
    whole : bool
        True: the only set of a pair is its pool.
    """
    width = results.cond.shape[1]
    cond, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members[begin_of[e] : begin_of[e + 1]]
        size = pool.shape[0] if whole else width
        g2_search(sample, x, y, pool, skip[e], log_alpha, results, e, scratch, cond[:size], chosen[:size], stop)
        if stop[0]:
            return
        done[0] += 1
