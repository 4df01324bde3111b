"""Adjacency lists of a graph, and the mark between two nodes.

The neighbors of node v are ``near[begin[v]:begin[v + 1]]``.
"""

import numpy as np

from ..arrays import copy
from ..compiling import kernel


@kernel
def is_directed(amat, i, j):
    """Return True if i -> j."""
    return amat[i, j] and not amat[j, i]


@kernel
def is_undirected(amat, i, j):
    """Return True if i - j."""
    return amat[i, j] and amat[j, i]


@kernel
def is_adjacent(amat, i, j):
    """Return True if i and j are adjacent."""
    return amat[i, j] or amat[j, i]


@kernel
def neighbor_lists(adjacency):
    """Return (begin, near): adjacency lists with the neighbors of each node ascending."""
    p = adjacency.shape[0]
    begin = np.zeros(p + 1, np.int64)
    for v in range(p):
        begin[v + 1] = begin[v]
        for k in range(p):
            begin[v + 1] += adjacency[v, k]
    near = np.empty(begin[p], np.int32)
    t = 0
    for v in range(p):
        for k in range(p):
            if adjacency[v, k]:
                near[t] = k
                t += 1
    return begin, near


@kernel
def ordered_lists(adjacency, first):
    """Return (begin, near) with the neighbors of v sorted by row v of `first` (p, p).

    NaN counts as -inf; ties are ascending.
    """
    begin, near = neighbor_lists(adjacency)
    for v in range(adjacency.shape[0]):
        own = near[begin[v] : begin[v + 1]]
        rank = np.empty(own.shape[0])
        for k in range(own.shape[0]):
            value = first[v, own[k]]
            rank[k] = -np.inf if np.isnan(value) else value
        copy(own[np.argsort(rank, kind="mergesort")], own)
    return begin, near


@kernel
def open_edges(adjacency, closed, size):
    """Return the adjacent pairs x < y that are not `closed`, and one end of which has at least `size` other neighbors.

    The result is (m, 2) int64.
    """
    p = adjacency.shape[0]
    degree = np.zeros(p, np.int64)
    for x in range(p):
        for y in range(p):
            degree[x] += adjacency[x, y]
    edges = np.empty((degree.sum() // 2, 2), np.int64)
    m = 0
    for x in range(p):
        for y in range(x + 1, p):
            if adjacency[x, y] and not closed[x, y] and max(degree[x], degree[y]) > size:
                edges[m, 0], edges[m, 1] = x, y
                m += 1
    return edges[:m]
