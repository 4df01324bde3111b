"""Candidates for the conditioning sets of each pair, as lists one after another.

The candidates of pair e are ``members[begin[e]:begin[e + 1]]``.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .subsets import fill_pool


class PairPools(NamedTuple):
    """`begin` (m + 1,) int64 and `members` int32, for m pairs."""

    begin: np.ndarray
    members: np.ndarray


@kernel
def side_pools(edges, begin_of, near_of, side):
    """Neighbours of the first (`side` 0) or second (1) node of each pair, without the other.

    `begin_of` and `near_of` list them as `subsets.neighbor_lists` does, in the order to walk in.
    """
    m = edges.shape[0]
    begin = np.zeros(m + 1, np.int64)
    for e in range(m):
        begin[e + 1] = begin[e] + begin_of[edges[e, side] + 1] - begin_of[edges[e, side]]
    members = np.empty(begin[m], np.int32)
    t = 0
    for e in range(m):
        begin[e] = t
        t += fill_pool(begin_of, near_of, edges[e, side], edges[e, 1 - side], members[t:])
    begin[m] = t
    return PairPools(begin, members[:t])


@kernel
def union_pools(edges, adjacency, begin_of, near_of):
    """As `side_pools`: neighbours of the first node of each pair, then those of the second that are new."""
    m = edges.shape[0]
    begin = np.zeros(m + 1, np.int64)
    for e in range(m):
        begin[e + 1] = begin[e]
        for node in edges[e]:
            begin[e + 1] += begin_of[node + 1] - begin_of[node]
    members = np.empty(begin[m], np.int32)
    t = 0
    for e in range(m):
        i, j = edges[e, 0], edges[e, 1]
        begin[e] = t
        t += fill_pool(begin_of, near_of, i, j, members[t:])
        for k in near_of[begin_of[j] : begin_of[j + 1]]:
            if k != i and not adjacency[i, k]:
                members[t] = k
                t += 1
    begin[m] = t
    return PairPools(begin, members[:t])


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
