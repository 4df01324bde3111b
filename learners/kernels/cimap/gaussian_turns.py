"""Sequential tests of edges as in `sequential_tests`, with the mutual information of a degenerate Gaussian.

The χ² statistic of independent variables is on average its degrees of freedom, so the information is that of the
statistic less its degrees of freedom.
"""

import math

import numpy as np

from ..arrays import copy
from ..ci.degenerate_gaussian import decide_degenerate
from ..ci.subsets import fill_set, first_subset, next_subset
from ..ci.tail_probabilities import log_chi2_sf
from ..compiling import kernel
from .sequential_tests import GONE, KEPT, NO_SET, SEPARATED, SKIPPED, harmonic


@kernel
def excess_bits(statistic, dof, n):
    """Return the information in bits beyond what chance gives: (χ² - dof) / (2 n ln 2), at least 0."""
    return max(statistic - dof, 0.0) / (2.0 * n * math.log(2.0)) if n > 0 else 0.0


@kernel
def separate_gaussian_sequentially(
    sample, edges, begin, end, adjacency, begin_of, near_of, rule, turns, scratch, stop, done
):
    """Take the turns ``begin <= t < end`` one after the other; removed edges leave `adjacency` at once.

    Parameters
    ----------
    sample : EmbeddedSample
        Without continuous variables, so that each test is a χ² test.
    edges, begin, end, adjacency, begin_of, near_of, turns, stop, done
        As in `sequential_tests.separate_sequentially`.
    rule : DecisionRule
        Not `normal`, and not `literal`.
    scratch : EmbeddedScratch
    """
    size = turns.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    pool = np.empty(adjacency.shape[0], np.int32)
    for t in range(begin, end):
        i, j = edges[t, 0], edges[t, 1]
        if adjacency[i, j]:
            count = 0
            for at in range(begin_of[i], begin_of[i + 1]):
                k = near_of[at]
                if k != j and (rule.frozen or adjacency[i, k]):
                    pool[count] = k
                    count += 1
            state = separate_one(
                sample, min(i, j), max(i, j), pool[:count], rule, turns, t, scratch, cond, chosen, stop
            )
            turns.state[t] = state
            if state == SEPARATED:
                adjacency[i, j] = adjacency[j, i] = False
        else:
            turns.state[t] = GONE
        if stop[0]:
            return
        done[0] += 1


@kernel
def separate_one(sample, x, y, pool, rule, turns, t, scratch, cond, chosen, stop):
    """Test x < y given subsets of `pool`; return the state of the turn.

    Parameters
    ----------
    sample, rule, turns, scratch, stop
        As in `separate_gaussian_sequentially`.
    x, y : int
    pool : int32 array
    t : int
        Row of `turns` that is filled, but for `state`.
    cond, chosen : (size,) int32 and int64 arrays
        Scratch.
    """
    size = cond.shape[0]
    if pool.shape[0] < size:
        return NO_SET
    first = sample.first
    if float((first[x + 1] - first[x]) * (first[y + 1] - first[y])) > rule.bound:
        turns.n_skipped[t] = count_subsets(pool.shape[0], size)
        return SKIPPED
    n_tests, top, top_statistic, top_dof, least = 0, -np.inf, np.nan, np.nan, np.inf
    separated = False
    first_subset(size, chosen)
    more = True
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        cond.sort()
        more = next_subset(size, pool.shape[0], chosen)
        n_tests += 1
        statistic, dof, tested = decide_degenerate(sample, x, y, cond, size, scratch)
        if rule.by_information:
            bits = excess_bits(statistic, dof, scratch.rows[0])
            separated = bits < rule.cut
            if n_tests == 1 or bits < least:
                least, top_statistic, top_dof = bits, statistic, dof
                top = log_chi2_sf(statistic, dof) if tested else 0.0
                copy(cond, turns.cond[t])
            continue
        if tested and not rule.every and n_tests > 1 and dof <= top_dof and statistic >= top_statistic:
            continue
        log_p = log_chi2_sf(statistic, dof) if tested else 0.0
        if n_tests == 1 or log_p > top:
            top, top_statistic, top_dof = log_p, statistic, dof
            copy(cond, turns.cond[t])
        if rule.every:
            insert_falling(turns.listed[t], log_p)
        else:
            separated = log_p > rule.log_alpha
    turns.n_tests[t] = n_tests
    turns.log_p[t], turns.statistic[t], turns.dof[t] = top, top_statistic, top_dof
    if rule.every:
        turns.log_line[t] = rule.log_q - (math.log(harmonic(n_tests)) if rule.harmonic else 0.0)
        separated = not stop[0] and top > turns.log_line[t]
    return SEPARATED if separated else KEPT


@kernel
def count_subsets(n, k):
    """Return the number of subsets of k of n members."""
    total = 1
    for i in range(k):
        total = total * (n - i) // (i + 1)
    return total


@kernel
def insert_falling(values, value):
    """Insert a value into a decreasing array and drop the smallest value; NaN marks free slots."""
    k = values.shape[0] - 1
    if values[k] >= value:
        return
    while k > 0 and not values[k - 1] >= value:
        values[k] = values[k - 1]
        k -= 1
    values[k] = value
