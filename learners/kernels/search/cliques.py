"""Cliques among the neighbours of a node of a CPDAG, and the families that they make with its parents."""

import numpy as np

from ..compiling import kernel
from .decomposition import arrow, joined, open_edge


@kernel
def surroundings(amat, begin, near, order, y):
    """(neighbours, parents) of y; neighbours by their place in `order`, so that the columns do not settle ties."""
    own = near[begin[y] : begin[y + 1]]
    neighbors, parents = np.empty(own.shape[0], np.int64), np.empty(own.shape[0], np.int64)
    n, m = 0, 0
    for k in own:
        if arrow(amat, k, y):
            parents[m] = k
            m += 1
        elif open_edge(amat, k, y):
            neighbors[n] = k
            n += 1
    neighbors = neighbors[:n]
    return neighbors[np.argsort(order[neighbors])], parents[:m]


@kernel
def next_clique(amat, pool, chosen, size):
    """Advance to the next clique within `pool`, the positions of its members in `chosen`; its size, -1 at the end.

    The first is the empty one; supersets follow at once.
    """
    at = chosen[size - 1] + 1 if size else 0
    while True:
        for c in range(at, pool.shape[0]):
            if n_joined(amat, pool, chosen, size, pool[c]) == size:
                chosen[size] = c
                return size + 1
        if size == 0:
            return -1
        size -= 1
        at = chosen[size] + 1


@kernel
def n_joined(amat, pool, chosen, size, node):
    """How many of the chosen members are joined to the node."""
    count = 0
    for c in range(size):
        count += joined(amat, pool[chosen[c]], node)
    return count


@kernel
def family_of(parents, pool, chosen, size, left_out):
    """Parents and chosen members, sorted, without the node `left_out`."""
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
def common_of(amat, pool, x):
    """Members of the pool that are joined to x."""
    common = np.empty(pool.shape[0], np.int64)
    n = 0
    for k in pool:
        if k != x and joined(amat, k, x):
            common[n] = k
            n += 1
    return common[:n]


@kernel
def apart_from(amat, nodes, x):
    """Those of the nodes that are not joined to x."""
    found = np.empty(nodes.shape[0], np.int64)
    n = 0
    for k in nodes:
        if not joined(amat, k, x):
            found[n] = k
            n += 1
    return found[:n]
