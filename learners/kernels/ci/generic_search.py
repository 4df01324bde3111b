"""Searches over conditioning sets with any test of `any_test`; arguments as in `g2_search`.

They are slower than searches written for one test, because sets share no work. ``results.n_rows`` gets the number of
rows of the hardest test, which ``scratch.rows[0]`` holds for the last test.
"""

import math

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .any_test import decide
from .evidence import log_p_of
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


@kernel
def is_easier(results, e, statistic, dof, tested):
    """Return True if a test has a smaller p than the hardest one so far, without computing it.

    p falls with the statistic and rises with the degrees of freedom.

    Parameters
    ----------
    results : CIResults
    e : int
        Row of the search.
    statistic, dof : float
    tested : bool
    """
    if results.n_tests[e] == 0 or not tested or not results.tested[e]:
        return False
    top = results.dof[e]
    if math.isnan(dof) or math.isnan(top):
        return math.isnan(dof) and math.isnan(top) and abs(statistic) >= abs(results.statistic[e])
    return dof <= top and statistic >= results.statistic[e]


@kernel
def add_generic_test(sample, x, y, cond, skips_untested, log_alpha, results, e, scratch):
    """Perform one more test of search e and record it; return True if it ends the search.

    Parameters
    ----------
    sample, x, y, cond, scratch
        As in `any_test.decide`; the whole of `cond` counts.
    skips_untested, log_alpha, results
        As in `results.add_batch_test`.
    e : int
        Row of the search.
    """
    statistic, dof, tested = decide(sample, x, y, cond, cond.shape[0], scratch)
    if is_easier(results, e, statistic, dof, tested):
        results.n_tests[e] += 1
        return False
    log_p = log_p_of(statistic, dof, tested)
    passed_over = skips_untested and not tested
    harder = log_p > results.log_p[e] or (skips_untested and not results.tested[e])
    if results.n_tests[e] == 0 or (harder and not passed_over):
        results.log_p[e], results.statistic[e], results.dof[e] = log_p, statistic, dof
        results.tested[e] = tested
        if results.n_rows.shape[0]:
            results.n_rows[e] = scratch.rows[0]
        copy(cond, results.cond[e])
    results.n_tests[e] += 1
    return log_p > log_alpha and not passed_over


@kernel
def generic_search(sample, x, y, pool, skip, log_alpha, results, e, scratch, cond, chosen, stop):
    """Run the search of `g2_search.g2_search`.

    Parameters
    ----------
    sample, scratch
        As in `any_test.decide`.
    x, y, pool, skip, log_alpha, results, e, cond, chosen, stop
        As in `g2_search.g2_search`.
    """
    size = cond.shape[0]
    separated = False
    first_subset(size, chosen)
    more = pool.shape[0] >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        more = next_subset(size, pool.shape[0], chosen)
        if size and covering_pools(cond, skip):
            continue
        separated = add_generic_test(sample, x, y, cond, False, log_alpha, results, e, scratch)
    return separated


@kernel
def generic_level_search(
    sample, edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, scratch, stop, done
):
    """Run the search of `g2_search.g2_level_search`.

    Parameters
    ----------
    sample, scratch
        As in `any_test.decide`.
    edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, stop, done
        As in `g2_search.g2_level_search`.
    """
    size = results.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        near = pool[: fill_pool(begin_of, near_of, a, b, pool) if size else 0]
        separated = generic_search(sample, a, b, near, nothing, log_alpha, results, e, scratch, cond, chosen, stop)
        if size and not separated:
            near = pool[: fill_pool(begin_of, near_of, b, a, pool)]
            generic_search(sample, a, b, near, adjacency[a : a + 1], log_alpha, results, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def generic_pool_search(sample, edges, begin, end, begin_of, members, skip, log_alpha, results, scratch, stop, done):
    """Run the search of `g2_search.g2_pool_search`.

    Parameters
    ----------
    sample, scratch
        As in `any_test.decide`.
    edges, begin, end, begin_of, members, skip, log_alpha, results, stop, done
        As in `g2_search.g2_pool_search`.
    """
    size = results.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    for e in range(begin, end):
        pool = members[begin_of[e] : begin_of[e + 1]]
        x, y = edges[e, 0], edges[e, 1]
        generic_search(sample, x, y, pool, skip[e], log_alpha, results, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def generic_new_set_search(
    sample, edges, begin, end, pools, sizes, known, max_size, log_alpha, results, scratch, stop, done
):
    """Run the search of `g2_search.g2_new_set_search` with any test.

    Parameters
    ----------
    sample, scratch
        As in `any_test.decide`.
    edges, begin, end, pools, sizes, known, max_size, log_alpha, results, stop, done
        As in `g2_search.g2_new_set_search`.
    """
    members, chosen = np.empty(max_size, np.int32), np.empty(max_size, np.int64)
    for e in range(begin, end):
        target, other = edges[e, 0], edges[e, 1]
        pool, n_pool = pools[target], sizes[target]
        separated = False
        for size in range(1, min(max_size, n_pool) + 1):
            cond = members[:size]
            more = first_new_set(size, n_pool, known[target], chosen)
            while more and not separated and not stop[0]:
                fill_sorted_set(pool, chosen, cond)
                more = next_new_set(size, n_pool, chosen)
                separated = add_generic_test(sample, target, other, cond, False, log_alpha, results, e, scratch)
        if stop[0]:
            return
        done[0] += 1


@kernel
def generic_batch_search(
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
    """Run the search of `g2_search.g2_batch_search`.

    Parameters
    ----------
    sample, scratch
        As in `any_test.decide`.
    pairs, begin, end, base_begin, bases, pool_begin, pools, sizes, skips_untested, log_alpha, results, stop, done
        As in `g2_search.g2_batch_search`.
    """
    width = results.cond.shape[1]
    members, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    for w in range(begin, end):
        base, pool = bases[base_begin[w] : base_begin[w + 1]], pools[pool_begin[w] : pool_begin[w + 1]]
        cond, size = members[: base.shape[0] + sizes[w]], sizes[w]
        first_subset(size, chosen)
        more = pool.shape[0] >= size
        while more and not stop[0]:
            fill_with_base(base, pool, chosen, cond)
            more = next_subset(size, pool.shape[0], chosen)
            if add_generic_test(sample, pairs[w, 0], pairs[w, 1], cond, skips_untested, log_alpha, results, w, scratch):
                break
        if stop[0]:
            return
        done[0] += 1
