"""Searches over conditioning sets with Fisher's z test; arguments as in `g2_search`.

`corr` (p, p) float64 are the correlations of `n` rows. Sets that differ only in their last member share one Cholesky
factor. |ρ| is compared while ranks are full; atanh and the tail are computed for the hardest tests only.
"""

import math

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .fisher_z import decide_fisher_z, fisher_z_log_p
from .partial_correlation import (
    EXTRA_WORK_ROWS,
    TINY_VARIANCE,
    factor,
    partial_correlation,
    partial_correlations_given_each,
    to_correlation,
)
from .results import add_batch_test
from .subsets import (
    any_pool_has,
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
from .tail_probabilities import log_normal_two_sided

CHUNK = 32  # number of sets tested at a time; a search may end within a chunk


@kernel
def fisher_z_search(
    corr, n, x, y, pool, n_pool, skip, log_alpha, results, e, first, chosen, chol, basis, of_pair, work, stop
):
    """Test x < y given the subsets of a pool, as `g2_search.g2_search`, for sets with members.

    Parameters
    ----------
    corr, n
        As in the module's docstring.
    x, y, pool, skip, log_alpha, results, e, stop
        As in `g2_search.g2_search`.
    n_pool : int
        The first `n_pool` members of `pool` count.
    first : (size - 1,) int32 array
        Scratch: the members that sets share.
    chosen, basis : (size,) int64 arrays
        Scratch.
    chol : (size, size) float64 array
        Scratch.
    of_pair : (2, size) float64 array
        Scratch.
    work : (size + `EXTRA_WORK_ROWS`, `CHUNK`) float64 array
        Scratch.
    """
    shared, size = first.shape[0], first.shape[0] + 1
    n_tests, top, smallest = results.n_tests[e], results.log_p[e], 2.0
    if n_tests:
        smallest = min_correlation(n, size, results.statistic[e])
    separated = False
    first_subset(shared, chosen)
    more = n_pool >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, first)
        known = covering_pools(first, skip)
        rank = factor(corr, first, shared, chol, basis)
        begin = chosen[shared - 1] + 1 if shared else 0
        while begin < n_pool and not separated:
            end = min(begin + CHUNK, n_pool)
            partial_correlations_given_each(corr, x, y, chol, basis, rank, pool, begin, end, of_pair, work)
            for t in range(end - begin):
                z = pool[begin + t]
                if known and any_pool_has(known, skip, z):
                    continue
                n_tests += 1
                rho, reached = work[rank + 1, t], rank + (work[rank, t] >= TINY_VARIANCE)
                if reached == size and abs(rho) >= smallest and n > size + 3:
                    continue
                log_p, statistic, tested = fisher_z_log_p(n, rho, reached)
                if n_tests == 1 or log_p > top:
                    top = log_p
                    smallest = abs(rho) if reached == size else min_correlation(n, size, statistic)
                    results.statistic[e], results.tested[e] = statistic, tested
                    for k in range(shared):
                        results.cond[e, k] = first[k]
                    results.cond[e, shared] = z
                separated = log_p > log_alpha
                if separated:
                    break
            begin = end
        more = next_subset(shared, n_pool - 1, chosen)
    results.n_tests[e], results.log_p[e] = n_tests, top
    return separated


@kernel
def min_correlation(n, size, z):
    """Return the |ρ| that gives z at full rank `size`; a redundant member leaves more degrees of freedom."""
    return abs(math.tanh(z / math.sqrt(max(n - size - 3, 1))))


@kernel
def fisher_z_marginal_tests(corr, n, edges, begin, end, results, done):
    """Test pairs without a conditioning set.

    Parameters
    ----------
    corr, n
        As in the module's docstring.
    edges, begin, end, results, done
        As in `g2_search`.
    """
    root = math.sqrt(n - 3)
    for e in range(begin, end):
        results.statistic[e] = math.atanh(to_correlation(corr[edges[e, 0], edges[e, 1]], 1.0, 1.0)) * root
    for e in range(begin, end):  # a separate loop, because the tail probability branches on z, which is computed above
        results.log_p[e], results.n_tests[e] = log_normal_two_sided(results.statistic[e]), 1
    done[0] += end - begin


@kernel
def fisher_z_level_search(corr, n, edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, stop, done):
    """Run the search of `g2_search.g2_level_search`, for sets with members.

    Parameters
    ----------
    corr, n
        As in the module's docstring.
    edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, stop, done
        As in `g2_search.g2_level_search`.
    """
    size = results.cond.shape[1]
    first, chosen, basis = np.empty(size - 1, np.int32), np.empty(size, np.int64), np.empty(size, np.int64)
    chol, of_pair, work = np.empty((size, size)), np.empty((2, size)), np.empty((size + EXTRA_WORK_ROWS, CHUNK))
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)  # in index order, so that rounding does not depend on the order of the arguments
        n_pool = fill_pool(begin_of, near_of, a, b, pool)
        separated = fisher_z_search(
            corr, n, x, y, pool, n_pool, nothing, log_alpha, results, e, first, chosen, chol, basis, of_pair, work, stop
        )
        if not separated:
            n_pool, near = fill_pool(begin_of, near_of, b, a, pool), adjacency[a : a + 1]
            fisher_z_search(
                corr,
                n,
                x,
                y,
                pool,
                n_pool,
                near,
                log_alpha,
                results,
                e,
                first,
                chosen,
                chol,
                basis,
                of_pair,
                work,
                stop,
            )
        if stop[0]:
            return
        done[0] += 1


@kernel
def fisher_z_pool_search(corr, n, edges, begin, end, begin_of, members, skip, log_alpha, results, stop, done):
    """Run the search of `g2_search.g2_pool_search`, for sets with members.

    Parameters
    ----------
    corr, n
        As in the module's docstring.
    edges, begin, end, begin_of, members, skip, log_alpha, results, stop, done
        As in `g2_search.g2_pool_search`.
    """
    size = results.cond.shape[1]
    first, chosen, basis = np.empty(size - 1, np.int32), np.empty(size, np.int64), np.empty(size, np.int64)
    chol, of_pair, work = np.empty((size, size)), np.empty((2, size)), np.empty((size + EXTRA_WORK_ROWS, CHUNK))
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members[begin_of[e] : begin_of[e + 1]]
        fisher_z_search(
            corr,
            n,
            x,
            y,
            pool,
            len(pool),
            skip[e],
            log_alpha,
            results,
            e,
            first,
            chosen,
            chol,
            basis,
            of_pair,
            work,
            stop,
        )
        if stop[0]:
            return
        done[0] += 1


@kernel
def fisher_z_batch_search(
    corr,
    n,
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
    stop,
    done,
):
    """Run the search of `g2_search.g2_batch_search`.

    Parameters
    ----------
    corr, n
        As in the module's docstring.
    pairs, begin, end, base_begin, bases, pool_begin, pools, sizes, skips_untested, log_alpha, results, stop, done
        As in `g2_search.g2_batch_search`.
    """
    width = results.cond.shape[1]
    members, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    for w in range(begin, end):
        x, y = min(pairs[w, 0], pairs[w, 1]), max(pairs[w, 0], pairs[w, 1])
        base, pool = bases[base_begin[w] : base_begin[w + 1]], pools[pool_begin[w] : pool_begin[w + 1]]
        cond, size = members[: base.shape[0] + sizes[w]], sizes[w]
        first_subset(size, chosen)
        more = pool.shape[0] >= size
        while more and not stop[0]:
            fill_with_base(base, pool, chosen, cond)
            more = next_subset(size, pool.shape[0], chosen)
            log_p, z, tested = decide_fisher_z(corr, n, x, y, cond)
            if add_batch_test(results, w, cond, log_p, z, np.nan, tested, skips_untested, log_alpha):
                break
        if stop[0]:
            return
        done[0] += 1


@kernel
def fisher_z_new_set_search(corr, n, edges, begin, end, pools, sizes, known, max_size, log_alpha, results, stop, done):
    """Run the search of `g2_search.g2_new_set_search`, with Fisher's z.

    Parameters
    ----------
    corr, n
        As in the module's docstring.
    edges, begin, end, pools, sizes, known, max_size, log_alpha, results, stop, done
        As in `g2_search.g2_new_set_search`.
    """
    members, chosen = np.empty(max_size, np.int32), np.empty(max_size, np.int64)
    for e in range(begin, end):
        target = edges[e, 0]
        x, y = min(target, edges[e, 1]), max(target, edges[e, 1])
        pool, n_pool = pools[target], sizes[target]
        n_tests, top = 0, -np.inf
        for size in range(1, min(max_size, n_pool) + 1):
            cond, root = members[:size], math.sqrt(max(n - size - 3, 1))
            # The |ρ| that the hardest test so far would have at this size and full rank.
            smallest = abs(math.tanh(results.statistic[e] / root)) if n_tests else 2.0
            more = first_new_set(size, n_pool, known[target], chosen)
            while more and top <= log_alpha and not stop[0]:
                fill_sorted_set(pool, chosen, cond)
                more = next_new_set(size, n_pool, chosen)
                rho, rank = partial_correlation(corr, x, y, cond, size)
                n_tests += 1
                if rank == size and abs(rho) >= smallest and n > size + 3:
                    continue
                room = n - rank - 3
                z = math.atanh(rho) * math.sqrt(room) if room > 0 else 0.0
                log_p = log_normal_two_sided(z) if room > 0 else 0.0
                if n_tests == 1 or log_p > top:
                    top = log_p
                    smallest = abs(rho) if rank == size else abs(math.tanh(z / root))
                    results.statistic[e], results.tested[e] = z, room > 0
                    copy(cond, results.cond[e])
        results.n_tests[e], results.log_p[e] = n_tests, top
        if stop[0]:
            return
        done[0] += 1
