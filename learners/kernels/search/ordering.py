"""Rounds of a search over orders, and its log: each variable is put in its best place, edge by edge."""

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .climbing import ADD, DELETE, DONE, NEEDS_ROOM, REVERSE, STOPPED
from .growing import N_MOVES, N_PLACED, NOBODY, TURN, grow_and_shrink, score_of, take_out, where
from .placing import go

MOST_ROOM = 1 << 24  # places of a cache, 256 MB; scores beyond are computed again


@kernel
def visit(sample, cache, rules, state, turn, stop, done):
    """Put the nodes of `turn`, from number ``counters[TURN]`` on, in their best places; `done` (1,) counts them.

    Returns `DONE`, `STOPPED`, or `NEEDS_ROOM` if the cache or the log must grow first.
    """
    while state.counters[TURN] < turn.shape[0]:
        v = turn[state.counters[TURN]]
        before, gain = go(sample, cache, rules, state, v, -1, 0.0, stop)
        after, gain = go(sample, cache, rules, state, v, 1, gain, stop)
        to = after if after >= 0 else before
        if stop[0]:
            return STOPPED
        if lacks_room(rules, cache, state, v):
            return NEEDS_ROOM
        if to >= 0:
            put(sample, cache, rules, state, v, to, gain)
        state.counters[TURN] += 1
        done[0] += 1
    return DONE


@kernel
def settle(sample, cache, rules, state, stop, done):
    """Grow and shrink the parents of all nodes, from place ``counters[TURN]`` on, from those they have; as `visit`."""
    state.touched[:] = False
    while state.counters[TURN] < state.order.shape[0]:
        at = state.counters[TURN]
        u = state.order[at]
        if stop[0]:
            return STOPPED
        n = state.n_parents[u]
        copy(state.parents[u, :n], state.new_parents[u])
        state.new_n[u], state.new_local[u] = grow_and_shrink(
            sample, cache, rules, state.counters, u, state.new_parents[u], n, state.order, at, NOBODY, NOBODY
        )
        if lacks_room(rules, cache, state, u):
            return NEEDS_ROOM
        leave(sample, cache, rules, state, u)
        come(sample, cache, rules, state, u)
        adopt(state, u)
        state.counters[TURN] += 1
        done[0] += 1
    return DONE


@kernel
def lacks_room(rules, cache, state, v):
    """Whether the cache is nearly half full and may grow, or the log may not take what v in its place changes."""
    if rules.remembered and 8 * cache.used[0] > 3 * cache.keys.shape[0] and cache.keys.shape[0] < MOST_ROOM:
        return True
    most = state.n_parents[v] + state.new_n[v]
    for u in range(state.touched.shape[0]):
        if state.touched[u]:
            most += state.n_parents[u] + state.new_n[u]
    return state.counters[N_MOVES] + most > state.moves.shape[0] or state.counters[N_PLACED] == state.placed.shape[0]


@kernel
def put(sample, cache, rules, state, v, to, gain):
    """Put v in its new place: first the edges that go, then those that turn, then those that come; all acyclic."""
    home = state.place[v]
    step, begin = -1 if to < home else 1, state.counters[N_MOVES]
    others = state.order[home + step : to + 1].copy() if step > 0 else state.order[to:home][::-1].copy()
    concerned = state.touched.copy()
    state.touched[:] = False
    for u in others:
        state.touched[u] = concerned[u]
    state.touched[v] = True
    for u in others:
        if state.touched[u]:
            leave(sample, cache, rules, state, u)
    leave(sample, cache, rules, state, v)
    for u in others:
        child, parent = (v, u) if step < 0 else (u, v)
        if turns(state, parent, child):
            change(sample, cache, rules, state, REVERSE, parent, child)
    for u in others:
        if state.touched[u]:
            come(sample, cache, rules, state, u)
            adopt(state, u)
    come(sample, cache, rules, state, v)
    adopt(state, v)
    for u in others:
        state.place[u] -= step
        state.order[state.place[u]] = u
    state.order[to], state.place[v] = v, to
    note_place(state, v, home, to, begin, gain)


@kernel
def note_place(state, v, home, to, begin, gain):
    """Log that v has moved."""
    q = state.counters[N_PLACED]
    state.placed[q, 0], state.placed[q, 1], state.placed[q, 2] = v, home, to
    state.placed[q, 3], state.placed[q, 4] = begin, state.counters[N_MOVES]
    state.worth[q] = gain
    state.counters[N_PLACED] += 1


@kernel
def turns(state, parent, child):
    """Whether the edge is to point the other way."""
    now = where(state.parents[child], state.n_parents[child], parent) >= 0
    return now and state.touched[parent] and where(state.new_parents[parent], state.new_n[parent], child) >= 0


@kernel
def leave(sample, cache, rules, state, child):
    """Delete the edges from parents that the child is not to have, but those that turn."""
    for i in state.parents[child, : state.n_parents[child]].copy():
        if where(state.new_parents[child], state.new_n[child], i) < 0 and not turns(state, i, child):
            change(sample, cache, rules, state, DELETE, i, child)


@kernel
def come(sample, cache, rules, state, child):
    """Add the edges from parents that the child is to have and has not, in the order in which they were found."""
    for k in range(state.new_n[child]):
        i = state.new_parents[child, k]
        if where(state.parents[child], state.n_parents[child], i) < 0:
            change(sample, cache, rules, state, ADD, i, child)


@kernel
def adopt(state, child):
    """The child has its new parents, in the order in which they were found."""
    state.n_parents[child], state.local[child] = state.new_n[child], state.new_local[child]
    copy(state.new_parents[child, : state.new_n[child]], state.parents[child])


@kernel
def change(sample, cache, rules, state, op, i, j):
    """Make the change of one edge i -> j and log it."""
    before = state.local[i] + state.local[j]
    if op != ADD:
        k = where(state.parents[j], state.n_parents[j], i)
        state.n_parents[j] = take_out(state.parents[j], state.n_parents[j], k)
    child, parent = (i, j) if op == REVERSE else (j, i)
    if op != DELETE:
        state.parents[child, state.n_parents[child]] = parent
        state.n_parents[child] += 1
    for node in (i, j):
        if node == j or op == REVERSE:
            given = state.parents[node, : state.n_parents[node]]
            state.local[node] = score_of(sample, cache, rules, state.counters, node, given)
            state.with_one[node].fill(np.nan)
    t = state.counters[N_MOVES]
    state.moves[t, 0], state.moves[t, 1], state.moves[t, 2] = op, i, j
    state.gains[t], state.scores[t] = state.local[i] + state.local[j] - before, state.local.sum()
    state.counters[N_MOVES] = t + 1


@kernel
def follow(sample, cache, rules, state, moves):
    """Make the changes of single edges, rows op, i, j; the log has room for them."""
    for t in range(moves.shape[0]):
        change(sample, cache, rules, state, moves[t, 0], moves[t, 1], moves[t, 2])
