"""Local search over orders: a variable moves through all positions, by swaps of neighbors, and stays at the best one.

A swap concerns the parents of two variables only: those of each are grown and shrunk from the previous ones.

Arguments of all functions here
-------------------------------
sample : families of a score
cache : FamilyCache
rules : OrderRules
state : OrderState
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .grow_shrink import (
    SearchMemory,
    bits_of,
    clear_bit,
    grow_and_shrink,
    position_of,
    remove_at,
    score_candidates,
    score_with_each,
    set_bit,
)


class OrderState(NamedTuple):
    """State of the search.

    Attributes
    ----------
    order, place : (p,) int64 arrays
        The nodes in order, and the position of each.
    parents, n_parents : (p, p) and (p,) int64 arrays
        The first ``n_parents[j]`` of row j are the parents of j.
    local : (p,) float64 array
        Score of each family.
    with_one : (p, p) float64 array
        Score of j with i as one more parent; NaN where unknown, -inf where not allowed.
    new_parents, new_n, new_local : arrays
        The same for the order under examination; valid for touched nodes.
    touched : (p,) bool array
    moves : (m, 3) int32 array
        Operator, i, j: the changes edge by edge.
    gains, scores : (m,) float64 arrays
        Gain of each change, and score after it.
    placed : (q, 5) int64 array
        Node, position before and after, number of moves before and after.
    worth : (q,) float64 array
        Gain of each move of a node.
    memory : SearchMemory
    """

    order: np.ndarray
    place: np.ndarray
    parents: np.ndarray
    n_parents: np.ndarray
    local: np.ndarray
    with_one: np.ndarray
    new_parents: np.ndarray
    new_n: np.ndarray
    new_local: np.ndarray
    touched: np.ndarray
    moves: np.ndarray
    gains: np.ndarray
    scores: np.ndarray
    placed: np.ndarray
    worth: np.ndarray
    memory: SearchMemory


@kernel
def score_all_candidates(sample, cache, rules, state, stop, done):
    """Score every candidate parent of each node, from node ``done[0]`` on, into `with_one`.

    Parameters
    ----------
    sample, cache, rules, state
        As in the module's docstring.
    stop, done : (1,) int8 and int64 arrays
    """
    while done[0] < state.order.shape[0] and not stop[0]:
        j = done[0]
        parents, row = state.parents[j, : state.n_parents[j]], state.with_one[j]
        row[:] = -np.inf
        if parents.shape[0] < rules.max_parents:
            may_add = rules.may_add[j].copy()
            may_add[parents] = False
            candidates = np.flatnonzero(may_add)
            scores = np.empty(candidates.shape[0])
            score_with_each(sample, cache, rules, state.memory, j, parents, candidates, -np.inf, scores)
            row[candidates] = scores
        done[0] += 1


@kernel
def swap_past(sample, cache, rules, state, v, u, before, step):
    """Compute the parents of u once v has passed it; return the gain.

    Parameters
    ----------
    sample, cache, rules, state
        As in the module's docstring.
    v, u : int
    before : (words,) uint64 array
        Bits of the predecessors of u other than v, as in `grow_shrink.bits_of`.
    step : int
        -1 if v moves forward, 1 if it moves back.
    """
    n = state.n_parents[u]
    copy(state.parents[u, :n], state.new_parents[u])
    if step < 0:
        state.new_parents[u, n] = v
        n += 1
        set_bit(before, v)
    else:
        n = remove_at(state.new_parents[u], n, position_of(state.parents[u], n, v))
    state.new_n[u], state.new_local[u] = grow_and_shrink(
        sample, cache, rules, state.memory, u, state.new_parents[u], n, before
    )
    clear_bit(before, v)
    state.touched[u] = True
    return state.new_local[u] - state.local[u]


@kernel
def scores_with(with_one, nodes, v):
    """Return the scores of the nodes with v as one more parent.

    They lie far apart in memory, which serves many at the same time if they are read in one loop.
    """
    scores = np.empty(nodes.shape[0])
    for k in range(nodes.shape[0]):
        scores[k] = with_one[nodes[k], v]
    return scores


@kernel
def best_position_towards(sample, cache, rules, state, v, step, best, stop):
    """Move v through the positions in one direction; return (best position or -1, its gain).

    `new_parents`, `new_n` and `new_local` of v are those of the best position.

    Parameters
    ----------
    sample, cache, rules, state
        As in the module's docstring.
    v : int
    step : int
        -1 for the positions before its own, 1 for those after.
    best : float
        Gain to beat.
    stop : (1,) int8 array
    """
    # Unpacked once: passing tuples of arrays to callees costs more than most swaps.
    order, parents, n_parents, with_one = state.order, state.parents, state.n_parents, state.with_one
    local, ahead, touched, least = state.local, rules.ahead, state.touched, rules.least
    at, found, others = state.place[v], -1, 0.0
    own, n, score, row = parents[v].copy(), n_parents[v], local[v], with_one[v].copy()
    before = bits_of(order[:at], state.memory.examined.shape[1])
    with_v = scores_with(with_one, order[:at], v) if step < 0 else np.empty(0)
    while not stop[0] and 0 <= at + step < order.shape[0]:
        at += step
        u = order[at]
        if ahead[u, v] if step < 0 else ahead[v, u]:
            break
        touched[u] = False
        if step < 0:
            clear_bit(before, u)
            if np.isnan(with_v[at]):
                score_candidates(
                    sample, cache, rules, state.memory, u, parents[u], n_parents[u], local[u], order[at + 1 :],
                    with_one[u],
                )  # fmt: skip
                with_v[at] = with_one[u, v]
            touched[u] = with_v[at] > local[u] + least
        else:
            for k in range(n_parents[u]):
                touched[u] |= parents[u, k] == v
        if touched[u]:
            others += swap_past(sample, cache, rules, state, v, u, before, step)
        changed = False
        if step < 0:
            for k in range(n):
                if own[k] == u:
                    n, changed = remove_at(own, n, k), True
                    break
        else:
            if np.isnan(row[u]):
                score_candidates(sample, cache, rules, state.memory, v, own, n, score, order[at:], row)
            if row[u] > score + least:
                own[n] = u
                n, changed = n + 1, True
            set_bit(before, u)
        if changed:
            n, score = grow_and_shrink(sample, cache, rules, state.memory, v, own, n, before)
            row.fill(np.nan)
        gain = others + score - local[v]
        if gain > best + least:
            best, found = gain, at
            copy(own[:n], state.new_parents[v])
            state.new_n[v], state.new_local[v] = n, score
    return found, best
