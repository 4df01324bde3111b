"""Hybrid greedy initialization, step by step: the state of a run, and its two parts.

Huang and Zhou (2022), algorithm 4. `advance` returns after some work, and goes on from there when called again. Each
call computes `MOST_SCORES` scores at most, for which the cache must have room.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..graphs.colliders import above, add_arrow
from ..scores.families import local_score
from .arriving import first_of_largest, gain_of
from .decomposition import compelled, delete_complete_sinks, into_sinks, note_change

V_STRUCTURE, KNOWLEDGE, SINK, RULE, DROP = range(5)  # what a step does
MOST_STEPS = 20  # of one call
MOST_SCORES = 500  # of one call


class Start(NamedTuple):
    """The graph being consumed, the DAG being built, and the steps so far.

    `left`, `dag` (p, p) bool, `ancestors` (p, words) uint64 of the DAG and `local` (p,) scores of its families. `begin`
    and `near` list neighbours in the skeleton, and `gain` (len(near),) what each adds to its node as a parent, NaN
    while unknown, -inf where that closes a cycle. `changed` and `sink` (p,) bool: nodes around which an edge changed,
    and those that were sinks before. `steps` (m, 6) int64: what was done, nodes i, k, j, and whether i -> k and j -> k
    came by it; j is -1 but for v-structures. `gains` (m,) float64 of each; `n_steps` (1,) int64. `tried` (1,) bool:
    whether no v-structure is left to take.
    """

    left: np.ndarray
    dag: np.ndarray
    ancestors: np.ndarray
    local: np.ndarray
    begin: np.ndarray
    near: np.ndarray
    gain: np.ndarray
    changed: np.ndarray
    sink: np.ndarray
    steps: np.ndarray
    gains: np.ndarray
    n_steps: np.ndarray
    tried: np.ndarray


class Limits(NamedTuple):
    """Most parents of a node, gains that count as equal, and the place (p,) int64 of each node in ties."""

    most: int
    rounding: float
    place: np.ndarray


class Triples(NamedTuple):
    """Candidates i -> k <- j: `nodes` (m, 3) int64, `keys` (m, 3) their places in ties, and `gain` (m,) float64, NaN
    while unknown, of those still `alive` (m,) bool.
    """

    nodes: np.ndarray
    keys: np.ndarray
    gain: np.ndarray
    alive: np.ndarray


@kernel
def advance(sample, cache, start, triples, settled, limits):
    """Some more steps; whether there is none left."""
    if start.tried[0]:
        return orient_others(sample, cache, start, settled, limits)
    start.tried[0] = orient_v_structures(sample, cache, start, triples, limits)
    return False


@kernel
def orient_v_structures(sample, cache, start, triples, limits):
    """Lines 4-7: the v-structure that gains most, until none gains; False while there may be more to do."""
    last, room = start.n_steps[0] + MOST_STEPS, MOST_SCORES
    while start.n_steps[0] < last:
        for t in range(triples.alive.shape[0]):
            if triples.alive[t] and np.isnan(triples.gain[t]):
                if room == 0:
                    return False
                i, k, j = triples.nodes[t]
                own = parents_of(start, k)
                triples.gain[t] = gain_of(sample, cache, own, k, i, j, limits.most, start.local[k])
                room -= 1
        best = first_of_largest(triples.gain, triples.keys, limits.rounding)
        if best < 0 or not triples.gain[best] > 0:
            return True
        i, k, j = triples.nodes[best]
        # Arrows only ever come, so what contradicts them, or closes a cycle, does so for good.
        if fits(start, i, k) and fits(start, j, k):
            note(start, V_STRUCTURE, i, k, j, triples.gain[best])
            for parent in (i, j):
                if not start.dag[parent, k]:
                    add(sample, cache, start, parent, k)
            for t in range(triples.alive.shape[0]):
                if triples.alive[t] and triples.nodes[t, 1] == k:
                    triples.gain[t] = np.nan
        else:
            triples.alive[best] = False
            triples.gain[best] = -np.inf
    return False


@kernel
def orient_others(sample, cache, start, settled, limits):
    """Lines 8-11: open edges into sinks, else those that rules compel; the best is taken or the worst set aside.

    `settled` (m, 2) int64: edges i, j whose direction is known beforehand, which come first.
    """
    last, room = start.n_steps[0] + MOST_STEPS, MOST_SCORES
    while start.n_steps[0] < last:
        op, edges = KNOWLEDGE, half_oriented(start, settled)
        if edges.shape[0] == 0:
            delete_complete_sinks(start.left, start.begin, start.near, start.changed)
            op, edges = SINK, into_sinks(start.left, start.begin, start.near, start.changed, start.sink)
        if edges.shape[0] == 0:
            op, edges = RULE, compelled(start.left, start.begin, start.near, start.ancestors)
        if edges.shape[0] == 0:
            return True
        gains, keys = np.empty(edges.shape[0]), np.empty((edges.shape[0], 2), np.int64)
        for t in range(edges.shape[0]):
            i, j = edges[t]
            keys[t, 0], keys[t, 1] = limits.place[i], limits.place[j]
            at = place_among(start, i, j)
            if np.isnan(start.gain[at]):
                if above(start.ancestors, i, j):
                    start.gain[at] = -np.inf
                else:
                    if room == 0:
                        return False
                    own = parents_of(start, j)
                    start.gain[at] = gain_of(sample, cache, own, j, i, -1, limits.most, start.local[j])
                    room -= 1
            gains[t] = start.gain[at]
        best = first_of_largest(gains, keys, limits.rounding)
        if gains[best] > 0:
            i, j = edges[best]
            note(start, op, i, j, -1, gains[best])
            add(sample, cache, start, i, j)
            continue
        worst = first_of_largest(-gains, keys, limits.rounding)
        i, j = edges[worst]
        note(start, DROP, i, j, -1, gains[worst])
        start.left[i, j] = start.left[j, i] = False
        note_change(start.begin, start.near, start.changed, i, j)
    return False


@kernel
def fits(start, i, k):
    """Whether i -> k contradicts no arrow, no knowledge, and closes no cycle."""
    return start.left[i, k] and not start.dag[k, i] and not above(start.ancestors, i, k)


@kernel
def add(sample, cache, start, i, j):
    """Take the arrow i -> j into the DAG."""
    start.left[j, i] = False
    start.dag[i, j] = True
    add_arrow(start.ancestors, i, j)
    note_change(start.begin, start.near, start.changed, i, j)
    start.gain[start.begin[j] : start.begin[j + 1]] = np.nan
    start.local[j] = local_score(sample, cache, j, parents_of(start, j))


@kernel
def note(start, op, i, k, j, gain):
    """Write a step down, before its arrows come."""
    n = start.n_steps[0]
    row = start.steps[n]
    row[0], row[1], row[2], row[3] = op, i, k, j
    row[4], row[5] = not start.dag[i, k], j >= 0 and not start.dag[j, k]
    start.gains[n] = gain
    start.n_steps[0] = n + 1


@kernel
def parents_of(start, j):
    """(k,) int64, ascending."""
    own = start.near[start.begin[j] : start.begin[j + 1]]
    found, n = np.empty(own.shape[0], np.int64), 0
    for i in own:
        if start.dag[i, j]:
            found[n] = i
            n += 1
    return found[:n]


@kernel
def place_among(start, i, j):
    """Where i is among the neighbours of j."""
    at = start.begin[j]
    while start.near[at] != i:
        at += 1
    return at


@kernel
def half_oriented(start, edges):
    """Those of (m, 2) edges that point one way and that the DAG has not got."""
    found, n = np.empty_like(edges), 0
    for t in range(edges.shape[0]):
        i, j = edges[t]
        if start.left[i, j] and not start.left[j, i] and not start.dag[i, j]:
            found[n, 0], found[n, 1] = i, j
            n += 1
    return found[:n]
