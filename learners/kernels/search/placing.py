"""Local search over orders: a variable goes through all places, by swaps of neighbours, and stays at the best.

A swap concerns the parents of two variables only: what each of them then has is grown and shrunk from what it had.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .growing import NOBODY, grow_and_shrink, look_ahead, take_out, where


class State(NamedTuple):
    """Where the search stands.

    `order`, `place` (p,) int64: the nodes in order, and where each stands. `parents` (p, p) int64, the first
    `n_parents` (p,) of each row; `local` (p,) score of each family. `with_one` (p, p): score of j with i as one more
    parent, NaN where not known, -inf where not allowed. `new_parents`, `new_n`, `new_local` are the same of the order
    that is looked at, for those that are `touched` (p,) bool. `moves` (m, 3) int32 op, i, j with `gains`, `scores`
    (m,) lead here edge by edge; `placed` (q, 5) int64 node, places before and after, moves before and after, with
    `worth` (q,), order by order. `counters` (4,) int64.
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
    counters: np.ndarray


@kernel
def look_everywhere(sample, cache, rules, state, stop, done):
    """Fill all of `with_one`, from node ``done[0]`` on."""
    while done[0] < state.order.shape[0] and not stop[0]:
        j = done[0]
        look_ahead(
            sample, cache, rules, state.counters, j, state.parents[j], state.n_parents[j], state.order, 0,
            state.with_one[j],
        )  # fmt: skip
        done[0] += 1


@kernel
def pass_by(sample, cache, rules, state, v, u, at, step):
    """Give u, which stands `at`, its parents once v has passed it; return what that adds to the score."""
    n = state.n_parents[u]
    copy(state.parents[u, :n], state.new_parents[u])
    if step < 0:
        state.new_parents[u, n] = v
        n, without, beside = n + 1, NOBODY, v
    else:
        n = take_out(state.new_parents[u], n, where(state.parents[u], n, v))
        without, beside = v, NOBODY
    state.new_n[u], state.new_local[u] = grow_and_shrink(
        sample, cache, rules, state.counters, u, state.new_parents[u], n, state.order, at, without, beside
    )
    state.touched[u] = True
    return state.new_local[u] - state.local[u]


@kernel
def go(sample, cache, rules, state, v, step, best, stop):
    """Send v through the places before its own (`step` -1) or after it (1); (best place or -1, its gain over `best`).

    `new_parents`, `new_n`, `new_local` of v are those of the best place.
    """
    # Taken apart at once: handing tuples of arrays further down costs more than most swaps.
    order, parents, n_parents, with_one = state.order, state.parents, state.n_parents, state.with_one
    local, ahead, touched, least = state.local, rules.ahead, state.touched, rules.least
    at, found, others = state.place[v], -1, 0.0
    own, n, score, row = parents[v].copy(), n_parents[v], local[v], with_one[v].copy()
    while not stop[0] and 0 <= at + step < order.shape[0]:
        at += step
        u = order[at]
        if ahead[u, v] if step < 0 else ahead[v, u]:
            break
        touched[u] = False
        if step < 0:
            if np.isnan(with_one[u, v]):
                look_ahead(
                    sample, cache, rules, state.counters, u, parents[u], n_parents[u], order, at + 1, with_one[u]
                )  # fmt: skip
            touched[u] = with_one[u, v] > local[u] + least
        else:
            for k in range(n_parents[u]):
                touched[u] |= parents[u, k] == v
        if touched[u]:
            others += pass_by(sample, cache, rules, state, v, u, at, step)
        changed, end = False, at
        if step < 0:
            for k in range(n):
                if own[k] == u:
                    n, changed = take_out(own, n, k), True
                    break
        else:
            if np.isnan(row[u]):
                look_ahead(sample, cache, rules, state.counters, v, own, n, order, at, row)
            if row[u] > score + least:
                own[n] = u
                n, end, changed = n + 1, at + 1, True
        if changed:
            n, score = grow_and_shrink(
                sample, cache, rules, state.counters, v, own, n, order, end, NOBODY, NOBODY
            )  # fmt: skip
            row.fill(np.nan)
        gain = others + score - local[v]
        if gain > best + least:
            best, found = gain, at
            copy(own[:n], state.new_parents[v])
            state.new_n[v], state.new_local[v] = n, score
    return found, best
