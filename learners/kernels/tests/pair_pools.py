"""Candidates for the conditioning sets of each pair, as lists one after another.

The candidates of pair e are ``members[begin[e]:begin[e + 1]]``.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class PairPools(NamedTuple):
    """`begin` (m + 1,) int64 and `members` int32, for m pairs."""

    begin: np.ndarray
    members: np.ndarray


@kernel
def side_pools(edges, adjacency, side):
    """Neighbours of the first (`side` 0) or second (1) node of each pair, ascending, without the other."""
    m = edges.shape[0]
    begin = np.zeros(m + 1, np.int64)
    for e in range(m):
        own, other = edges[e, side], edges[e, 1 - side]
        begin[e + 1] = begin[e] + adjacency[own].sum() - adjacency[own, other]
    members = np.empty(begin[m], np.int32)
    t = 0
    for e in range(m):
        own, other = edges[e, side], edges[e, 1 - side]
        for k in range(adjacency.shape[0]):
            if adjacency[own, k] and k != other:
                members[t] = k
                t += 1
    return PairPools(begin, members)


@kernel
def union_pools(edges, adjacency):
    """Neighbours of the first node of each pair, then those of the second that are new, without the pair itself."""
    m, p = edges.shape[0], adjacency.shape[0]
    begin = np.zeros(m + 1, np.int64)
    for e in range(m):
        i, j = edges[e, 0], edges[e, 1]
        count = 0
        for k in range(p):
            count += (adjacency[i, k] or adjacency[j, k]) and k != i and k != j
        begin[e + 1] = begin[e] + count
    members = np.empty(begin[m], np.int32)
    t = 0
    for e in range(m):
        i, j = edges[e, 0], edges[e, 1]
        for k in range(p):
            if adjacency[i, k] and k != j:
                members[t] = k
                t += 1
        for k in range(p):
            if adjacency[j, k] and k != i and not adjacency[i, k]:
                members[t] = k
                t += 1
    return PairPools(begin, members)


@kernel
def covered_pools(edges, same, first, second, most, size):
    """(m, 3, p) bool: pools of which all sets of `size` members were tested before pPC's completion.

    Pairs within a cluster, those of `same` (p, p): the cluster. Pairs between: the neighbours of both ends in
    `first` (p, p), and those of either in `second` (p, p), where the screens took sets of this size, of which `most` is
    the largest. Rows that cover nothing are empty.
    """
    m, p = edges.shape[0], same.shape[0]
    pools = np.zeros((m, 3, p), np.bool_)
    for e in range(m):
        i, j = edges[e, 0], edges[e, 1]
        if same[i, j]:
            pools[e, 0] = same[i]
            continue
        # Plain passes over the rows, which become vector instructions.
        for k in range(p):
            pools[e, 0, k] = first[i, k] | first[j, k]
        pools[e, 1], pools[e, 2] = second[i], second[j]
        for r in range(3):
            pools[e, r, i] = pools[e, r, j] = False
            if min(pools[e, r].sum(), most) != size:
                pools[e, r] = False
    return pools
