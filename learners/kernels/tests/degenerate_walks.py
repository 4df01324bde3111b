"""Walks of the degenerate Gaussian test where no cell is missing: sets that differ in their last member share the rest.

For the columns of x and y, `coords` (t, r) are the coordinates in the span of what sets share, and `left` (t, t), lower
triangle, the covariances that it leaves.
"""

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .deciding import log_p_of
from .degenerate import test_of, wilks_of_block
from .embedded import add_columns, fill_known
from .partial_correlation import factor, whiten
from .subsets import any_holds, covering, fill_pool, fill_set, first_subset, next_subset


@kernel
def columns_of(first_of, members, columns):
    """The columns of the members, one after the other; how many."""
    m = 0
    for k in range(members.shape[0]):
        for c in range(first_of[members[k]], first_of[members[k] + 1]):
            columns[m] = c
            m += 1
    return m


@kernel
def fill_left(corr, of_pair, t, chol, basis, rank, coords, left):
    """Coordinates of the first `t` of the columns `of_pair`, and the covariances that the set leaves of them."""
    for a in range(t):
        whiten(corr, chol, basis, rank, of_pair[a], coords, a)
        for b in range(a + 1):
            total = corr[of_pair[a], of_pair[b]]
            for k in range(rank):
                total -= coords[a, k] * coords[b, k]
            left[a, b] = total


@kernel
def fill_block(corr, begin, end, of_pair, t, chol, basis, rank, coords, left, own, block):
    """What the set leaves of the columns ``begin .. end - 1`` of one more member, and of those of the pair after it."""
    d = end - begin
    for i in range(d):
        variance = whiten(corr, chol, basis, rank, begin + i, own, i)
        block[i, i] = variance
        for j in range(i):
            total = corr[begin + i, begin + j]
            for k in range(rank):
                total -= own[i, k] * own[j, k]
            block[i, j] = total
    for a in range(t):
        for j in range(d):
            total = corr[of_pair[a], begin + j]
            for k in range(rank):
                total -= coords[a, k] * own[j, k]
            block[d + a, j] = total
        for b in range(a + 1):
            block[d + a, d + b] = left[a, b]


@kernel
def all_continuous(continuous, x, y, members):
    """Whether x, y and the members are."""
    found = continuous[x] and continuous[y]
    for k in range(members.shape[0]):
        found = found and continuous[members[k]]
    return found


@kernel
def degenerate_walk(
    first_of, continuous, corr, n, x, y, pool, skip, log_alpha, outcome, e, members, chosen, square, index, stop
):
    """As `separation.g2_walk`, for sets of one member or more.

    `members` has room for what sets share; `square` (6, m, m) float64 and `index` (3, m) int64 are scratch.
    """
    chol, coords, left, own, block, work = square[0], square[1], square[2], square[3], square[4], square[5]
    columns, basis, of_pair = index[0], index[1], index[2]
    shared, n_pool = members.shape[0], pool.shape[0]
    n_tests, top = outcome.n_tests[e], outcome.log_p[e]
    top_statistic, top_dof, top_tested = outcome.statistic[e], outcome.dof[e], outcome.tested[e]
    width_x = first_of[x + 1] - first_of[x]
    t = 0
    for c in range(first_of[x], first_of[x + 1]):
        of_pair[t] = c
        t += 1
    for c in range(first_of[y], first_of[y + 1]):
        of_pair[t] = c
        t += 1
    separated = False
    first_subset(shared, chosen)
    more = n_pool > shared
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, members)
        known, numbers = covering(members, skip), all_continuous(continuous, x, y, members)
        rank = factor(corr, columns, columns_of(first_of, members, columns), chol, basis)
        fill_left(corr, of_pair, t, chol, basis, rank, coords, left)
        for at in range(chosen[shared - 1] + 1 if shared else 0, n_pool):
            z = pool[at]
            if known and any_holds(known, skip, z):
                continue
            begin, end = first_of[z], first_of[z + 1]
            fill_block(corr, begin, end, of_pair, t, chol, basis, rank, coords, left, own, block)
            d = end - begin
            log_lambda, rank_z, rank_x, rank_y, rho = wilks_of_block(block, d, d + width_x, d + t, own, work, columns)
            number = numbers and continuous[z]
            statistic, dof, tested = test_of(n, number, log_lambda, rank + rank_z, rank_x, rank_y, rho)
            n_tests += 1
            if n_tests > 1 and tested and top_tested and plainly_easier(statistic, dof, top_statistic, top_dof):
                continue
            log_p = log_p_of(statistic, dof, tested)
            if n_tests == 1 or log_p > top:
                top, top_statistic, top_dof, top_tested = log_p, statistic, dof, tested
                copy(members, outcome.cond[e])
                outcome.cond[e, shared] = z
            separated = log_p > log_alpha
            if separated:
                break
        more = next_subset(shared, n_pool - 1, chosen)
    outcome.n_tests[e], outcome.log_p[e] = n_tests, top
    outcome.statistic[e], outcome.dof[e], outcome.tested[e] = top_statistic, top_dof, top_tested
    return separated


@kernel
def plainly_easier(statistic, dof, top_statistic, top_dof):
    """Whether p is smaller without looking: it falls with the statistic and rises with dof; z has none."""
    if dof == dof and top_dof == top_dof:
        return dof <= top_dof and statistic >= top_statistic
    return dof != dof and top_dof != top_dof and abs(statistic) >= abs(top_statistic)


@kernel
def degenerate_pairs(first_of, continuous, corr, n, edges, begin, end, outcome, m, done):
    """Each edge ``begin <= e < end`` without a conditioning set."""
    block, chol, left = np.empty((m, m)), np.empty((m, m)), np.empty((m, m))
    basis, columns = np.empty(m, np.int64), np.empty(m, np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        begin_y = add_columns(first_of, x, columns, 0)
        t = add_columns(first_of, y, columns, begin_y)
        fill_known(corr, columns, t, block)
        log_lambda, rank, rank_x, rank_y, rho = wilks_of_block(block, 0, begin_y, t, chol, left, basis)
        number = continuous[x] and continuous[y]
        statistic, dof, tested = test_of(n, number, log_lambda, rank, rank_x, rank_y, rho)
        outcome.statistic[e], outcome.dof[e], outcome.tested[e] = statistic, dof, tested
        outcome.log_p[e], outcome.n_tests[e] = log_p_of(statistic, dof, tested), 1
        done[0] += 1


@kernel
def degenerate_edges(
    first_of, continuous, corr, n, edges, begin, end, adjacency, begin_of, near_of, log_alpha, outcome, m, stop, done
):
    """As `separation.g2_edges`, for sets of one member or more, with `m` columns at most in a test."""
    size = outcome.cond.shape[1]
    members, chosen = np.empty(size - 1, np.int32), np.empty(size, np.int64)
    square, index = np.empty((6, m, m)), np.empty((3, m), np.int64)
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)  # in index order, so that rounding does not depend on who asks
        near, skip, separated = pool[: fill_pool(begin_of, near_of, a, b, pool)], nothing, False
        for side in range(2):
            if side == 1:
                near, skip = pool[: fill_pool(begin_of, near_of, b, a, pool)], adjacency[a : a + 1]
            if not separated:
                separated = degenerate_walk(
                    first_of, continuous, corr, n, x, y, near, skip, log_alpha, outcome, e, members, chosen, square,
                    index, stop,
                )  # fmt: skip
        if stop[0]:
            return
        done[0] += 1


@kernel
def degenerate_pools(
    first_of, continuous, corr, n, edges, begin, end, begin_of, members_of, skip, log_alpha, outcome, m, stop, done
):
    """As `separation.g2_pools`, for sets of one member or more, with `m` columns at most in a test."""
    size = outcome.cond.shape[1]
    members, chosen = np.empty(size - 1, np.int32), np.empty(size, np.int64)
    square, index = np.empty((6, m, m)), np.empty((3, m), np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members_of[begin_of[e] : begin_of[e + 1]]
        degenerate_walk(
            first_of, continuous, corr, n, x, y, pool, skip[e], log_alpha, outcome, e, members, chosen, square, index,
            stop,
        )  # fmt: skip
        if stop[0]:
            return
        done[0] += 1
