"""Enumerate the k-subsets of a pool in lexicographic order without listing them.

`chosen` holds the positions of a subset's members in the pool, ascending.
"""

from ..arrays import copy
from ..compiling import kernel


@kernel
def first_subset(size, chosen):
    """Write the first positions, 0 .. size - 1, to `chosen`."""
    for k in range(size):
        chosen[k] = k


@kernel
def next_subset(size, n_pool, chosen):
    """Advance `chosen` to the next of the subsets of `size` members of a pool of `n_pool`; False after the last."""
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
def fill_pool(begin, near, node, other, pool):
    """Write the neighbors of a node, without one of them, to `pool`; return their number.

    Parameters
    ----------
    begin, near : int64 and int32 arrays
        Adjacency lists as in `graphs.adjacency.neighbor_lists`.
    node : int
    other : int
        The neighbor that is left out.
    pool : int32 array
        Filled, in the order of the list.
    """
    count = 0
    for t in range(begin[node], begin[node + 1]):
        if near[t] != other:
            pool[count] = near[t]
            count += 1
    return count


@kernel
def fill_set(pool, chosen, cond):
    """Write the members of `pool` at the positions `chosen` to `cond`."""
    for k in range(cond.shape[0]):
        cond[k] = pool[chosen[k]]


@kernel
def covering_pools(cond, pools):
    """Return a bit mask of the pools that contain the set: bit r for row r of `pools` (s, p) bool, s at most 63.

    The empty set lies in every pool.
    """
    found = 0
    for r in range(pools.shape[0]):
        inside = True
        for k in range(cond.shape[0]):
            inside = inside and pools[r, cond[k]]
        found |= inside << r
    return found


@kernel
def any_pool_has(rows, pools, node):
    """Return True if a pool whose bit is set in `rows` has the node; `pools` as in `covering_pools`."""
    for r in range(pools.shape[0]):  # noqa: SIM110
        if rows >> r & 1 and pools[r, node]:
            return True
    return False


@kernel
def fill_with_base(base, pool, chosen, cond):
    """Write a base and the chosen members of a pool to `cond`, ascending.

    Parameters
    ----------
    base : int32 array
        Members of every set, ascending.
    pool : int32 array
    chosen : int64 array
        Positions in the pool.
    cond : int32 array
        Filled; as long as both together.
    """
    n_base = base.shape[0]
    copy(base, cond)
    for k in range(n_base, cond.shape[0]):
        node = pool[chosen[k - n_base]]
        place = k
        while place and cond[place - 1] > node:
            cond[place] = cond[place - 1]
            place -= 1
        cond[place] = node


@kernel
def first_new_set(size, n_pool, known, chosen):
    """Write the positions of the first new set of a growing pool to `chosen`; False if there is none.

    A set is new if it has a member that is not among the first `known` ones, whose subsets have all been tested. New
    sets are ordered by their last member, then lexicographically.

    Parameters
    ----------
    size : int
        Number of members of a set.
    n_pool : int
    known : int
    chosen : int64 array
    """
    first_subset(size - 1, chosen)
    chosen[size - 1] = max(known, size - 1)
    return chosen[size - 1] < n_pool


@kernel
def next_new_set(size, n_pool, chosen):
    """Advance `chosen` to the next new set of `size` members, as in `first_new_set`; False after the last."""
    if next_subset(size - 1, chosen[size - 1], chosen):
        return True
    first_subset(size - 1, chosen)
    chosen[size - 1] += 1
    return chosen[size - 1] < n_pool


@kernel
def fill_sorted_set(pool, chosen, cond):
    """Write the members of `pool` at the positions `chosen` to `cond`, ascending.

    Rounding then does not depend on the order of the pool.
    """
    for k in range(cond.shape[0]):
        node = pool[chosen[k]]
        place = k
        while place and cond[place - 1] > node:
            cond[place] = cond[place - 1]
            place -= 1
        cond[place] = node
