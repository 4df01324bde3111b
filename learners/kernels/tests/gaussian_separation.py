"""Fisher's z: one test, and the walks of `separation` over conditioning sets."""

import math

import numpy as np

from ..compiling import kernel
from .partial_correlation import ROWS_OF_WORK, TINY_VARIANCE, factor, given_each, partial_correlation, ratio
from .subsets import any_holds, covering, fill_pool, fill_set, first_subset, next_subset
from .tails import log_normal_two_sided

CHUNK = 32  # sets tested at a time; a walk may end within them


@kernel
def decide_fisher_z(corr, n, x, y, cond):
    """(ln p, z, tested): z = atanh(ρ) sqrt(n - |Z| - 3), with |Z| the rank of the set."""
    rho, rank = partial_correlation(corr, x, y, cond, cond.shape[0])
    return log_p_of(n, rho, rank)


@kernel
def log_p_of(n, rho, rank):
    """(ln p, z, tested) of a partial correlation given a set of that rank."""
    room = n - rank - 3
    if room <= 0:
        return 0.0, 0.0, False
    z = math.atanh(rho) * math.sqrt(room)
    return log_normal_two_sided(z), z, True


@kernel
def fisher_z_walk(
    corr, n, x, y, pool, n_pool, skip, log_alpha, outcome, e, first, chosen, chol, basis, of_pair, work, stop
):
    """As `separation.g2_walk`. Sets that differ in the last member alone share the factor of the `first` ones.

    Compares |ρ| while ranks are full, and takes atanh and a tail only of the hardest.
    """
    shared, size = first.shape[0], first.shape[0] + 1
    n_tests, top, smallest = outcome.n_tests[e], outcome.log_p[e], 2.0
    if n_tests:
        smallest = needed(n, size, outcome.statistic[e])
    separated = False
    first_subset(shared, chosen)
    more = n_pool >= size
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, first)
        known = covering(first, skip)
        rank = factor(corr, first, shared, chol, basis)
        begin = chosen[shared - 1] + 1 if shared else 0
        while begin < n_pool and not separated:
            end = min(begin + CHUNK, n_pool)
            given_each(corr, x, y, chol, basis, rank, pool, begin, end, of_pair, work)
            for t in range(end - begin):
                z = pool[begin + t]
                if known and any_holds(known, skip, z):
                    continue
                n_tests += 1
                rho, reached = work[rank + 1, t], rank + (work[rank, t] >= TINY_VARIANCE)
                if reached == size and abs(rho) >= smallest and n > size + 3:
                    continue
                log_p, statistic, tested = log_p_of(n, rho, reached)
                if n_tests == 1 or log_p > top:
                    top = log_p
                    smallest = abs(rho) if reached == size else needed(n, size, statistic)
                    outcome.statistic[e], outcome.tested[e] = statistic, tested
                    for k in range(shared):
                        outcome.cond[e, k] = first[k]
                    outcome.cond[e, shared] = z
                separated = log_p > log_alpha
                if separated:
                    break
            begin = end
        more = next_subset(shared, n_pool - 1, chosen)
    outcome.n_tests[e], outcome.log_p[e] = n_tests, top
    return separated


@kernel
def needed(n, size, z):
    """|ρ| that gives z at full rank: a redundant member leaves more degrees of freedom."""
    return abs(math.tanh(z / math.sqrt(max(n - size - 3, 1))))


@kernel
def fisher_z_pairs(corr, n, edges, begin, end, outcome, done):
    """Each edge ``begin <= e < end`` without a conditioning set."""
    root = math.sqrt(n - 3)
    for e in range(begin, end):
        outcome.statistic[e] = math.atanh(ratio(corr[edges[e, 0], edges[e, 1]], 1.0, 1.0)) * root
    for e in range(begin, end):  # apart, for a tail branches on z and would wait for the whole line before it
        outcome.log_p[e], outcome.n_tests[e] = log_normal_two_sided(outcome.statistic[e]), 1
    done[0] += end - begin


@kernel
def fisher_z_edges(corr, n, edges, begin, end, adjacency, begin_of, near_of, log_alpha, outcome, stop, done):
    """As `separation.g2_edges`, with Fisher's z, for sets of one member or more."""
    size = outcome.cond.shape[1]
    first, chosen, basis = np.empty(size - 1, np.int32), np.empty(size, np.int64), np.empty(size, np.int64)
    chol, of_pair, work = np.empty((size, size)), np.empty((2, size)), np.empty((size + ROWS_OF_WORK, CHUNK))
    pool, nothing = np.empty(adjacency.shape[0], np.int32), np.zeros((0, adjacency.shape[0]), np.bool_)
    for e in range(begin, end):
        a, b = edges[e, 0], edges[e, 1]
        x, y = min(a, b), max(a, b)  # in index order, so that rounding does not depend on who asks
        n_pool = fill_pool(begin_of, near_of, a, b, pool)
        separated = fisher_z_walk(
            corr, n, x, y, pool, n_pool, nothing, log_alpha, outcome, e, first, chosen, chol, basis, of_pair, work, stop
        )
        if not separated:
            n_pool, near = fill_pool(begin_of, near_of, b, a, pool), adjacency[a : a + 1]
            fisher_z_walk(
                corr,
                n,
                x,
                y,
                pool,
                n_pool,
                near,
                log_alpha,
                outcome,
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
def fisher_z_pools(corr, n, edges, begin, end, begin_of, members, skip, log_alpha, outcome, stop, done):
    """As `separation.g2_pools`, with Fisher's z, for sets of one member or more."""
    size = outcome.cond.shape[1]
    first, chosen, basis = np.empty(size - 1, np.int32), np.empty(size, np.int64), np.empty(size, np.int64)
    chol, of_pair, work = np.empty((size, size)), np.empty((2, size)), np.empty((size + ROWS_OF_WORK, CHUNK))
    for e in range(begin, end):
        x, y = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        pool = members[begin_of[e] : begin_of[e + 1]]
        fisher_z_walk(
            corr,
            n,
            x,
            y,
            pool,
            len(pool),
            skip[e],
            log_alpha,
            outcome,
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
