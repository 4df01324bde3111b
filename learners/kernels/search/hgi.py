"""Hybrid greedy initialization, step by step: the state of a run, and its two parts.

Huang and Zhou (2022), algorithm 4. `advance` returns after some work and continues when called again. A call computes
at most `MAX_SCORES` scores, for which the cache must have room.

Arguments of all functions here
-------------------------------
sample : families of a score
cache : FamilyCache
start : HGIState
limits : HGILimits
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..graphs.paths import add_ancestors, has_ancestor
from ..scores.families import local_score
from .hgi_graph import compelled_edges, delete_complete_sinks, edges_into_sinks, note_change
from .parent_gains import first_of_largest, parent_gain

V_STRUCTURE, KNOWLEDGE, SINK, RULE, DROP = range(5)  # kinds of steps
MAX_STEPS = 20  # maximum number of steps per call
MAX_SCORES = 500  # maximum number of scores per call


class HGIState(NamedTuple):
    """Graph that is consumed, DAG that is built, and the steps so far.

    Attributes
    ----------
    left, dag : (p, p) bool arrays
    ancestors : (p, words) uint64 array
        Ancestors in the DAG, as in `graphs.paths`.
    local : (p,) float64 array
        Scores of its families.
    begin, near : int64 and integer arrays
        Neighbors in the skeleton.
    gain : (len(near),) float64 array
        Gain of each neighbor as a parent; NaN while unknown, -inf if it closes a cycle.
    changed, sink : (p,) bool arrays
        Nodes around which an edge changed, and nodes that were sinks before.
    steps : (m, 6) int64 array
        Kind of step, nodes i, k, j, and whether i -> k and j -> k are new; j is -1 except for v-structures.
    gains : (m,) float64 array
        Gain of each step.
    n_steps : (1,) int64 array
    tried : (1,) bool array
        True if no v-structure is left.
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


class HGILimits(NamedTuple):
    """Limits of a run.

    Attributes
    ----------
    max_parents : int
    rounding : float
        Gains that differ by less are equal.
    place : (p,) int64 array
        Rank of each node in ties.
    """

    max_parents: int
    rounding: float
    place: np.ndarray


class HGITriples(NamedTuple):
    """Candidate v-structures i -> k <- j.

    Attributes
    ----------
    nodes, keys : (m, 3) int64 arrays
        Nodes i, k, j, and their ranks in ties.
    gain : (m,) float64 array
        NaN while unknown.
    alive : (m,) bool array
    """

    nodes: np.ndarray
    keys: np.ndarray
    gain: np.ndarray
    alive: np.ndarray


@kernel
def advance(sample, cache, start, triples, settled, limits):
    """Make the next steps; return True if none is left.

    Parameters
    ----------
    sample, cache, start, limits
        As in the module's docstring.
    triples : HGITriples
    settled : (m, 2) int64 array
        Edges i, j whose direction is known.
    """
    if start.tried[0]:
        return orient_others(sample, cache, start, settled, limits)
    start.tried[0] = orient_v_structures(sample, cache, start, triples, limits)
    return False


@kernel
def orient_v_structures(sample, cache, start, triples, limits):
    """Orient the v-structure with the largest gain, until none gains (lines 4-7); False while there may be more to do.

    Parameters
    ----------
    sample, cache, start, triples, limits
        As in `advance`.
    """
    last, room = start.n_steps[0] + MAX_STEPS, MAX_SCORES
    while start.n_steps[0] < last:
        for t in range(triples.alive.shape[0]):
            if triples.alive[t] and np.isnan(triples.gain[t]):
                if room == 0:
                    return False
                i, k, j = triples.nodes[t]
                own = parents_of(start, k)
                triples.gain[t] = parent_gain(sample, cache, own, k, i, j, limits.max_parents, start.local[k])
                room -= 1
        best = first_of_largest(triples.gain, triples.keys, limits.rounding)
        if best < 0 or not triples.gain[best] > 0:
            return True
        i, k, j = triples.nodes[best]
        # Arrows are only added, so contradictions and cycles are permanent.
        if is_orientable(start, i, k) and is_orientable(start, j, k):
            log_step(start, V_STRUCTURE, i, k, j, triples.gain[best])
            for parent in (i, j):
                if not start.dag[parent, k]:
                    orient_edge(sample, cache, start, parent, k)
            for t in range(triples.alive.shape[0]):
                if triples.alive[t] and triples.nodes[t, 1] == k:
                    triples.gain[t] = np.nan
        else:
            triples.alive[best] = False
            triples.gain[best] = -np.inf
    return False


@kernel
def orient_others(sample, cache, start, settled, limits):
    """Orient edges into sinks, then edges that rules compel: take the best or drop the worst (lines 8-11).

    Parameters
    ----------
    sample, cache, start, settled, limits
        As in `advance`; settled edges come first.
    """
    last, room = start.n_steps[0] + MAX_STEPS, MAX_SCORES
    while start.n_steps[0] < last:
        op, edges = KNOWLEDGE, half_oriented(start, settled)
        if edges.shape[0] == 0:
            delete_complete_sinks(start.left, start.begin, start.near, start.changed)
            op, edges = SINK, edges_into_sinks(start.left, start.begin, start.near, start.changed, start.sink)
        if edges.shape[0] == 0:
            op, edges = RULE, compelled_edges(start.left, start.begin, start.near, start.ancestors)
        if edges.shape[0] == 0:
            return True
        gains, keys = np.empty(edges.shape[0]), np.empty((edges.shape[0], 2), np.int64)
        for t in range(edges.shape[0]):
            i, j = edges[t]
            keys[t, 0], keys[t, 1] = limits.place[i], limits.place[j]
            at = neighbor_position(start, i, j)
            if np.isnan(start.gain[at]):
                if has_ancestor(start.ancestors, i, j):
                    start.gain[at] = -np.inf
                else:
                    if room == 0:
                        return False
                    own = parents_of(start, j)
                    start.gain[at] = parent_gain(sample, cache, own, j, i, -1, limits.max_parents, start.local[j])
                    room -= 1
            gains[t] = start.gain[at]
        best = first_of_largest(gains, keys, limits.rounding)
        if gains[best] > 0:
            i, j = edges[best]
            log_step(start, op, i, j, -1, gains[best])
            orient_edge(sample, cache, start, i, j)
            continue
        worst = first_of_largest(-gains, keys, limits.rounding)
        i, j = edges[worst]
        log_step(start, DROP, i, j, -1, gains[worst])
        start.left[i, j] = start.left[j, i] = False
        note_change(start.begin, start.near, start.changed, i, j)
    return False


@kernel
def is_orientable(start, i, k):
    """Return True if i -> k contradicts no arrow and no knowledge, and closes no cycle."""
    return start.left[i, k] and not start.dag[k, i] and not has_ancestor(start.ancestors, i, k)


@kernel
def orient_edge(sample, cache, start, i, j):
    """Add the arrow i -> j to the DAG.

    Parameters
    ----------
    sample, cache, start
        As in the module's docstring.
    i, j : int
    """
    start.left[j, i] = False
    start.dag[i, j] = True
    add_ancestors(start.ancestors, i, j)
    note_change(start.begin, start.near, start.changed, i, j)
    start.gain[start.begin[j] : start.begin[j + 1]] = np.nan
    start.local[j] = local_score(sample, cache, j, parents_of(start, j))


@kernel
def log_step(start, op, i, k, j, gain):
    """Log a step, before its arrows are added.

    Parameters
    ----------
    start : HGIState
    op : int
        Kind of step.
    i, k, j : int
    gain : float
    """
    n = start.n_steps[0]
    row = start.steps[n]
    row[0], row[1], row[2], row[3] = op, i, k, j
    row[4], row[5] = not start.dag[i, k], j >= 0 and not start.dag[j, k]
    start.gains[n] = gain
    start.n_steps[0] = n + 1


@kernel
def parents_of(start, j):
    """Return the parents of j, (k,) int64, ascending."""
    own = start.near[start.begin[j] : start.begin[j + 1]]
    found, n = np.empty(own.shape[0], np.int64), 0
    for i in own:
        if start.dag[i, j]:
            found[n] = i
            n += 1
    return found[:n]


@kernel
def neighbor_position(start, i, j):
    """Return the position of i among the neighbors of j."""
    at = start.begin[j]
    while start.near[at] != i:
        at += 1
    return at


@kernel
def half_oriented(start, edges):
    """Return the edges that point one way and are not in the DAG."""
    found, n = np.empty_like(edges), 0
    for t in range(edges.shape[0]):
        i, j = edges[t]
        if start.left[i, j] and not start.left[j, i] and not start.dag[i, j]:
            found[n, 0], found[n, 1] = i, j
            n += 1
    return found[:n]
