"""Cliques among the neighbors of a node of a CPDAG, and the families that they form with its parents."""

import numpy as np

from ..compiling import kernel
from ..graphs.adjacency import is_adjacent, is_directed, is_undirected


@kernel
def surroundings(amat, begin, near, order, y):
    """Return (neighbors, parents) of y; the neighbors follow `order`, so that ties do not depend on the columns' order.

    Parameters
    ----------
    amat : (p, p) bool array
    begin, near : int64 and integer arrays
        Adjacency lists.
    order : (p,) int64 array
    y : int
    """
    own = near[begin[y] : begin[y + 1]]
    neighbors, parents = np.empty(own.shape[0], np.int64), np.empty(own.shape[0], np.int64)
    n, m = 0, 0
    for k in own:
        if is_directed(amat, k, y):
            parents[m] = k
            m += 1
        elif is_undirected(amat, k, y):
            neighbors[n] = k
            n += 1
    neighbors = neighbors[:n]
    return neighbors[np.argsort(order[neighbors])], parents[:m]


@kernel
def next_clique(amat, pool, chosen, size):
    """Advance to the next clique within `pool`; return its size, -1 at the end.

    The first clique is the empty one; supersets follow at once.

    Parameters
    ----------
    amat : (p, p) bool array
    pool : int64 array
    chosen : int64 array
        Positions of the clique's members.
    size : int
    """
    at = chosen[size - 1] + 1 if size else 0
    while True:
        for c in range(at, pool.shape[0]):
            if n_adjacent(amat, pool, chosen, size, pool[c]) == size:
                chosen[size] = c
                return size + 1
        if size == 0:
            return -1
        size -= 1
        at = chosen[size] + 1


@kernel
def n_adjacent(amat, pool, chosen, size, node):
    """Return the number of chosen members that are adjacent to the node.

    Parameters
    ----------
    amat, pool, chosen, size
        As in `next_clique`.
    node : int
    """
    count = 0
    for c in range(size):
        count += is_adjacent(amat, pool[chosen[c]], node)
    return count


@kernel
def family_of(parents, pool, chosen, size, left_out):
    """Return the parents and the chosen members, sorted, without the node `left_out`.

    Parameters
    ----------
    parents : int64 array
    pool, chosen, size
        As in `next_clique`.
    left_out : int
    """
    family = np.empty(parents.shape[0] + size, np.int64)
    n = 0
    for k in parents:
        if k != left_out:
            family[n] = k
            n += 1
    for c in range(size):
        family[n] = pool[chosen[c]]
        n += 1
    return np.sort(family[:n])


@kernel
def adjacent_to(amat, pool, x):
    """Return the members of the pool that are adjacent to x."""
    common = np.empty(pool.shape[0], np.int64)
    n = 0
    for k in pool:
        if k != x and is_adjacent(amat, k, x):
            common[n] = k
            n += 1
    return common[:n]


@kernel
def not_adjacent_to(amat, nodes, x):
    """Return the nodes that are not adjacent to x."""
    found = np.empty(nodes.shape[0], np.int64)
    n = 0
    for k in nodes:
        if not is_adjacent(amat, k, x):
            found[n] = k
            n += 1
    return found[:n]
