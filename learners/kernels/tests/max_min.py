"""Every set that a growing pool newly offers, tried on a pair: the walk of learners that build neighbourhoods up.

`pool` lists nodes in the order they came; all sets of its first `known` members were tried before, so a set is new iff
it holds a later one. New sets are walked by size, then by their last member, then lexicographically. `results`,
`stop` and `done` are those of `separation`; a set is written in ascending order, padded with -1.
"""

import math

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .partial_correlation import partial_correlation
from .separation import dof_of, g2
from .subsets import first_subset, next_subset
from .tails import log_chi2_sf, log_normal_two_sided


@kernel
def first_new(size, n_pool, known, chosen):
    """Positions of the first new set of `size` members into `chosen`; False if there is none."""
    first_subset(size - 1, chosen)
    chosen[size - 1] = max(known, size - 1)
    return chosen[size - 1] < n_pool


@kernel
def next_new(size, n_pool, chosen):
    """Advance `chosen` to the next new set; False when the last was reached."""
    if next_subset(size - 1, chosen[size - 1], chosen):
        return True
    first_subset(size - 1, chosen)
    chosen[size - 1] += 1
    return chosen[size - 1] < n_pool


@kernel
def fill_sorted(pool, chosen, cond):
    """The members of `pool` at the positions `chosen`, ascending, so that rounding does not depend on their order."""
    for k in range(cond.shape[0]):
        node = pool[chosen[k]]
        place = k
        while place and cond[place - 1] > node:
            cond[place] = cond[place - 1]
            place -= 1
        cond[place] = node


@kernel
def g2_new_sets(sample, edges, begin, end, pools, sizes, known, most, log_alpha, outcome, scratch, stop, done):
    """Each edge ``begin <= e < end`` given the new sets, of up to `most` members, of its first node's pool.

    `pools` (p, q) int32 holds the pools, of `sizes` (p,), in its rows.
    """
    members, chosen = np.empty(most, np.int32), np.empty(most, np.int64)
    plain_rule = sample.adjusted and sample.rows_per_cell <= 0.0
    for e in range(begin, end):
        target = edges[e, 0]
        x, y = min(target, edges[e, 1]), max(target, edges[e, 1])
        pool, n_pool = pools[target], sizes[target]
        n_tests, top, top_statistic, top_dof = 0, -np.inf, np.nan, np.nan
        for size in range(1, min(most, n_pool) + 1):
            cond = members[:size]
            more = first_new(size, n_pool, known[target], chosen)
            while more and top <= log_alpha and not stop[0]:
                fill_sorted(pool, chosen, cond)
                more = next_new(size, n_pool, chosen)
                half, seen = g2(sample, x, y, cond, size, scratch)
                statistic, dof, tested = max(2.0 * half, 0.0), float(seen), True
                if not plain_rule:
                    dof, tested = dof_of(sample, x, y, cond, size, seen)
                n_tests += 1
                # p falls with the statistic and rises with dof: most tests are plainly easier than the hardest so far.
                if n_tests > 1 and tested and dof <= top_dof and statistic >= top_statistic:
                    continue
                log_p = log_chi2_sf(statistic, dof) if tested else 0.0
                if n_tests == 1 or log_p > top:
                    top, top_statistic, top_dof = log_p, statistic, dof
                    outcome.tested[e] = tested
                    copy(cond, outcome.cond[e])
        outcome.n_tests[e], outcome.log_p[e] = n_tests, top
        outcome.statistic[e], outcome.dof[e] = top_statistic, top_dof
        if stop[0]:
            return
        done[0] += 1


@kernel
def fisher_z_new_sets(corr, n, edges, begin, end, pools, sizes, known, most, log_alpha, outcome, stop, done):
    """As `g2_new_sets`, with Fisher's z. Compares |ρ| within a size while ranks are full, and takes a tail of few."""
    members, chosen = np.empty(most, np.int32), np.empty(most, np.int64)
    for e in range(begin, end):
        target = edges[e, 0]
        x, y = min(target, edges[e, 1]), max(target, edges[e, 1])
        pool, n_pool = pools[target], sizes[target]
        n_tests, top = 0, -np.inf
        for size in range(1, min(most, n_pool) + 1):
            cond, root = members[:size], math.sqrt(max(n - size - 3, 1))
            # The |ρ| that the hardest test so far would have at this size and full rank.
            smallest = abs(math.tanh(outcome.statistic[e] / root)) if n_tests else 2.0
            more = first_new(size, n_pool, known[target], chosen)
            while more and top <= log_alpha and not stop[0]:
                fill_sorted(pool, chosen, cond)
                more = next_new(size, n_pool, chosen)
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
                    outcome.statistic[e], outcome.tested[e] = z, room > 0
                    copy(cond, outcome.cond[e])
        outcome.n_tests[e], outcome.log_p[e] = n_tests, top
        if stop[0]:
            return
        done[0] += 1
