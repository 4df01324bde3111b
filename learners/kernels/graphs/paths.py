"""Paths, cycles and ancestors in partially directed graphs.

`ancestors` (p, words) uint64 has bit i of row j set if i is an ancestor of j.
"""

import numpy as np

from ..compiling import kernel


@kernel
def has_cycle(amat):
    """Return True if the directed edges contain a cycle."""
    p, n = amat.shape[0], 0
    waiting, free = np.zeros(p, np.int64), np.empty(p, np.int64)
    for i in range(p):
        for j in range(p):
            waiting[j] += amat[i, j] and not amat[j, i]
    for j in range(p):
        if waiting[j] == 0:
            free[n] = j
            n += 1
    done = 0
    while done < n:
        i = free[done]
        done += 1
        for j in range(p):
            if amat[i, j] and not amat[j, i]:
                waiting[j] -= 1
                if waiting[j] == 0:
                    free[n] = j
                    n += 1
    return n < p


@kernel
def leads_to(amat, begin, near, start, end, blocked):
    """Return True if a semi-directed path from `start` to `end` passes no blocked node.

    Parameters
    ----------
    amat : (p, p) bool array
    begin, near : int64 and integer arrays
        Adjacency lists as in `adjacency.neighbor_lists`.
    start, end : int
    blocked : (p,) bool array
    """
    seen = blocked.copy()
    todo = np.empty(amat.shape[0], np.int64)
    todo[0], n = start, 1
    seen[start] = True
    while n:
        n -= 1
        v = todo[n]
        for k in near[begin[v] : begin[v + 1]]:
            if amat[v, k] and not seen[k]:
                if k == end:
                    return True
                seen[k] = True
                todo[n] = k
                n += 1
    return False


@kernel
def extend_reach(amat, begin, near, reached, onward):
    """Add to `reached` all nodes that semi-directed paths connect with it.

    Parameters
    ----------
    amat, begin, near
        As in `leads_to`.
    reached : (p,) bool array
        Updated.
    onward : bool
        True: the nodes that paths from `reached` lead to; False: those that lead to it.
    """
    todo = np.empty(amat.shape[0], np.int64)
    n = 0
    for v in np.flatnonzero(reached):
        todo[n] = v
        n += 1
    while n:
        n -= 1
        v = todo[n]
        for k in near[begin[v] : begin[v + 1]]:
            if not reached[k] and (amat[v, k] if onward else amat[k, v]):
                reached[k] = True
                todo[n] = k
                n += 1


@kernel
def has_ancestor(ancestors, node, other):
    """Return True if `other` is an ancestor of `node`."""
    return (ancestors[node, other >> 6] >> np.uint64(other & 63)) & np.uint64(1) == np.uint64(1)


@kernel
def add_ancestors(ancestors, parent, child):
    """Update the ancestors of all nodes after parent -> child was added."""
    for v in range(ancestors.shape[0]):
        if v == child or has_ancestor(ancestors, v, child):
            for word in range(ancestors.shape[1]):
                ancestors[v, word] |= ancestors[parent, word]
            ancestors[v, parent >> 6] |= np.uint64(1) << np.uint64(parent & 63)
