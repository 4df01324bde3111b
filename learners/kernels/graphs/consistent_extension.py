"""Consistent extensions: DAGs with the adjacencies, arrows and v-structures of a graph.

`begin` and `near` list the nodes adjacent to each node, as `adjacency.neighbor_lists` does. Dor and Tarsi (1992), A
simple algorithm to construct a consistent extension of a partially oriented graph.
"""

import numpy as np

from ..compiling import kernel
from .adjacency import is_adjacent, is_directed, is_undirected


@kernel
def respects_directions(amat, begin, near, directions):
    """Return True if some DAG of the class has i -> j for each adjacent pair with ``directions[i, j]``.

    Parameters
    ----------
    amat : (p, p) bool array
    begin, near
        As in the module's docstring.
    directions : (p, p) bool array
    """
    settled = amat.copy()
    for i in range(amat.shape[0]):
        for j in near[begin[i] : begin[i + 1]]:
            if directions[i, j]:
                if not amat[i, j]:
                    return False
                settled[j, i] = False
    for k in range(amat.shape[0]):
        own = near[begin[k] : begin[k + 1]]
        for a in range(own.shape[0]):
            for b in range(own.shape[0]):
                i, j = own[a], own[b]
                new = i != j and is_undirected(amat, i, k) and is_directed(settled, i, k) and is_directed(settled, j, k)
                if new and not is_adjacent(amat, i, j):
                    return False
    return is_extendable(settled, begin, near)


@kernel
def is_extendable(amat, begin, near):
    """Return True if a DAG has the adjacencies, arrows and v-structures of `amat`, which is consumed."""
    left = amat.shape[0]
    gone = np.zeros(left, np.bool_)
    changed = True
    while changed:
        changed = False
        for j in range(amat.shape[0]):
            if not gone[j] and is_sink(amat, begin, near, j):
                gone[j] = changed = True
                left -= 1
                for k in near[begin[j] : begin[j + 1]]:
                    amat[k, j] = amat[j, k] = False
    return left == 0


@kernel
def remove_sinks(amat, begin, near):
    """Remove sinks one by one, the smallest first, and orient their undirected edges into them.

    Parameters
    ----------
    amat : (p, p) bool array
        Consumed.
    begin, near
        As in the module's docstring.

    Returns
    -------
    oriented : (p, p) bool array
    removed : (p,) bool array
        All True iff a consistent extension exists; `oriented` then is one.
    """
    p = amat.shape[0]
    oriented = amat.copy()
    removed, sink = np.zeros(p, np.bool_), np.zeros(p, np.bool_)
    for j in range(p):
        sink[j] = is_sink(amat, begin, near, j)
    first = 0  # no sink below it is left
    while first < p:
        j = first
        first += 1
        if removed[j] or not sink[j]:
            continue
        removed[j] = True
        own = near[begin[j] : begin[j + 1]]
        for i in own:
            if is_undirected(amat, i, j):
                oriented[j, i] = False
            amat[i, j] = amat[j, i] = False
        # Only its neighbors can become sinks, and a sink remains one.
        for i in own:
            if not removed[i] and not sink[i] and is_sink(amat, begin, near, i):
                sink[i] = True
                first = min(first, i)
    return oriented, removed


@kernel
def is_sink(amat, begin, near, j):
    """Return True if j has no child and its undirected neighbors are adjacent to all its other neighbors.

    Conditions (a) and (b) of Dor and Tarsi.

    Parameters
    ----------
    amat : (p, p) bool array
    begin, near
        As in the module's docstring.
    j : int
    """
    own = near[begin[j] : begin[j + 1]]
    for k in own:
        if is_directed(amat, j, k):
            return False
    for k in own:
        if is_undirected(amat, j, k):
            for l in own:
                if l != k and is_adjacent(amat, j, l) and not is_adjacent(amat, k, l):
                    return False
    return True
