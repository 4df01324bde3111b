"""Where a run of LMM stands, and the elementary steps that change it: an edge comes or goes, a node becomes aware.

Mahdi and Mezey (2013), procedures of algorithms 1 and 2.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .dependence import joint_key, marginal, probability

ADDED, DROPPED, AWARE, UNAWARE, ELIMINATED = range(5)  # what a row of the log tells
N_EDGES, ITERATION, NEXT, N_LOG, N_TESTS = range(5)  # places in `counters`


class Terms(NamedTuple):
    """The rules of a run, as in algorithm 1 and 2.

    `least_key` is the key of gamma, -inf for none; `product` says that both sides count, not the smaller alone.
    `opt_every` 0 leaves the optimisation steps out. `required` (p, p) bool: pairs that are never taken out.
    """

    omega: float
    least_key: float
    max_size: int
    max_cond_size: int
    opt_every: int
    cooldown: int
    product: bool
    required: np.ndarray


class Contest(NamedTuple):
    """Where a run stands.

    Of pairs: `one_sided` (p, p) float64: log-odds of i and j over the sets of i; `hardest` (p, p, k) int16: the set,
    padded with -1; `seen` (p, p) int16: how many first members of `aware[i]` they account for; `key` (p, p) float64:
    above the diagonal an upper bound of the key of each pair that may be joined, else -inf; `top`, `top_at` (p,): the
    largest of each row of it and its column.

    Of nodes: `aware` (p, p) int16 with `n_aware` (p,): the neighbours that i conditions on; `knows` (p, p) bool: the
    same as a matrix; `touched` (p,) bool: whether that changed since the edges were brought up to date.

    Of edges, in any order: `edges` (m, 2), `stamp` (m,) int64; `fixed` (m,) bool: required; when last brought up to
    date, `edge_key` (m,), `edge_sided` (m, 2) one-sided values, and `edge_knows` (m, 2) who is aware of the other.

    `log` (l, 6) int64 rows ``what, i, j, iteration, i knows j, j knows i``, with `log_keys` (l, 3) float64 (key,
    one-sided value of i, of j) and `log_sets` (l, 2, k) int16. `counters` (5,) int64.
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


@kernel
def join(terms, state, i, j):
    """Procedure addEdge of algorithm 1, for i < j."""
    m = state.counters[N_EDGES]
    state.edges[m, 0], state.edges[m, 1] = i, j
    state.stamp[m] = state.counters[ITERATION]
    state.fixed[m] = terms.required[i, j]
    state.counters[N_EDGES] = m + 1
    s, t = state.one_sided[i, j], state.one_sided[j, i]
    state.key[i, j] = -np.inf
    scan(state, i)
    of_i, of_j = probability(s), probability(t)
    # At omega = 1 nothing is relaxed, not even where the two sides are as far apart as 0 and 1.
    if of_j - of_i < terms.omega or terms.omega >= 1.0:
        become_aware(state, i, j)
    if of_i - of_j < terms.omega or terms.omega >= 1.0:
        become_aware(state, j, i)
    write(terms, state, ADDED, i, j)


@kernel
def part(evidence, terms, state, e, what):
    """Procedure deleteEdge of algorithm 1; `what` goes to the log."""
    i, j = state.edges[e]
    write(terms, state, what, i, j)
    last = state.counters[N_EDGES] - 1
    state.edges[e], state.stamp[e], state.fixed[e] = state.edges[last], state.stamp[last], state.fixed[last]
    state.edge_key[e] = state.edge_key[last]
    state.edge_sided[e], state.edge_knows[e] = state.edge_sided[last], state.edge_knows[last]
    state.counters[N_EDGES] = last
    if state.knows[i, j]:
        become_unaware(evidence, terms, state, i, j)
    if state.knows[j, i]:
        become_unaware(evidence, terms, state, j, i)
    raise_key(terms, state, i, j)


@kernel
def become_aware(state, i, j):
    """Make i aware of j."""
    state.aware[i, state.n_aware[i]] = j
    state.n_aware[i] += 1
    state.knows[i, j] = state.touched[i] = True


@kernel
def become_unaware(evidence, terms, state, i, k):
    """Make i unaware of k; values that rested on k are computed anew, the others stand."""
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
        state.one_sided[i, j] = marginal(evidence, i, j)
        low, high = min(i, j), max(i, j)
        if state.key[low, high] > -np.inf:
            raise_key(terms, state, low, high)


@kernel
def scan(state, i):
    """Find the largest key above the diagonal in row i."""
    best, at = -np.inf, i
    row = state.key[i]
    for j in range(i + 1, row.shape[0]):
        if row[j] > best:
            best, at = row[j], j
    state.top[i], state.top_at[i] = best, at


@kernel
def raise_key(terms, state, i, j):
    """Let the pair i < j compete again, at what its two sides allow at most."""
    key = joint_key(state.one_sided[i, j], state.one_sided[j, i], terms.product)
    state.key[i, j] = key
    if key > state.top[i] or (key == state.top[i] and j < state.top_at[i]):
        state.top[i], state.top_at[i] = key, j


@kernel
def write(terms, state, what, i, j):
    """Append to the log what is known of the pair now."""
    at = state.counters[N_LOG]
    row = state.log[at]
    row[0], row[1], row[2], row[3] = what, i, j, state.counters[ITERATION]
    row[4], row[5] = state.knows[i, j], state.knows[j, i]
    s, t = state.one_sided[i, j], state.one_sided[j, i]
    state.log_keys[at, 0], state.log_keys[at, 1], state.log_keys[at, 2] = joint_key(s, t, terms.product), s, t
    state.log_sets[at, 0], state.log_sets[at, 1] = state.hardest[i, j], state.hardest[j, i]
    state.counters[N_LOG] = at + 1
