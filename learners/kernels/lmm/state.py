"""State of a run of LMM, and the elementary steps that change it: an edge is added or removed, a node becomes aware.

Mahdi and Mezey (2013), procedures of algorithms 1 and 2.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .dependence import joint_key, marginal_log_odds, probability

ADDED, DROPPED, AWARE, UNAWARE, ELIMINATED = range(5)  # codes of events in the log
N_EDGES, ITERATION, NEXT, N_LOG, N_TESTS = range(5)  # positions in `counters`


class LMMRules(NamedTuple):
    """Settings of a run, as in algorithms 1 and 2.

    Attributes
    ----------
    omega : float
    least_key : float
        Key of gamma; -inf for none.
    max_size, max_cond_size : int
        Largest number of edges, and of members of a set.
    opt_every : int
        Additions between optimization steps; 0 for none.
    cooldown : int
        Iterations before a new edge may be removed.
    product : bool
        True: the joint CPPD is the product of both sides; False: the smaller one.
    required : (p, p) bool array
        Pairs that are never removed.
    """

    omega: float
    least_key: float
    max_size: int
    max_cond_size: int
    opt_every: int
    cooldown: int
    product: bool
    required: np.ndarray


class LMMState(NamedTuple):
    """State of a run.

    Attributes
    ----------
    one_sided : (p, p) float64 array
        Log-odds of i and j over the sets of i.
    hardest : (p, p, k) int16 array
        Set of these log-odds, padded with -1.
    seen : (p, p) int16 array
        Number of first members of ``aware[i]`` that the log-odds account for.
    aware, n_aware : (p, p) and (p,) int16 arrays
        Neighbors that i conditions on.
    knows : (p, p) bool array
        Entry [i, j] is True if i is aware of j.
    touched : (p,) bool array
        True if the awareness of the node changed since the edges were updated.
    key : (p, p) float64 array
        Above the diagonal an upper bound of the key of each pair that may be added; -inf elsewhere.
    top, top_at : (p,) float64 and int64 arrays
        Largest of each row of `key`, and its column.
    edges, stamp : (m, 2) and (m,) int64 arrays
        Edges in any order, and the iterations in which they were added.
    fixed : (m,) bool array
        True if required.
    edge_key, edge_sided, edge_knows : (m,), (m, 2) and (m, 2) arrays
        Key, one-sided values and awareness of both ends when last updated.
    log : (l, 6) int64 array
        Rows ``what, i, j, iteration, i knows j, j knows i``.
    log_keys : (l, 3) float64 array
        Key, one-sided value of i, of j.
    log_sets : (l, 2, k) int16 array
    counters : (5,) int64 array
        At `N_EDGES`, `ITERATION`, `NEXT`, `N_LOG` and `N_TESTS`.
    heads, members, path, low, chain : (2,), (p,), (k,), (1, k + 2) and (1, k + 2, k) arrays
        Scratch of a search, see `set_search`.
    """

    one_sided: np.ndarray
    hardest: np.ndarray
    seen: np.ndarray
    aware: np.ndarray
    n_aware: np.ndarray
    knows: np.ndarray
    touched: np.ndarray
    key: np.ndarray
    top: np.ndarray
    top_at: np.ndarray
    edges: np.ndarray
    stamp: np.ndarray
    fixed: np.ndarray
    edge_key: np.ndarray
    edge_sided: np.ndarray
    edge_knows: np.ndarray
    log: np.ndarray
    log_keys: np.ndarray
    log_sets: np.ndarray
    counters: np.ndarray
    heads: np.ndarray
    members: np.ndarray
    path: np.ndarray
    low: np.ndarray
    chain: np.ndarray


@kernel
def add_edge(terms, state, i, j):
    """Add the edge i - j, i < j: procedure addEdge of algorithm 1.

    Parameters
    ----------
    terms : LMMRules
    state : LMMState
    i, j : int
    """
    m = state.counters[N_EDGES]
    state.edges[m, 0], state.edges[m, 1] = i, j
    state.stamp[m] = state.counters[ITERATION]
    state.fixed[m] = terms.required[i, j]
    state.counters[N_EDGES] = m + 1
    s, t = state.one_sided[i, j], state.one_sided[j, i]
    state.key[i, j] = -np.inf
    update_top(state, i)
    of_i, of_j = probability(s), probability(t)
    # At omega = 1 nothing is relaxed, not even if the two sides are 0 and 1.
    if of_j - of_i < terms.omega or terms.omega >= 1.0:
        become_aware(state, i, j)
    if of_i - of_j < terms.omega or terms.omega >= 1.0:
        become_aware(state, j, i)
    write_log(terms, state, ADDED, i, j)


@kernel
def delete_edge(evidence, terms, state, e, what):
    """Delete an edge: procedure deleteEdge of algorithm 1.

    Parameters
    ----------
    evidence : DependenceEvidence
    terms : LMMRules
    state : LMMState
    e : int
        Position of the edge.
    what : int
        Code for the log.
    """
    i, j = state.edges[e]
    write_log(terms, state, what, i, j)
    last = state.counters[N_EDGES] - 1
    state.edges[e], state.stamp[e], state.fixed[e] = state.edges[last], state.stamp[last], state.fixed[last]
    state.edge_key[e] = state.edge_key[last]
    state.edge_sided[e], state.edge_knows[e] = state.edge_sided[last], state.edge_knows[last]
    state.counters[N_EDGES] = last
    if state.knows[i, j]:
        become_unaware(evidence, terms, state, i, j)
    if state.knows[j, i]:
        become_unaware(evidence, terms, state, j, i)
    reopen_pair(terms, state, i, j)


@kernel
def become_aware(state, i, j):
    """Make i aware of j."""
    state.aware[i, state.n_aware[i]] = j
    state.n_aware[i] += 1
    state.knows[i, j] = state.touched[i] = True


@kernel
def become_unaware(evidence, terms, state, i, k):
    """Make i unaware of k; recompute the values that depended on k.

    Parameters
    ----------
    evidence, terms, state
        As in `delete_edge`.
    i, k : int
    """
    place = 0
    while state.aware[i, place] != k:
        place += 1
    for t in range(place + 1, state.n_aware[i]):
        state.aware[i, t - 1] = state.aware[i, t]
    state.n_aware[i] -= 1
    state.knows[i, k] = False
    state.touched[i] = True
    for j in range(state.top.shape[0]):
        if j == i:
            continue
        rested = False
        for t in range(state.hardest.shape[2]):
            if state.hardest[i, j, t] == k:
                rested = True
        if not rested:
            state.seen[i, j] -= state.seen[i, j] > place
            continue
        state.seen[i, j] = 0
        state.hardest[i, j] = -1
        state.one_sided[i, j] = marginal_log_odds(evidence, i, j)
        low, high = min(i, j), max(i, j)
        if state.key[low, high] > -np.inf:
            reopen_pair(terms, state, low, high)


@kernel
def update_top(state, i):
    """Find the largest key above the diagonal in row i."""
    best, at = -np.inf, i
    row = state.key[i]
    for j in range(i + 1, row.shape[0]):
        if row[j] > best:
            best, at = row[j], j
    state.top[i], state.top_at[i] = best, at


@kernel
def reopen_pair(terms, state, i, j):
    """Make the pair i < j a candidate again, at the upper bound of its key.

    Parameters
    ----------
    terms : LMMRules
    state : LMMState
    i, j : int
    """
    key = joint_key(state.one_sided[i, j], state.one_sided[j, i], terms.product)
    state.key[i, j] = key
    if key > state.top[i] or (key == state.top[i] and j < state.top_at[i]):
        state.top[i], state.top_at[i] = key, j


@kernel
def write_log(terms, state, what, i, j):
    """Append the current values of a pair to the log.

    Parameters
    ----------
    terms : LMMRules
    state : LMMState
    what : int
        Code of the event.
    i, j : int
    """
    at = state.counters[N_LOG]
    row = state.log[at]
    row[0], row[1], row[2], row[3] = what, i, j, state.counters[ITERATION]
    row[4], row[5] = state.knows[i, j], state.knows[j, i]
    s, t = state.one_sided[i, j], state.one_sided[j, i]
    state.log_keys[at, 0], state.log_keys[at, 1], state.log_keys[at, 2] = joint_key(s, t, terms.product), s, t
    state.log_sets[at, 0], state.log_sets[at, 1] = state.hardest[i, j], state.hardest[j, i]
    state.counters[N_LOG] = at + 1
