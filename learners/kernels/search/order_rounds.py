"""Rounds of a search over orders, and its log: each variable moves to its best position, edge by edge.

Arguments are as in `order_positions`.
"""

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .grow_shrink import N_MOVES, N_PLACED, TURN, bits_of, grow_and_shrink, position_of, remove_at, score_of, set_bit
from .hill_climbing import ADD, DELETE, DONE, NEEDS_ROOM, REVERSE, STOPPED
from .order_positions import best_position_towards

MAX_SLOTS = 1 << 24  # maximum number of slots of a cache, 256 MB; further scores are recomputed


@kernel
def reinsert_nodes(sample, cache, rules, state, turn, stop, done):
    """Move nodes to their best positions, from number ``memory.counters[TURN]`` on.

    Parameters
    ----------
    sample, cache, rules, state
        As in `order_positions`.
    turn : int64 array
        The nodes in the order of their turns.
    stop : (1,) int8 array
    done : (1,) int64 array
        Counts the nodes.

    Returns
    -------
    int
        `DONE`, `STOPPED`, or `NEEDS_ROOM` if the cache or the log must grow first.
    """
    while state.memory.counters[TURN] < turn.shape[0]:
        v = turn[state.memory.counters[TURN]]
        before, gain = best_position_towards(sample, cache, rules, state, v, -1, 0.0, stop)
        after, gain = best_position_towards(sample, cache, rules, state, v, 1, gain, stop)
        to = after if after >= 0 else before
        if stop[0]:
            return STOPPED
        if lacks_room(rules, cache, state, v):
            return NEEDS_ROOM
        if to >= 0:
            move_node(sample, cache, rules, state, v, to, gain)
        state.memory.counters[TURN] += 1
        done[0] += 1
    return DONE


@kernel
def refit_parents(sample, cache, rules, state, stop, done):
    """Grow and shrink the parents of all nodes from position ``memory.counters[TURN]`` on; return as `reinsert_nodes`.

    Parameters
    ----------
    sample, cache, rules, state, stop, done
        As in `reinsert_nodes`.
    """
    state.touched[:] = False
    before = bits_of(state.order[: state.memory.counters[TURN]], state.memory.examined.shape[1])
    while state.memory.counters[TURN] < state.order.shape[0]:
        at = state.memory.counters[TURN]
        u = state.order[at]
        if stop[0]:
            return STOPPED
        n = state.n_parents[u]
        copy(state.parents[u, :n], state.new_parents[u])
        state.new_n[u], state.new_local[u] = grow_and_shrink(
            sample, cache, rules, state.memory, u, state.new_parents[u], n, before
        )
        if lacks_room(rules, cache, state, u):
            return NEEDS_ROOM
        drop_parents(sample, cache, rules, state, u)
        add_parents(sample, cache, rules, state, u)
        accept_parents(state, u)
        set_bit(before, u)
        state.memory.counters[TURN] += 1
        done[0] += 1
    return DONE


@kernel
def lacks_room(rules, cache, state, v):
    """Return True if the cache is nearly half full and may grow, or the log cannot take the changes of v.

    Parameters
    ----------
    rules, cache, state
        As in `order_positions`.
    v : int
    """
    if rules.cached and 8 * cache.used[0] > 3 * cache.keys.shape[0] and cache.keys.shape[0] < MAX_SLOTS:
        return True
    n_moves = state.n_parents[v] + state.new_n[v]
    for u in range(state.touched.shape[0]):
        if state.touched[u]:
            n_moves += state.n_parents[u] + state.new_n[u]
    counters = state.memory.counters
    return counters[N_MOVES] + n_moves > state.moves.shape[0] or counters[N_PLACED] == state.placed.shape[0]


@kernel
def move_node(sample, cache, rules, state, v, to, gain):
    """Move v to its new position: delete edges, reverse edges, then add edges, so that all graphs are acyclic.

    Parameters
    ----------
    sample, cache, rules, state
        As in `order_positions`.
    v, to : int
    gain : float
    """
    home = state.place[v]
    step, begin = -1 if to < home else 1, state.memory.counters[N_MOVES]
    others = state.order[home + step : to + 1].copy() if step > 0 else state.order[to:home][::-1].copy()
    concerned = state.touched.copy()
    state.touched[:] = False
    for u in others:
        state.touched[u] = concerned[u]
    state.touched[v] = True
    for u in others:
        if state.touched[u]:
            drop_parents(sample, cache, rules, state, u)
    drop_parents(sample, cache, rules, state, v)
    for u in others:
        child, parent = (v, u) if step < 0 else (u, v)
        if is_reversed(state, parent, child):
            change_edge(sample, cache, rules, state, REVERSE, parent, child)
    for u in others:
        if state.touched[u]:
            add_parents(sample, cache, rules, state, u)
            accept_parents(state, u)
    add_parents(sample, cache, rules, state, v)
    accept_parents(state, v)
    for u in others:
        state.place[u] -= step
        state.order[state.place[u]] = u
    state.order[to], state.place[v] = v, to
    log_position(state, v, home, to, begin, gain)


@kernel
def log_position(state, v, home, to, begin, gain):
    """Log that v has moved.

    Parameters
    ----------
    state : OrderState
    v, home, to : int
        Node, and its positions before and after.
    begin : int
        Number of moves before.
    gain : float
    """
    q = state.memory.counters[N_PLACED]
    state.placed[q, 0], state.placed[q, 1], state.placed[q, 2] = v, home, to
    state.placed[q, 3], state.placed[q, 4] = begin, state.memory.counters[N_MOVES]
    state.worth[q] = gain
    state.memory.counters[N_PLACED] += 1


@kernel
def is_reversed(state, parent, child):
    """Return True if the edge is to be reversed."""
    now = position_of(state.parents[child], state.n_parents[child], parent) >= 0
    return now and state.touched[parent] and position_of(state.new_parents[parent], state.new_n[parent], child) >= 0


@kernel
def drop_parents(sample, cache, rules, state, child):
    """Delete the edges from parents that the child loses, except those that are reversed.

    Parameters
    ----------
    sample, cache, rules, state
        As in `order_positions`.
    child : int
    """
    for i in state.parents[child, : state.n_parents[child]].copy():
        if position_of(state.new_parents[child], state.new_n[child], i) < 0 and not is_reversed(state, i, child):
            change_edge(sample, cache, rules, state, DELETE, i, child)


@kernel
def add_parents(sample, cache, rules, state, child):
    """Add the edges from new parents, in the order in which they were found.

    Parameters
    ----------
    sample, cache, rules, state
        As in `order_positions`.
    child : int
    """
    for k in range(state.new_n[child]):
        i = state.new_parents[child, k]
        if position_of(state.parents[child], state.n_parents[child], i) < 0:
            change_edge(sample, cache, rules, state, ADD, i, child)


@kernel
def accept_parents(state, child):
    """Give the child its new parents, in the order in which they were found."""
    state.n_parents[child], state.local[child] = state.new_n[child], state.new_local[child]
    copy(state.new_parents[child, : state.new_n[child]], state.parents[child])


@kernel
def change_edge(sample, cache, rules, state, op, i, j):
    """Change one edge i -> j and log the change.

    Parameters
    ----------
    sample, cache, rules, state
        As in `order_positions`.
    op : int
        `ADD`, `DELETE` or `REVERSE`.
    i, j : int
    """
    before = state.local[i] + state.local[j]
    if op != ADD:
        k = position_of(state.parents[j], state.n_parents[j], i)
        state.n_parents[j] = remove_at(state.parents[j], state.n_parents[j], k)
    child, parent = (i, j) if op == REVERSE else (j, i)
    if op != DELETE:
        state.parents[child, state.n_parents[child]] = parent
        state.n_parents[child] += 1
    for node in (i, j):
        if node == j or op == REVERSE:
            given = state.parents[node, : state.n_parents[node]]
            state.local[node] = score_of(sample, cache, rules, state.memory, node, given)
            state.with_one[node].fill(np.nan)
    t = state.memory.counters[N_MOVES]
    state.moves[t, 0], state.moves[t, 1], state.moves[t, 2] = op, i, j
    state.gains[t], state.scores[t] = state.local[i] + state.local[j] - before, state.local.sum()
    state.memory.counters[N_MOVES] = t + 1


@kernel
def replay_moves(sample, cache, rules, state, moves):
    """Apply changes of single edges, rows op, i, j; the log must have room for them.

    Parameters
    ----------
    sample, cache, rules, state
        As in `order_positions`.
    moves : (m, 3) integer array
    """
    for t in range(moves.shape[0]):
        change_edge(sample, cache, rules, state, moves[t, 0], moves[t, 1], moves[t, 2])
