"""Pairs in the contest of LMM: brought up to date as far as need be, and the one picked whose turn it is."""

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .contest import ITERATION, N_EDGES, N_TESTS, scan
from .dependence import joint_key, probability
from .sets import least, search_sets

PAUSED, NOTHING = -1, -2  # instead of a row, from `best_open`
AT_ONCE = 12  # members accounted for in one go; each beyond doubles the work or worse, so they come one by one


@kernel
def best_open(evidence, terms, state, spent, budget):
    """Row of the pair with the largest key that may be joined, of equal ones the first; or `PAUSED`, `NOTHING`."""
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
        scan(state, i)
        if spent[0] > budget:
            return PAUSED


@kernel
def is_stale(state, i, j):
    """Whether an end of the pair has become aware of a neighbour since the pair was brought up to date."""
    return state.seen[i, j] < state.n_aware[i] or state.seen[j, i] < state.n_aware[j]


@kernel
def update_pair(evidence, terms, state, i, j, spent):
    """Bring both one-sided values closer to date; the key of the pair, or a bound of it while the pair is stale."""
    update_side(evidence, terms, state, i, j, spent)
    update_side(evidence, terms, state, j, i, spent)
    return joint_key(state.one_sided[i, j], state.one_sided[j, i], terms.product)


@kernel
def update_side(evidence, terms, state, i, j, spent):
    """Equation 3: the least log-odds of i and j over sets of what i is aware of, by looking at those not yet seen.

    At all of them if i is aware of few, else at those with the next node: one turn must not last too long.
    """
    before = state.seen[i, j]
    if before == state.n_aware[i]:
        return
    q = min(state.n_aware[i], max(before + 1, AT_ONCE))
    state.seen[i, j] = q
    members = np.empty(q, np.int64)
    n, first = 0, 0
    for t in range(q):
        if t == before:
            first = n
        if state.aware[i, t] != j:
            members[n] = state.aware[i, t]
            n += 1
    most = min(terms.max_cond_size, n)
    low = np.full((1, most + 2), np.inf)
    chain = np.full((1, most + 2, most), -1, np.int16)
    count = search_sets(evidence, np.array([i, j]), members[:n], first, most, low, chain)
    spent[0] += 100 + 50 * count
    state.counters[N_TESTS] += count
    size, s = least(evidence, low[0])
    if s < state.one_sided[i, j]:
        state.one_sided[i, j] = s
        state.hardest[i, j] = -1
        copy(chain[0, size, :size], state.hardest[i, j])


@kernel
def refresh_edges(evidence, terms, state, spent, budget):
    """Bring every edge up to date; whether it has to pause before all are."""
    m = state.counters[N_EDGES]
    spent[0] += 4 * m
    for e in range(m):
        i, j = state.edges[e]
        if not (state.touched[i] or state.touched[j]):
            continue
        # Only a pair that cost something ends a turn: the next turn passes those that are up to date for nothing.
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
    """Place of the edge with the smallest key, of equal ones the first pair; -1 if none may leave."""
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
    """Whether pair e comes before pair f; any does before none."""
    return f < 0 or edges[e, 0] < edges[f, 0] or (edges[e, 0] == edges[f, 0] and edges[e, 1] < edges[f, 1])


@kernel
def pick_asymmetric(terms, state, known):
    """Of the edges whose end i is aware of j: the i, j whose j should change its mind about i.

    `known` False: j is not aware of i, and depends on it as much; the strongest such. True: j does, and depends on it
    less; the weakest such. Of equal ones the first i, then the first j; -1, -1 if there is none.
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
