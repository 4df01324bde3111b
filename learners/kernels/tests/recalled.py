"""Walks of G² that look a test up before they count: as `separation`, for runs that come back to the same data.

A test is remembered by a 64-bit key of x, y and its set, in the order of the set, for sums in another order differ in
the last digits. Two of m tests share a key with probability m² / 2^65.

So are whole walks, by their pools or the lists of both nodes, with the levels at which they end alike: from the
largest ln p before the end, below the last one if that separates. The power rule decides and changes no statistic: a
test is remembered as if it were done, and a walk with the cells of its tests that the rule draws a line between.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..counting.contingency import n_cells
from ..scores.families import find, turned
from .separation import dof_of, enough_rows, g2
from .subsets import covering, fill_pool, fill_set, first_subset, next_subset
from .tails import log_chi2_sf

NO_CELLS = (0.0, np.inf)  # where no test was done and none left out


class Known(NamedTuple):
    """Open addressing: `keys` (2^m,) uint64 with 0 for free, `used` (1,) int64; `member_key` (4p,) uint64: of
    each variable in a set or the list of a first node, in the list of a second one, as first node, and as second one.

    `statistic`, `dof`, `log_p` (2^m,) float64 are those of each test, done whatever the power rule says; ln p is NaN
    until some walk has asked for it.
    """

    keys: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    log_p: np.ndarray
    used: np.ndarray
    member_key: np.ndarray


class KnownWalks(NamedTuple):
    """Walks of sets of k members, as `Known`.

    Of each `low` and `high` (2^m,) float64, between which ln alpha has this outcome, the first included; `done` and
    `undone` (2^m,) float64, the most cells of its tests done and the fewest of those not done; and its row of
    `TestResults`. `near` (4,) float64: the highest `low`, the lowest `high`, the most `done` and the fewest `undone`
    since these were set to -inf, inf, 0 and inf.
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
    near: np.ndarray


@kernel
def key_of_pool(key, member_key, pool):
    """The key of what came before, followed by a pool."""
    for k in range(pool.shape[0]):
        key = turned(key) ^ member_key[pool[k]]
    return turned(key) ^ np.uint64(pool.shape[0])


@kernel
def key_of_list(of_list, node, begin_of, near_of, member_key):
    """The key of the neighbours of a node, kept in (p,) `of_list`; 0 there for one not asked for yet."""
    if of_list[node] == 0:
        of_list[node] = key_of_pool(np.uint64(0), member_key, near_of[begin_of[node] : begin_of[node + 1]])
    return of_list[node]


@kernel
def same_rule(sample, done, undone):
    """Whether the power rule lets tests of up to `done` cells be done, and none from `undone` cells on."""
    return enough_rows(sample, done) and (undone == np.inf or not enough_rows(sample, undone))


@kernel
def recall(sample, walks, at, log_alpha, outcome, e):
    """Write the outcome of the walk at a place to row `e`; False if it is of other levels or another power rule."""
    if not walks.low[at] <= log_alpha < walks.high[at] or not same_rule(sample, walks.done[at], walks.undone[at]):
        return False
    outcome.log_p[e], outcome.statistic[e], outcome.dof[e] = walks.log_p[at], walks.statistic[at], walks.dof[at]
    outcome.tested[e], outcome.n_tests[e] = walks.tested[at], walks.n_tests[at]
    copy(walks.cond[at], outcome.cond[e])
    note_levels(walks.near, walks.low[at], walks.high[at])
    note_cells(walks.near, walks.done[at], walks.undone[at])
    return True


@kernel
def keep(walks, at, key, before, cells, log_alpha, outcome, e):
    """Take note of the levels of a walk with `before` as its largest ln p but the last, and of its most `cells` done
    and fewest not done; store it if there is room."""
    log_p = outcome.log_p[e]
    low, high = (before, log_p) if log_p > log_alpha else (log_p, np.inf)
    note_levels(walks.near, low, high)
    note_cells(walks.near, cells[0], cells[1])
    if walks.keys[at] != key:
        if 2 * (walks.used[0] + 1) > walks.keys.shape[0]:
            return
        walks.used[0] += 1
    walks.keys[at], walks.low[at], walks.high[at], walks.log_p[at] = key, low, high, log_p
    walks.done[at], walks.undone[at] = cells
    walks.statistic[at], walks.dof[at] = outcome.statistic[e], outcome.dof[e]
    walks.tested[at], walks.n_tests[at] = outcome.tested[e], outcome.n_tests[e]
    copy(outcome.cond[e], walks.cond[at])


@kernel
def note_levels(near, low, high):
    """A walk ends alike from `low` on and below `high`."""
    near[0], near[1] = max(near[0], low), min(near[1], high)


@kernel
def note_cells(near, done, undone):
    """Tests of up to `done` cells are done, and none from `undone` cells on."""
    near[2], near[3] = max(near[2], done), min(near[3], undone)


@kernel
def key_of_test(member_key, x, y, cond):
    """Key of a test of x < y, never 0."""
    key = turned(member_key[x]) ^ member_key[y]
    for k in range(cond.shape[0]):
        key = turned(key) ^ member_key[cond[k]]
    return key if key != 0 else np.uint64(1)


@kernel
def recalled_walk(sample, known, x, y, pool, skip, cells, log_alpha, outcome, e, scratch, cond, chosen, stop):
    """As `separation.g2_walk`; returns the largest ln p before the last test that was larger still, and the most cells
    of a test done and the fewest of one not done, those of the `cells` that came before included.

    New tests are stored while half of the places are free. One thread at a time.
    """
    keys, statistics, dofs, log_ps = known.keys, known.statistic, known.dof, known.log_p
    arity, (most_done, least_undone) = sample.arity, cells
    used, member_key, size = known.used, known.member_key, cond.shape[0]
    n_tests, top = outcome.n_tests[e], outcome.log_p[e]
    top_statistic, top_dof, before = outcome.statistic[e], outcome.dof[e], -np.inf
    separated = False
    first_subset(size, chosen)
    more = pool.shape[0] >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        more = next_subset(size, pool.shape[0], chosen)
        if size and covering(cond, skip):
            continue
        key = key_of_test(member_key, x, y, cond)
        at = find(keys, key)
        if keys[at] == key:
            statistic, dof, log_p, stored = statistics[at], dofs[at], log_ps[at], True
        else:
            half, seen = g2(sample, x, y, cond, size, scratch)
            dof = dof_of(sample, x, y, cond, size, seen)[0]
            statistic, log_p = max(2.0 * half, 0.0), np.nan
            stored = 2 * (used[0] + 1) <= keys.shape[0]
            used[0] += 1  # counts those without a place too
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
            outcome.tested[e] = tested
            copy(cond, outcome.cond[e])
        separated = log_p > log_alpha
    outcome.n_tests[e], outcome.log_p[e] = n_tests, top
    outcome.statistic[e], outcome.dof[e] = top_statistic, top_dof
    return before, (most_done, least_undone)


@kernel
def recalled_edges(
    sample, known, walks, edges, begin, end, adjacency, begin_of, near_of, log_alpha, outcome, scratch, stop, done
):  # fmt: skip
    """As `separation.g2_edges`, of sets with members."""
    size, keys, member_key = outcome.cond.shape[1], walks.keys, known.member_key
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    p = adjacency.shape[0]
    pool_a, pool_b, nothing = np.empty(p, np.int32), np.empty(p, np.int32), np.zeros((0, p), np.bool_)
    first_keys, second_keys = np.zeros(p, np.uint64), np.zeros(p, np.uint64)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)
        key = key_of_list(first_keys, a, begin_of, near_of, member_key) ^ member_key[2 * p + a]
        key ^= key_of_list(second_keys, b, begin_of, near_of, member_key[p:]) ^ member_key[3 * p + b]
        at = find(keys, key)
        if keys[at] != key or not recall(sample, walks, at, log_alpha, outcome, e):
            near_a = pool_a[: fill_pool(begin_of, near_of, a, b, pool_a)]
            near_b = pool_b[: fill_pool(begin_of, near_of, b, a, pool_b)]
            before, cells = recalled_walk(
                sample, known, x, y, near_a, nothing, NO_CELLS, log_alpha, outcome, e, scratch, cond, chosen, stop
            )
            if outcome.log_p[e] <= log_alpha:
                skip = adjacency[a : a + 1]
                before, cells = recalled_walk(
                    sample, known, x, y, near_b, skip, cells, log_alpha, outcome, e, scratch, cond, chosen, stop
                )
            if stop[0]:
                return
            keep(walks, at, key, before, cells, log_alpha, outcome, e)
        done[0] += 1


@kernel
def recalled_pools(
    sample, known, walks, edges, begin, end, begin_of, members, skip, log_alpha, outcome, scratch, stop, done
):  # fmt: skip
    """As `separation.g2_pools`, of sets with members."""
    size, keys, member_key = outcome.cond.shape[1], walks.keys, known.member_key
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members[begin_of[e] : begin_of[e + 1]]
        key = key_of_pool(turned(member_key[x]) ^ member_key[y], member_key, pool)
        for r in range(skip.shape[1]):
            inside = np.uint64(0)
            for k in range(pool.shape[0]):
                if skip[e, r, pool[k]]:
                    inside ^= member_key[pool[k]]
            key = turned(key) ^ inside
        at = find(keys, key)
        if keys[at] != key or not recall(sample, walks, at, log_alpha, outcome, e):
            before, cells = recalled_walk(
                sample, known, x, y, pool, skip[e], NO_CELLS, log_alpha, outcome, e, scratch, cond, chosen, stop
            )
            if stop[0]:
                return
            keep(walks, at, key, before, cells, log_alpha, outcome, e)
        done[0] += 1


@kernel
def move_known(old, new):
    """Copy all entries to the larger, empty `new`."""
    for at in range(old.keys.shape[0]):
        if old.keys[at] != 0:
            to = find(new.keys, old.keys[at])
            new.keys[to], new.statistic[to], new.dof[to] = old.keys[at], old.statistic[at], old.dof[at]
            new.log_p[to] = old.log_p[at]
            new.used[0] += 1
