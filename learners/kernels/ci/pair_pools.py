"""Candidates for the conditioning sets of each pair, as concatenated lists.

The candidates of pair e are ``members[begin[e]:begin[e + 1]]``.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .subsets import fill_pool


class PairPools(NamedTuple):
    """Candidates for the conditioning sets of m pairs.

    Attributes
    ----------
    begin : (m + 1,) int64 array
    members : int32 array
    """

    begin: np.ndarray
    members: np.ndarray


@kernel
def side_pools(edges, begin_of, near_of, side):
    """List the neighbors of one node of each pair, without the other node.

    Parameters
    ----------
    edges : (m, 2) int64 array
    begin_of, near_of : int64 and int32 arrays
        Adjacency lists as in `graphs.adjacency.neighbor_lists`, in the order of the search.
    side : int
        0 for the first node of each pair, 1 for the second.

    Returns
    -------
    PairPools
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
    """List the neighbors of the first node of each pair, then those of the second node that are new.

    Parameters
    ----------
    edges, begin_of, near_of
        As in `side_pools`.
    adjacency : (p, p) bool array

    Returns
    -------
    PairPools
    """
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
def tested_pools(edges, same, first, second, max_size, size):
    """Mark pools of which all sets of a size were tested before pPC's completion step.

    Pairs within a cluster: the cluster. Pairs between clusters: the neighbors of both ends in `first`, and those of
    either end in `second`, where the screening steps took sets of this size.

    Parameters
    ----------
    edges : (m, 2) int64 array
    same : (p, p) bool array
        Pairs within a cluster.
    first, second : (p, p) bool arrays
        Adjacencies before the two screening steps.
    max_size : int
        Size of the largest set that the screening steps took.
    size : int

    Returns
    -------
    (m, 3, p) bool array
        Rows that cover nothing are empty.
    """
    m, p = edges.shape[0], same.shape[0]
    pools = np.zeros((m, 3, p), np.bool_)
    for e in range(m):
        i, j = edges[e, 0], edges[e, 1]
        if same[i, j]:
            pools[e, 0] = same[i]
            continue
        # Simple loops over the rows, which the compiler vectorizes.
        for k in range(p):
            pools[e, 0, k] = first[i, k] | first[j, k]
        pools[e, 1], pools[e, 2] = second[i], second[j]
        for r in range(3):
            pools[e, r, i] = pools[e, r, j] = False
            if min(pools[e, r].sum(), max_size) != size:
                pools[e, r] = False
    return pools
