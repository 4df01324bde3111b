"""Graph side of hybrid greedy initialization: which edges of a partly directed graph may be oriented next.

Huang and Zhou (2022), section 4.2 and algorithm 4. `amat` (p, p) bool is consumed: i -> j iff ``amat[i, j]`` and not
``amat[j, i]``, i - j iff both. `begin` and `near` list the neighbours in the skeleton that it started from; edges that
are gone since are false in both directions.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.colliders import above


@kernel
def arrow(amat, i, j):
    """Whether i -> j."""
    return amat[i, j] and not amat[j, i]


@kernel
def open_edge(amat, i, j):
    """Whether i - j."""
    return amat[i, j] and amat[j, i]


@kernel
def joined(amat, i, j):
    """Whether there is an edge between i and j."""
    return amat[i, j] or amat[j, i]


@kernel
def note_change(begin, near, changed, i, j):
    """Mark the nodes for which it matters that the edge between i and j has changed: both, and all next to either."""
    for node in (i, j):
        changed[node] = True
        for k in near[begin[node] : begin[node + 1]]:
            changed[k] = True


@kernel
def delete_complete_sinks(amat, begin, near, changed):
    """Take out, over and over, the edges of every node that all its edges point at; only changed nodes may be new."""
    again = True
    while again:
        again = False
        for j in range(amat.shape[0]):
            if not changed[j]:
                continue
            degree, complete = 0, True
            for k in near[begin[j] : begin[j + 1]]:
                degree += joined(amat, j, k)
                complete = complete and not amat[j, k]
            if complete and degree:
                for k in near[begin[j] : begin[j + 1]]:
                    if amat[k, j]:
                        amat[k, j] = False
                        note_change(begin, near, changed, k, j)
                again = True


@kernel
def is_sink(amat, begin, near, j):
    """Conditions (a) and (b): nothing points out of j, and its open neighbours are next to all its other neighbours."""
    own = near[begin[j] : begin[j + 1]]
    for k in own:
        if arrow(amat, j, k):
            return False
    for k in own:
        if open_edge(amat, j, k):
            for l in own:
                if l != k and joined(amat, j, l) and not joined(amat, k, l):
                    return False
    return True


@kernel
def into_sinks(amat, begin, near, changed, sink):
    """(m, 2) edges i, j, ascending in j, i, that may become i -> j by conditions (a) and (b).

    `sink` (p,) bool says who was a sink before, and is set anew for the changed nodes, which then count as seen.
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
            if open_edge(amat, i, j):
                found[m, 0], found[m, 1] = i, j
                m += 1
    return found[:m]


@kernel
def compelled(amat, begin, near, ancestors):
    """(m, 2) edges i, j that rules R1-R4 in `amat`, or a path in the DAG of `ancestors`, turn into i -> j.

    Those that would close a cycle in that DAG are left out.
    """
    found = np.empty((near.shape[0], 2), np.int64)
    m = 0
    for i in range(amat.shape[0]):
        for j in near[begin[i] : begin[i + 1]]:
            if not open_edge(amat, i, j) or above(ancestors, i, j):
                continue
            if above(ancestors, j, i) or is_compelled(amat, begin, near, i, j):
                found[m, 0], found[m, 1] = i, j
                m += 1
    return found[:m]


@kernel
def is_compelled(amat, begin, near, i, j):
    """Whether one of Meek's rules R1-R4 orients i - j as i -> j."""
    near_i, near_j = near[begin[i] : begin[i + 1]], near[begin[j] : begin[j + 1]]
    for k in near_i:
        if k != j and arrow(amat, k, i) and not joined(amat, k, j):
            return True
    for k in near_j:
        if arrow(amat, k, j) and arrow(amat, i, k):
            return True
    for k in near_j:
        if not (arrow(amat, k, j) and open_edge(amat, i, k)):
            continue
        for l in near_j:
            if l > k and arrow(amat, l, j) and open_edge(amat, i, l) and not joined(amat, k, l):
                return True
    for l in near_j:
        if not (arrow(amat, l, j) and l != i and joined(amat, i, l)):
            continue
        for k in near[begin[l] : begin[l + 1]]:
            if arrow(amat, k, l) and open_edge(amat, i, k) and k != j and not joined(amat, k, j):
                return True
    return False
