"""Walks of G² that look a test up before they count: as `separation`, for runs that come back to the same data.

A test is remembered by a 64-bit key of x, y and its set, in the order of the set, for sums in another order differ in
the last digits. Two of m tests share a key with probability m² / 2^65.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..scores.families import find
from .separation import dof_of, g2
from .subsets import covering, fill_pool, fill_set, first_subset, next_subset
from .tails import log_chi2_sf

LEFT, RIGHT = np.uint64(7), np.uint64(57)  # bits that a key is turned by, so that the order counts


class Known(NamedTuple):
    """Open addressing: `keys` (2^m,) uint64 with 0 for free, `used` (1,) int64; `member_key` (p,) uint64.

    `statistic`, `dof`, `log_p` (2^m,) float64 and `tested` (2^m,) bool are those of each test; ln p is NaN until some
    walk has asked for it.
    """

    keys: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    log_p: np.ndarray
    tested: np.ndarray
    used: np.ndarray
    member_key: np.ndarray


@kernel
def turned(key):
    """The bits of a key, those that leave on the left back on the right."""
    return (key << LEFT) | (key >> RIGHT)


@kernel
def key_of_test(member_key, x, y, cond):
    """Key of a test of x < y, never 0."""
    key = turned(member_key[x]) ^ member_key[y]
    for k in range(cond.shape[0]):
        key = turned(key) ^ member_key[cond[k]]
    return key if key != 0 else np.uint64(1)


@kernel
def recalled_walk(sample, known, x, y, pool, skip, log_alpha, outcome, e, scratch, cond, chosen, stop):
    """As `separation.g2_walk`. New tests are stored while half of the places are free. One thread at a time."""
    keys, statistics, dofs, log_ps, all_tested = known.keys, known.statistic, known.dof, known.log_p, known.tested
    used, member_key, size = known.used, known.member_key, cond.shape[0]
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
        key = key_of_test(member_key, x, y, cond)
        at = find(keys, key)
        if keys[at] == key:
            statistic, dof, tested, log_p = statistics[at], dofs[at], all_tested[at], log_ps[at]
            stored = True
        else:
            half, seen = g2(sample, x, y, cond, size, scratch)
            dof, tested = dof_of(sample, x, y, cond, size, seen)
            statistic, log_p = max(2.0 * half, 0.0), np.nan
            stored = 2 * (used[0] + 1) <= keys.shape[0]
            used[0] += 1  # counts those without a place too
            if stored:
                keys[at], statistics[at], dofs[at], all_tested[at], log_ps[at] = key, statistic, dof, tested, np.nan
        n_tests += 1
        if n_tests > 1 and tested and dof <= top_dof and statistic >= top_statistic:
            continue
        if np.isnan(log_p):
            log_p = log_chi2_sf(statistic, dof) if tested else 0.0
            if stored:
                log_ps[at] = log_p
        if n_tests == 1 or log_p > top:
            top, top_statistic, top_dof = log_p, statistic, dof
            outcome.tested[e] = tested
            copy(cond, outcome.cond[e])
        separated = log_p > log_alpha
    outcome.n_tests[e], outcome.log_p[e] = n_tests, top
    outcome.statistic[e], outcome.dof[e] = top_statistic, top_dof
    return separated


@kernel
def recalled_edges(
    sample, known, edges, begin, end, adjacency, begin_of, near_of, log_alpha, outcome, scratch, stop, done
):  # fmt: skip
    """As `separation.g2_edges`."""
    size = outcome.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)
        near = pool[: fill_pool(begin_of, near_of, a, b, pool)]
        separated = recalled_walk(
            sample, known, x, y, near, nothing, log_alpha, outcome, e, scratch, cond, chosen, stop
        )
        if size and not separated:
            near = pool[: fill_pool(begin_of, near_of, b, a, pool)]
            skip = adjacency[a : a + 1]
            recalled_walk(sample, known, x, y, near, skip, log_alpha, outcome, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def recalled_pools(
    sample, known, edges, begin, end, begin_of, members, skip, log_alpha, outcome, scratch, stop, done
):  # fmt: skip
    """As `separation.g2_pools`."""
    size = outcome.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members[begin_of[e] : begin_of[e + 1]]
        recalled_walk(sample, known, x, y, pool, skip[e], log_alpha, outcome, e, scratch, cond, chosen, stop)
        if stop[0]:
            return
        done[0] += 1


@kernel
def move_known(old, new):
    """Copy all entries to the larger, empty `new`."""
    for at in range(old.keys.shape[0]):
        if old.keys[at] != 0:
            to = find(new.keys, old.keys[at])
            new.keys[to], new.statistic[to], new.dof[to] = old.keys[at], old.statistic[at], old.dof[at]
            new.log_p[to], new.tested[to] = old.log_p[at], old.tested[at]
            new.used[0] += 1


@kernel
def gap_around(known, log_alpha):
    """The largest ln p of a known test that is at most `log_alpha`, and the smallest above it.

    A test whose ln p nobody has asked for is easier than one that was asked for in the same walk, so that it decides
    nothing.
    """
    below, above = -np.inf, np.inf
    for at in range(known.keys.shape[0]):
        if known.keys[at] != 0:
            log_p = known.log_p[at]
            if log_p > log_alpha:
                above = min(above, log_p)
            elif log_p <= log_alpha:
                below = max(below, log_p)
    return below, above
