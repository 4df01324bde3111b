"""Steps between equivalence classes: an edge put into a CPDAG or taken out of it, and the CPDAG of what results.

`amat` (p, p) bool: i -> j iff ``amat[i, j]`` and not ``amat[j, i]``, i - j iff both. `begin` and `near` list what is
joined to each node, ascending, as `subsets.neighbor_lists` does.
"""

import numpy as np

from ..compiling import kernel
from ..search.decomposition import arrow, is_sink, joined, open_edge
from .closure import close


@kernel
def after_insert(amat, begin, near, x, y, tails):
    """(amat, begin, near) of the class after Insert(x, y, tails): x -> y comes, and each t - y becomes t -> y.

    Chickering (2002), definition 12.
    """
    begin, near = with_pair(begin, near, x, y)
    changed = amat.copy()
    changed[x, y] = True
    for t in tails:
        changed[y, t] = False
    return class_of(changed, begin, near), begin, near


@kernel
def after_delete(amat, begin, near, x, y, heads):
    """The same after Delete(x, y, heads): the edge goes, and each h of `heads` gets y -> h and, if x - h, x -> h.

    Chickering (2002), definition 13.
    """
    begin, near = without_pair(begin, near, x, y)
    changed = amat.copy()
    changed[x, y] = changed[y, x] = False
    for h in heads:
        changed[h, y] = False
        if changed[x, h]:
            changed[h, x] = False
    return class_of(changed, begin, near), begin, near


@kernel
def after_turn(amat, begin, near, x, y, tails):
    """The same after Turn(x, y, tails): x -> y instead of y -> x or x - y, and each t - y becomes t -> y.

    Hauser and Bühlmann (2012), section 4.3.
    """
    changed = amat.copy()
    changed[x, y], changed[y, x] = True, False
    for t in tails:
        changed[y, t] = False
    return class_of(changed, begin, near), begin, near


@kernel
def class_of(amat, begin, near):
    """The CPDAG with the adjacencies and v-structures of `amat`."""
    pattern = np.zeros(amat.shape, np.bool_)
    for k in range(amat.shape[0]):
        for i in near[begin[k] : begin[k + 1]]:
            pattern[k, i] = True
    for k in range(amat.shape[0]):
        own = near[begin[k] : begin[k + 1]]
        for a in range(own.shape[0]):
            if arrow(amat, own[a], k):
                for b in range(a + 1, own.shape[0]):
                    if arrow(amat, own[b], k) and not joined(amat, own[a], own[b]):
                        pattern[k, own[a]] = pattern[k, own[b]] = False
    return close(pattern, begin, near, False, np.zeros(1, np.int8))[0]


@kernel
def with_pair(begin, near, x, y):
    """The lists with x and y joined."""
    new_begin, new_near = begin.copy(), np.empty(near.shape[0] + 2, near.dtype)
    n = 0
    for k in range(begin.shape[0] - 1):
        new_begin[k] = n
        other = y if k == x else x if k == y else -1
        for i in near[begin[k] : begin[k + 1]]:
            if 0 <= other < i:
                new_near[n] = other
                n += 1
                other = -1
            new_near[n] = i
            n += 1
        if other >= 0:
            new_near[n] = other
            n += 1
    new_begin[-1] = n
    return new_begin, new_near


@kernel
def without_pair(begin, near, x, y):
    """The lists with x and y apart."""
    new_begin, new_near = begin.copy(), np.empty(near.shape[0] - 2, near.dtype)
    n = 0
    for k in range(begin.shape[0] - 1):
        new_begin[k] = n
        for i in near[begin[k] : begin[k + 1]]:
            if not ((k == x and i == y) or (k == y and i == x)):
                new_near[n] = i
                n += 1
    new_begin[-1] = n
    return new_begin, new_near


@kernel
def changed_marks(amat, after, begin, near):
    """(m, 2) pairs i < j of the lists that have another mark in `after`, ascending."""
    found = np.empty((near.shape[0] // 2, 2), np.int64)
    n = 0
    for i in range(amat.shape[0]):
        for j in near[begin[i] : begin[i + 1]]:
            if i < j and (amat[i, j] != after[i, j] or amat[j, i] != after[j, i]):
                found[n, 0], found[n, 1] = i, j
                n += 1
    return found[:n]


@kernel
def leads_to(amat, begin, near, start, end, blocked):
    """Whether a path from `start` to `end` meets no arrow head on and passes no node that is `blocked` (p,)."""
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
def spread(amat, begin, near, reached, onward):
    """Add to `reached` (p,) what semi-directed paths from it lead to, or if not `onward` what leads to it."""
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
def agrees(amat, begin, near, directions):
    """Whether some DAG of the class has i -> j wherever `directions` (p, p) says so of a pair that is joined."""
    settled = amat.copy()
    for i in range(amat.shape[0]):
        for j in near[begin[i] : begin[i + 1]]:
            if directions[i, j]:
                if not amat[i, j]:
                    return False
                settled[j, i] = False
    for k in range(amat.shape[0]):
        own = near[begin[k] : begin[k + 1]]
        for a in range(own.shape[0]):
            for b in range(own.shape[0]):
                i, j = own[a], own[b]
                new = i != j and open_edge(amat, i, k) and arrow(settled, i, k) and arrow(settled, j, k)
                if new and not joined(amat, i, j):
                    return False
    return is_extendable(settled, begin, near)


@kernel
def is_extendable(amat, begin, near):
    """Whether a DAG has the adjacencies, arrows and v-structures of `amat`, which is consumed (Dor and Tarsi 1992)."""
    left = amat.shape[0]
    gone = np.zeros(left, np.bool_)
    changed = True
    while changed:
        changed = False
        for j in range(amat.shape[0]):
            if not gone[j] and is_sink(amat, begin, near, j):
                gone[j] = changed = True
                left -= 1
                for k in near[begin[j] : begin[j + 1]]:
                    amat[k, j] = amat[j, k] = False
    return left == 0
