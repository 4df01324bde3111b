"""Walking the k-subsets of a pool in lexicographic order, without a list of them."""

import numpy as np

from ..compiling import kernel
from ..copying import copy


@kernel
def first_subset(size, chosen):
    """Positions 0 .. size - 1 into `chosen`."""
    for k in range(size):
        chosen[k] = k


@kernel
def next_subset(size, n_pool, chosen):
    """Advance the positions `chosen` in place; False when the last subset was reached."""
    k = size - 1
    while k >= 0 and chosen[k] == n_pool - size + k:
        k -= 1
    if k < 0:
        return False
    chosen[k] += 1
    for later in range(k + 1, size):
        chosen[later] = chosen[later - 1] + 1
    return True


@kernel
def neighbor_lists(adjacency):
    """(begin, near): the neighbours of node v, ascending, are ``near[begin[v]:begin[v + 1]]``."""
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
    """As `neighbor_lists`, each node's in the order of its row of `first` (p, p), NaN as -inf, ties ascending."""
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
    """(m, 2) int64: the adjacent pairs x < y but those `closed` (p, p), of which an end has `size` other neighbours."""
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


@kernel
def fill_pool(begin, near, node, other, pool):
    """Neighbours of `node` but `other`, ascending, into `pool`; how many."""
    count = 0
    for t in range(begin[node], begin[node + 1]):
        if near[t] != other:
            pool[count] = near[t]
            count += 1
    return count


@kernel
def fill_set(pool, chosen, cond):
    """The members of `pool` at the positions `chosen`, into `cond`."""
    for k in range(cond.shape[0]):
        cond[k] = pool[chosen[k]]


@kernel
def covering(cond, pools):
    """Bit r is set iff the set lies within row r of `pools` (s, p) bool, s at most 63; the empty one lies in each."""
    found = 0
    for r in range(pools.shape[0]):
        inside = True
        for k in range(cond.shape[0]):
            inside = inside and pools[r, cond[k]]
        found |= inside << r
    return found


@kernel
def any_holds(rows, pools, node):
    """Whether a row of `pools` whose bit of `rows` is set holds the node."""
    for r in range(pools.shape[0]):  # noqa: SIM110
        if rows >> r & 1 and pools[r, node]:
            return True
    return False
