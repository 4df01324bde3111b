"""Ranking of pairs in LMM: pairs are updated only as far as necessary to find the next one.

Arguments are as in `elimination`.
"""

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .dependence import joint_key, probability, squared_at
from .set_search import min_log_odds, search_one_by_one, search_sets
from .state import ITERATION, N_EDGES, N_TESTS, update_top
from .tested import has_correlations

PAUSED, NOTHING = -1, -2  # returned by `best_candidate` in place of a row
MAX_AT_ONCE = 12  # members processed at once; each further one doubles the work or more, so they are added singly


@kernel
def best_candidate(evidence, terms, state, spent, budget):
    """Return the row of the candidate pair with the largest key, the first of equal ones; or `PAUSED` or `NOTHING`.

    Parameters
    ----------
    evidence, terms, state, spent, budget
        As in `elimination`.
    """
    while True:
        i = 0
        for k in range(1, state.top.shape[0]):
            if state.top[k] > state.top[i]:
                i = k
        spent[0] += 2 * state.top.shape[0]
        if state.top[i] == -np.inf:
            return NOTHING
        j = state.top_at[i]
        if not is_stale(state, i, j):
            return i
        state.key[i, j] = update_pair(evidence, terms, state, i, j, spent)
        update_top(state, i)
        if spent[0] > budget:
            return PAUSED


@kernel
def is_stale(state, i, j):
    """Return True if an end of the pair has become aware of a neighbor since the pair was updated."""
    return state.seen[i, j] < state.n_aware[i] or state.seen[j, i] < state.n_aware[j]


@kernel
def update_pair(evidence, terms, state, i, j, spent):
    """Update both one-sided values; return the key of the pair, or an upper bound while the pair is stale.

    Parameters
    ----------
    evidence, terms, state, spent
        As in `elimination`.
    i, j : int
    """
    update_side(evidence, terms, state, i, j, spent)
    update_side(evidence, terms, state, j, i, spent)
    return joint_key(state.one_sided[i, j], state.one_sided[j, i], terms.product)


@kernel
def update_side(evidence, terms, state, i, j, spent):
    """Lower the one-sided log-odds of i and j by sets that were not seen yet (equation 3).

    It takes all of them if i is aware of few nodes, otherwise those with the next node, so that a turn stays short.

    Parameters
    ----------
    evidence, terms, state, spent
        As in `elimination`.
    i, j : int
    """
    before = state.seen[i, j]
    if before == state.n_aware[i]:
        return
    q = min(state.n_aware[i], max(before + 1, MAX_AT_ONCE))
    state.seen[i, j] = q
    n, first = 0, 0
    for t in range(q):
        if t == before:
            first = n
        if state.aware[i, t] != j:
            state.members[n] = state.aware[i, t]
            n += 1
    max_size = min(terms.max_cond_size, n)
    heads, members, low, chain = state.heads, state.members[:n], state.low[:, : max_size + 2], state.chain
    heads[0], heads[1] = i, j
    low[:] = np.inf
    if has_correlations(evidence):
        count = search_sets(evidence, heads, members, first, max_size, low, chain)
    else:
        # Sets that cannot lower the value need not be exact.
        for k in range(max_size + 1):
            low[0, k] = squared_at(evidence, k, state.one_sided[i, j])
        count = search_one_by_one(evidence, heads, members, first, max_size, low, chain, state.path)
    spent[0] += 100 + 50 * count
    state.counters[N_TESTS] += count
    size, s = min_log_odds(evidence, low[0])
    if s < state.one_sided[i, j]:
        state.one_sided[i, j] = s
        state.hardest[i, j] = -1
        copy(chain[0, size, :size], state.hardest[i, j])


@kernel
def refresh_edges(evidence, terms, state, spent, budget):
    """Update every edge; return True if the call must pause before all are updated.

    Parameters
    ----------
    evidence, terms, state, spent, budget
        As in `elimination`.
    """
    m = state.counters[N_EDGES]
    spent[0] += 4 * m
    for e in range(m):
        i, j = state.edges[e]
        if not (state.touched[i] or state.touched[j]):
            continue
        # Only a pair that needed work ends a turn: the next turn skips updated pairs at no cost.
        while is_stale(state, i, j):
            update_pair(evidence, terms, state, i, j, spent)
            if spent[0] > budget:
                return True
        s, t = state.one_sided[i, j], state.one_sided[j, i]
        state.edge_key[e], state.edge_sided[e, 0], state.edge_sided[e, 1] = joint_key(s, t, terms.product), s, t
        state.edge_knows[e, 0], state.edge_knows[e, 1] = state.knows[i, j], state.knows[j, i]
    state.touched[:] = False
    return False


@kernel
def weakest(state, cooldown):
    """Return the position of the edge with the smallest key, the first of equal ones; -1 if no edge may be removed."""
    best, at = np.inf, -1
    for e in range(state.counters[N_EDGES]):
        if state.fixed[e] or state.counters[ITERATION] - state.stamp[e] < cooldown:
            continue
        key = state.edge_key[e]
        if key < best or (key == best and comes_first(state.edges, e, at)):
            best, at = key, e
    return at


@kernel
def comes_first(edges, e, f):
    """Return True if pair e comes before pair f, or f is -1."""
    return f < 0 or edges[e, 0] < edges[f, 0] or (edges[e, 0] == edges[f, 0] and edges[e, 1] < edges[f, 1])


@kernel
def pick_asymmetric(terms, state, known):
    """Return the pair i, j, with i aware of j, whose end j should change its awareness of i; (-1, -1) if there is none.

    If not `known`: j is not aware of i but depends on it as much; the strongest such pair. If `known`: j is aware of i
    but depends on it less; the weakest such pair. Of equal ones the first i, then the first j.
    """
    best_i, best_j, best = -1, -1, 0.0
    for e in range(state.counters[N_EDGES]):
        if state.counters[ITERATION] - state.stamp[e] < terms.cooldown:
            continue
        for turn in range(2):
            if not state.edge_knows[e, turn] or state.edge_knows[e, 1 - turn] != known:
                continue
            of_i, of_j = probability(state.edge_sided[e, turn]), probability(state.edge_sided[e, 1 - turn])
            if (of_i - of_j <= terms.omega) if known else (of_i - of_j >= terms.omega):
                continue
            i, j, key = state.edges[e, turn], state.edges[e, 1 - turn], state.edge_key[e]
            better = best_i < 0 or (key < best if known else key > best)
            if better or (key == best and (i < best_i or (i == best_i and j < best_j))):
                best_i, best_j, best = i, j, key
    return best_i, best_j
