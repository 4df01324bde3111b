"""Searches of `g2_search` that look tests up before counting, for repeated runs on the same data.

A test is cached under a 64-bit key of x, y and its set in the order of the set, because sums in another order differ in
the last digits. Two of m tests share a key with probability m² / 2^65.

Whole searches are cached too, under the key of their pools or of both adjacency lists, with the interval of levels at
which they end in the same way: from the largest ln p before the last test, and below the last ln p if it separates. The
power rule decides which tests are done but changes no statistic: a test is cached as if it were done, and a search with
the numbers of cells between which the power rule must draw its line.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..counting.contingency import n_cells
from ..hash_table import find_slot, rotate_bits
from .g2 import dof_of, enough_rows, g2
from .subsets import covering_pools, fill_pool, fill_set, first_subset, next_subset
from .tail_probabilities import log_chi2_sf

NO_CELLS = (0.0, np.inf)  # no test done and none omitted


class CICache(NamedTuple):
    """Hash table of tests with open addressing.

    Attributes
    ----------
    keys : (2^m,) uint64 array
        0 for a free slot.
    statistic, dof, log_p : (2^m,) float64 arrays
        Results of each test, computed even if the power rule forbids it; ln p is NaN until a search needs it.
    used : (1,) int64 array
        Number of tests.
    member_key : (4 p,) uint64 array
        Random keys of each variable: as member of a set or of a first node's list, as member of a second node's list,
        as first node, and as second node.
    """

    keys: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    log_p: np.ndarray
    used: np.ndarray
    member_key: np.ndarray


class SearchCache(NamedTuple):
    """Hash table of searches over sets of k members, with open addressing as in `CICache`.

    Attributes
    ----------
    keys : (2^m,) uint64 array
    low, high : (2^m,) float64 arrays
        The outcome holds for ``low <= ln alpha < high``.
    done, undone : (2^m,) float64 arrays
        Most cells of a test that was done, and fewest cells of a test that was not.
    log_p, statistic, dof, tested, cond, n_tests : arrays
        Row of `CIResults`.
    used : (1,) int64 array
    bounds : (4,) float64 array
        Intersection of the intervals used since it was set to -inf, inf, 0 and inf: the highest `low`, the lowest
        `high`, the largest `done` and the smallest `undone`.
    """

    keys: np.ndarray
    low: np.ndarray
    high: np.ndarray
    done: np.ndarray
    undone: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    tested: np.ndarray
    cond: np.ndarray
    n_tests: np.ndarray
    used: np.ndarray
    bounds: np.ndarray


@kernel
def key_of_pool(key, member_key, pool):
    """Return the key of a sequence extended by the members of a pool."""
    for k in range(pool.shape[0]):
        key = rotate_bits(key) ^ member_key[pool[k]]
    return rotate_bits(key) ^ np.uint64(pool.shape[0])


@kernel
def key_of_list(of_list, node, begin_of, near_of, member_key):
    """Return the key of a node's neighbors, computed at most once.

    Parameters
    ----------
    of_list : (p,) uint64 array
        Keys computed so far; 0 where unknown.
    node : int
    begin_of, near_of : int64 and int32 arrays
        Adjacency lists as in `graphs.adjacency.neighbor_lists`.
    member_key : uint64 array
    """
    if of_list[node] == 0:
        of_list[node] = key_of_pool(np.uint64(0), member_key, near_of[begin_of[node] : begin_of[node + 1]])
    return of_list[node]


@kernel
def same_rule(sample, done, undone):
    """Return True if the power rule allows tests of up to `done` cells and none from `undone` cells on."""
    return enough_rows(sample, done) and (undone == np.inf or not enough_rows(sample, undone))


@kernel
def load_search(sample, searches, at, log_alpha, results, e):
    """Write a cached search to row `e` of the results; False if it belongs to other levels or another power rule.

    Parameters
    ----------
    sample : DiscreteSample
    searches : SearchCache
    at : int
        Slot of the search.
    log_alpha : float
    results : CIResults
    e : int
    """
    if not searches.low[at] <= log_alpha < searches.high[at] or not same_rule(
        sample, searches.done[at], searches.undone[at]
    ):
        return False
    results.log_p[e], results.statistic[e], results.dof[e] = (
        searches.log_p[at],
        searches.statistic[at],
        searches.dof[at],
    )
    results.tested[e], results.n_tests[e] = searches.tested[at], searches.n_tests[at]
    copy(searches.cond[at], results.cond[e])
    narrow_levels(searches.bounds, searches.low[at], searches.high[at])
    narrow_cells(searches.bounds, searches.done[at], searches.undone[at])
    return True


@kernel
def store_search(searches, at, key, before, cells, log_alpha, results, e):
    """Record the interval of a finished search, and store the search if there is room.

    Parameters
    ----------
    searches : SearchCache
    at : int
        Slot of the search, or a free one.
    key : uint64
    before : float
        Largest ln p before the last test.
    cells : (float, float)
        Most cells of a test that was done, fewest of a test that was not.
    log_alpha : float
    results : CIResults
    e : int
    """
    log_p = results.log_p[e]
    low, high = (before, log_p) if log_p > log_alpha else (log_p, np.inf)
    narrow_levels(searches.bounds, low, high)
    narrow_cells(searches.bounds, cells[0], cells[1])
    if searches.keys[at] != key:
        if 2 * (searches.used[0] + 1) > searches.keys.shape[0]:
            return
        searches.used[0] += 1
    searches.keys[at], searches.low[at], searches.high[at], searches.log_p[at] = key, low, high, log_p
    searches.done[at], searches.undone[at] = cells
    searches.statistic[at], searches.dof[at] = results.statistic[e], results.dof[e]
    searches.tested[at], searches.n_tests[at] = results.tested[e], results.n_tests[e]
    copy(results.cond[e], searches.cond[at])


@kernel
def narrow_levels(bounds, low, high):
    """Intersect the interval of levels in `bounds` with ``low <= ln alpha < high``."""
    bounds[0], bounds[1] = max(bounds[0], low), min(bounds[1], high)


@kernel
def narrow_cells(bounds, done, undone):
    """Intersect the interval of power rules in `bounds` with those that test `done` cells but not `undone` ones."""
    bounds[2], bounds[3] = max(bounds[2], done), min(bounds[3], undone)


@kernel
def key_of_test(member_key, x, y, cond):
    """Return the key of a test of x < y given a set; never 0.

    Parameters
    ----------
    member_key : uint64 array
    x, y : int
    cond : int32 array
    """
    key = rotate_bits(member_key[x]) ^ member_key[y]
    for k in range(cond.shape[0]):
        key = rotate_bits(key) ^ member_key[cond[k]]
    return key if key != 0 else np.uint64(1)


@kernel
def cached_g2_search(sample, tests, x, y, pool, skip, cells, log_alpha, results, e, scratch, cond, chosen, stop):
    """Run the search of `g2_search.g2_search`, but look each test up first; not thread-safe.

    New tests are stored while half of the slots are free.

    Parameters
    ----------
    sample, x, y, pool, skip, log_alpha, results, e, scratch, cond, chosen, stop
        As in `g2_search.g2_search`.
    tests : CICache
    cells : (float, float)
        Most cells of a test done before in this search, and fewest of a test not done.

    Returns
    -------
    before : float
        Largest ln p before the test with the largest ln p.
    cells : (float, float)
    """
    keys, statistics, dofs, log_ps = tests.keys, tests.statistic, tests.dof, tests.log_p
    arity, (most_done, least_undone) = sample.arity, cells
    used, member_key, size = tests.used, tests.member_key, cond.shape[0]
    n_tests, top = results.n_tests[e], results.log_p[e]
    top_statistic, top_dof, before = results.statistic[e], results.dof[e], -np.inf
    separated = False
    first_subset(size, chosen)
    more = pool.shape[0] >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        more = next_subset(size, pool.shape[0], chosen)
        if size and covering_pools(cond, skip):
            continue
        key = key_of_test(member_key, x, y, cond)
        at = find_slot(keys, key)
        if keys[at] == key:
            statistic, dof, log_p, stored = statistics[at], dofs[at], log_ps[at], True
        else:
            half, seen = g2(sample, x, y, cond, size, scratch)
            dof = dof_of(sample, x, y, cond, size, seen)[0]
            statistic, log_p = max(2.0 * half, 0.0), np.nan
            stored = 2 * (used[0] + 1) <= keys.shape[0]
            used[0] += 1  # also counts tests without a slot
            if stored:
                keys[at], statistics[at], dofs[at], log_ps[at] = key, statistic, dof, np.nan
        of_test = n_cells(arity, x, y, cond, size)
        tested = enough_rows(sample, of_test)
        if tested:
            most_done = max(most_done, of_test)
        else:
            least_undone, log_p, stored = min(least_undone, of_test), 0.0, False
        n_tests += 1
        if n_tests > 1 and tested and dof <= top_dof and statistic >= top_statistic:
            continue
        if np.isnan(log_p):
            log_p = log_chi2_sf(statistic, dof)
            if stored:
                log_ps[at] = log_p
        if n_tests == 1 or log_p > top:
            before, top, top_statistic, top_dof = top, log_p, statistic, dof
            results.tested[e] = tested
            copy(cond, results.cond[e])
        separated = log_p > log_alpha
    results.n_tests[e], results.log_p[e] = n_tests, top
    results.statistic[e], results.dof[e] = top_statistic, top_dof
    return before, (most_done, least_undone)


@kernel
def cached_g2_level_search(
    sample, tests, searches, edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, scratch, stop, done
):  # fmt: skip
    """Run the search of `g2_search.g2_level_search`, for sets with members.

    Parameters
    ----------
    sample, edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, scratch, stop, done
        As in `g2_search.g2_level_search`.
    tests : CICache
    searches : SearchCache
    """
    size, keys, member_key = results.cond.shape[1], searches.keys, tests.member_key
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    p = adjacency.shape[0]
    pool_a, pool_b, nothing = np.empty(p, np.int32), np.empty(p, np.int32), np.zeros((0, p), np.bool_)
    first_keys, second_keys = np.zeros(p, np.uint64), np.zeros(p, np.uint64)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)
        key = key_of_list(first_keys, a, begin_of, near_of, member_key) ^ member_key[2 * p + a]
        key ^= key_of_list(second_keys, b, begin_of, near_of, member_key[p:]) ^ member_key[3 * p + b]
        at = find_slot(keys, key)
        if keys[at] != key or not load_search(sample, searches, at, log_alpha, results, e):
            near_a = pool_a[: fill_pool(begin_of, near_of, a, b, pool_a)]
            near_b = pool_b[: fill_pool(begin_of, near_of, b, a, pool_b)]
            before, cells = cached_g2_search(
                sample, tests, x, y, near_a, nothing, NO_CELLS, log_alpha, results, e, scratch, cond, chosen, stop
            )
            if results.log_p[e] <= log_alpha:
                skip = adjacency[a : a + 1]
                before, cells = cached_g2_search(
                    sample, tests, x, y, near_b, skip, cells, log_alpha, results, e, scratch, cond, chosen, stop
                )
            if stop[0]:
                return
            store_search(searches, at, key, before, cells, log_alpha, results, e)
        done[0] += 1


@kernel
def cached_g2_pool_search(
    sample, tests, searches, edges, begin, end, begin_of, members, skip, whole, log_alpha, results, scratch, stop, done
):  # fmt: skip
    """Run the search of `g2_search.g2_pool_search`, for sets with members.

    Parameters
    ----------
    sample, edges, begin, end, begin_of, members, skip, whole, log_alpha, results, scratch, stop, done
        As in `g2_search.g2_pool_search`.
    tests : CICache
    searches : SearchCache
    """
    width, keys, member_key = results.cond.shape[1], searches.keys, tests.member_key
    cond, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members[begin_of[e] : begin_of[e + 1]]
        size = pool.shape[0] if whole else width
        key = key_of_pool(rotate_bits(member_key[x]) ^ member_key[y], member_key, pool)
        for r in range(skip.shape[1]):
            inside = np.uint64(0)
            for k in range(pool.shape[0]):
                if skip[e, r, pool[k]]:
                    inside ^= member_key[pool[k]]
            key = rotate_bits(key) ^ inside
        key ^= np.uint64(whole)  # a smaller pool has no subset
        at = find_slot(keys, key)
        if keys[at] != key or not load_search(sample, searches, at, log_alpha, results, e):
            before, cells = cached_g2_search(
                sample, tests, x, y, pool, skip[e], NO_CELLS, log_alpha, results, e, scratch, cond[:size],
                chosen[:size], stop,
            )  # fmt: skip
            if stop[0]:
                return
            store_search(searches, at, key, before, cells, log_alpha, results, e)
        done[0] += 1


@kernel
def rehash_tests(old, new):
    """Copy all tests to the larger, empty cache `new`."""
    for at in range(old.keys.shape[0]):
        if old.keys[at] != 0:
            to = find_slot(new.keys, old.keys[at])
            new.keys[to], new.statistic[to], new.dof[to] = old.keys[at], old.statistic[at], old.dof[at]
            new.log_p[to] = old.log_p[at]
            new.used[0] += 1
