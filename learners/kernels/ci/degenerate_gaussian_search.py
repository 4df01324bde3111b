"""Searches over conditioning sets with the degenerate Gaussian test, for complete data; arguments as in `g2_search`.

Sets that differ only in their last member share one Cholesky factor.

Arrays of all functions here
----------------------------
first_of : (p + 1,) int64 array
    The columns of variable v are ``first_of[v] .. first_of[v + 1] - 1``.
continuous : (p,) bool array
corr : (q, q) float64 array
    Correlations of the embedded columns.
n : int
    Number of rows.
chol, basis, rank
    Factor of the columns that sets share, as in `partial_correlation`.
of_pair : (t,) int64 array
    Columns of x, then of y.
coords : (t, r) float64 array
    Their coordinates in the span of the shared columns.
left : (t, t) float64 array
    Their residual covariances, in the lower triangle.
"""

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .degenerate_gaussian import statistic_of, wilks_of_block
from .embedded_covariance import add_columns, fill_correlations
from .evidence import log_p_of
from .partial_correlation import factor, whiten
from .subsets import any_pool_has, covering_pools, fill_pool, fill_set, first_subset, next_subset


@kernel
def list_columns(first_of, members, columns):
    """Write the columns of the members to `columns`, one member after the other; return their number."""
    m = 0
    for k in range(members.shape[0]):
        for c in range(first_of[members[k]], first_of[members[k] + 1]):
            columns[m] = c
            m += 1
    return m


@kernel
def fill_left(corr, of_pair, t, chol, basis, rank, coords, left):
    """Compute the coordinates of the pair's columns and their residual covariances.

    Parameters
    ----------
    corr, of_pair, chol, basis, rank, coords, left
        As in the module's docstring; the last two are filled.
    t : int
        Columns of the pair.
    """
    for a in range(t):
        whiten(corr, chol, basis, rank, of_pair[a], coords, a)
        for b in range(a + 1):
            total = corr[of_pair[a], of_pair[b]]
            for k in range(rank):
                total -= coords[a, k] * coords[b, k]
            left[a, b] = total


@kernel
def fill_block(corr, begin, end, of_pair, t, chol, basis, rank, coords, left, own, block):
    """Compute the residual covariances of one more member's columns, followed by those of the pair.

    Parameters
    ----------
    corr, of_pair, chol, basis, rank, coords, left
        As in the module's docstring.
    begin, end : int
        The member's columns are ``begin .. end - 1``.
    t : int
        Columns of the pair.
    own : (m, m) float64 array
        Scratch: coordinates of the member's columns.
    block : (m, m) float64 array
        Filled.
    """
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
    """Return True if x, y and all members are continuous.

    Parameters
    ----------
    continuous : (p,) bool array
    x, y : int
    members : int32 array
    """
    found = continuous[x] and continuous[y]
    for k in range(members.shape[0]):
        found = found and continuous[members[k]]
    return found


@kernel
def degenerate_search(
    first_of, continuous, corr, n, x, y, pool, skip, log_alpha, results, e, members, chosen, square, index, stop
):
    """Run the search of `g2_search.g2_search`, for sets with members.

    Parameters
    ----------
    first_of, continuous, corr, n
        As in the module's docstring.
    x, y, pool, skip, log_alpha, results, e, chosen, stop
        As in `g2_search.g2_search`.
    members : (size - 1,) int32 array
        Scratch: the members that sets share.
    square : (6, m, m) float64 array
        Scratch, for m columns.
    index : (3, m) int64 array
        Scratch.
    """
    chol, coords, left, own, block, work = square[0], square[1], square[2], square[3], square[4], square[5]
    columns, basis, of_pair = index[0], index[1], index[2]
    shared, n_pool = members.shape[0], pool.shape[0]
    n_tests, top = results.n_tests[e], results.log_p[e]
    top_statistic, top_dof, top_tested = results.statistic[e], results.dof[e], results.tested[e]
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
        known, numbers = covering_pools(members, skip), all_continuous(continuous, x, y, members)
        rank = factor(corr, columns, list_columns(first_of, members, columns), chol, basis)
        fill_left(corr, of_pair, t, chol, basis, rank, coords, left)
        for at in range(chosen[shared - 1] + 1 if shared else 0, n_pool):
            z = pool[at]
            if known and any_pool_has(known, skip, z):
                continue
            begin, end = first_of[z], first_of[z + 1]
            fill_block(corr, begin, end, of_pair, t, chol, basis, rank, coords, left, own, block)
            d = end - begin
            log_lambda, rank_z, rank_x, rank_y, rho = wilks_of_block(block, d, d + width_x, d + t, own, work, columns)
            number = numbers and continuous[z]
            statistic, dof, tested = statistic_of(n, number, log_lambda, rank + rank_z, rank_x, rank_y, rho)
            n_tests += 1
            if n_tests > 1 and tested and top_tested and has_smaller_p(statistic, dof, top_statistic, top_dof):
                continue
            log_p = log_p_of(statistic, dof, tested)
            if n_tests == 1 or log_p > top:
                top, top_statistic, top_dof, top_tested = log_p, statistic, dof, tested
                copy(members, results.cond[e])
                results.cond[e, shared] = z
            separated = log_p > log_alpha
            if separated:
                break
        more = next_subset(shared, n_pool - 1, chosen)
    results.n_tests[e], results.log_p[e] = n_tests, top
    results.statistic[e], results.dof[e], results.tested[e] = top_statistic, top_dof, top_tested
    return separated


@kernel
def has_smaller_p(statistic, dof, top_statistic, top_dof):
    """Return True if p is certainly smaller than that of the hardest test.

    p falls with the statistic and rises with the degrees of freedom; those of Fisher's z are NaN.

    Parameters
    ----------
    statistic, dof : float
    top_statistic, top_dof : float
        Those of the hardest test.
    """
    if dof == dof and top_dof == top_dof:
        return dof <= top_dof and statistic >= top_statistic
    return dof != dof and top_dof != top_dof and abs(statistic) >= abs(top_statistic)


@kernel
def degenerate_marginal_tests(first_of, continuous, corr, n, edges, begin, end, results, m, done):
    """Test pairs without a conditioning set.

    Parameters
    ----------
    first_of, continuous, corr, n
        As in the module's docstring.
    edges, begin, end, results, done
        As in `g2_search`.
    m : int
        Maximum number of columns of a pair.
    """
    block, chol, left = np.empty((m, m)), np.empty((m, m)), np.empty((m, m))
    basis, columns = np.empty(m, np.int64), np.empty(m, np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        begin_y = add_columns(first_of, x, columns, 0)
        t = add_columns(first_of, y, columns, begin_y)
        fill_correlations(corr, columns, t, block)
        log_lambda, rank, rank_x, rank_y, rho = wilks_of_block(block, 0, begin_y, t, chol, left, basis)
        number = continuous[x] and continuous[y]
        statistic, dof, tested = statistic_of(n, number, log_lambda, rank, rank_x, rank_y, rho)
        results.statistic[e], results.dof[e], results.tested[e] = statistic, dof, tested
        results.log_p[e], results.n_tests[e] = log_p_of(statistic, dof, tested), 1
        done[0] += 1


@kernel
def degenerate_level_search(
    first_of, continuous, corr, n, edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, m, stop, done
):
    """Run the search of `g2_search.g2_level_search`, for sets with members.

    Parameters
    ----------
    first_of, continuous, corr, n
        As in the module's docstring.
    edges, begin, end, adjacency, begin_of, near_of, log_alpha, results, stop, done
        As in `g2_search.g2_level_search`.
    m : int
        Maximum number of columns of a test.
    """
    size = results.cond.shape[1]
    members, chosen = np.empty(size - 1, np.int32), np.empty(size, np.int64)
    square, index = np.empty((6, m, m)), np.empty((3, m), np.int64)
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)  # in index order, so that rounding does not depend on the order of the arguments
        near, skip, separated = pool[: fill_pool(begin_of, near_of, a, b, pool)], nothing, False
        for side in range(2):
            if side == 1:
                near, skip = pool[: fill_pool(begin_of, near_of, b, a, pool)], adjacency[a : a + 1]
            if not separated:
                separated = degenerate_search(
                    first_of, continuous, corr, n, x, y, near, skip, log_alpha, results, e, members, chosen, square,
                    index, stop,
                )  # fmt: skip
        if stop[0]:
            return
        done[0] += 1


@kernel
def degenerate_pool_search(
    first_of, continuous, corr, n, edges, begin, end, begin_of, members_of, skip, log_alpha, results, m, stop, done
):
    """Run the search of `g2_search.g2_pool_search`, for sets with members.

    Parameters
    ----------
    first_of, continuous, corr, n
        As in the module's docstring.
    edges, begin, end, begin_of, members_of, skip, log_alpha, results, stop, done
        As in `g2_search.g2_pool_search`, `members_of` being its `members`.
    m : int
        Maximum number of columns of a test.
    """
    size = results.cond.shape[1]
    members, chosen = np.empty(size - 1, np.int32), np.empty(size, np.int64)
    square, index = np.empty((6, m, m)), np.empty((3, m), np.int64)
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members_of[begin_of[e] : begin_of[e + 1]]
        degenerate_search(
            first_of, continuous, corr, n, x, y, pool, skip[e], log_alpha, results, e, members, chosen, square, index,
            stop,
        )  # fmt: skip
        if stop[0]:
            return
        done[0] += 1
