"""Graph side of hybrid greedy initialization: the edges of a partially directed graph that may be oriented next.

Huang and Zhou (2022), section 4.2 and algorithm 4. `amat` (p, p) bool is consumed. `begin` and `near` list the
neighbors in the skeleton at the start; removed edges are False in both directions. `changed` (p,) bool marks the nodes
around which an edge has changed.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.adjacency import is_adjacent, is_directed, is_undirected
from ..graphs.consistent_extension import is_sink
from ..graphs.paths import has_ancestor


@kernel
def note_change(begin, near, changed, i, j):
    """Mark the nodes that a change of the edge between i and j concerns: both, and all their neighbors.

    Parameters
    ----------
    begin, near, changed
        As in the module's docstring.
    i, j : int
    """
    for node in (i, j):
        changed[node] = True
        for k in near[begin[node] : begin[node + 1]]:
            changed[k] = True


@kernel
def delete_complete_sinks(amat, begin, near, changed):
    """Remove the edges of nodes without outgoing edges until there is none; only changed nodes can become such nodes.

    Parameters
    ----------
    amat, begin, near, changed
        As in the module's docstring.
    """
    again = True
    while again:
        again = False
        for j in range(amat.shape[0]):
            if not changed[j]:
                continue
            degree, complete = 0, True
            for k in near[begin[j] : begin[j + 1]]:
                degree += is_adjacent(amat, j, k)
                complete = complete and not amat[j, k]
            if complete and degree:
                for k in near[begin[j] : begin[j + 1]]:
                    if amat[k, j]:
                        amat[k, j] = False
                        note_change(begin, near, changed, k, j)
                again = True


@kernel
def edges_into_sinks(amat, begin, near, changed, sink):
    """Return the edges i, j that may become i -> j by conditions (a) and (b), (m, 2), ascending in j, i.

    Parameters
    ----------
    amat, begin, near, changed
        As in the module's docstring; changed nodes count as seen afterwards.
    sink : (p,) bool array
        Sinks found before; updated for the changed nodes.
    """
    found = np.empty((near.shape[0], 2), np.int64)
    m = 0
    for j in range(amat.shape[0]):
        if changed[j]:
            sink[j] = begin[j] < begin[j + 1] and is_sink(amat, begin, near, j)
            changed[j] = False
        if not sink[j]:
            continue
        for i in near[begin[j] : begin[j + 1]]:
            if is_undirected(amat, i, j):
                found[m, 0], found[m, 1] = i, j
                m += 1
    return found[:m]


@kernel
def compelled_edges(amat, begin, near, ancestors):
    """Return the edges i, j that Meek's rules, or a path in the DAG of `ancestors`, turn into i -> j, (m, 2).

    Edges that would close a cycle in that DAG are left out.

    Parameters
    ----------
    amat, begin, near
        As in the module's docstring.
    ancestors : (p, words) uint64 array
        As in `graphs.paths`.
    """
    found = np.empty((near.shape[0], 2), np.int64)
    m = 0
    for i in range(amat.shape[0]):
        for j in near[begin[i] : begin[i + 1]]:
            if not is_undirected(amat, i, j) or has_ancestor(ancestors, i, j):
                continue
            if has_ancestor(ancestors, j, i) or is_compelled(amat, begin, near, i, j):
                found[m, 0], found[m, 1] = i, j
                m += 1
    return found[:m]


@kernel
def is_compelled(amat, begin, near, i, j):
    """Return True if one of Meek's rules R1 to R4 orients i - j as i -> j.

    Parameters
    ----------
    amat, begin, near
        As in the module's docstring.
    i, j : int
    """
    near_i, near_j = near[begin[i] : begin[i + 1]], near[begin[j] : begin[j + 1]]
    for k in near_i:
        if k != j and is_directed(amat, k, i) and not is_adjacent(amat, k, j):
            return True
    for k in near_j:
        if is_directed(amat, k, j) and is_directed(amat, i, k):
            return True
    for k in near_j:
        if not (is_directed(amat, k, j) and is_undirected(amat, i, k)):
            continue
        for l in near_j:
            if l > k and is_directed(amat, l, j) and is_undirected(amat, i, l) and not is_adjacent(amat, k, l):
                return True
    for l in near_j:
        if not (is_directed(amat, l, j) and l != i and is_adjacent(amat, i, l)):
            continue
        for k in near[begin[l] : begin[l + 1]]:
            if is_directed(amat, k, l) and is_undirected(amat, i, k) and k != j and not is_adjacent(amat, k, j):
                return True
    return False
