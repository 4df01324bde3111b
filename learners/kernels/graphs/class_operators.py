"""Operators on equivalence classes: insert, delete or turn an edge of a CPDAG, which becomes the resulting CPDAG.

`begin` and `near` list the nodes adjacent to each node, ascending, as `adjacency.neighbor_lists` does.
"""

import numpy as np

from ..compiling import kernel
from .adjacency import is_adjacent, is_directed
from .meek_rules import close_in_place


@kernel
def insert_in_place(amat, begin, near, x, y, tails):
    """Apply Insert(x, y, tails): add x -> y, and turn each t - y into t -> y. Return (amat, begin, near).

    Chickering (2002), Optimal structure identification with greedy search, definition 12.

    Parameters
    ----------
    amat, begin, near
        As in the module's docstring.
    x, y : int
    tails : int64 array
        Set T.
    """
    begin, near = lists_with_pair(begin, near, x, y)
    amat[x, y] = True
    for t in tails:
        amat[y, t] = False
    return cpdag_of(amat, begin, near), begin, near


@kernel
def delete_in_place(amat, begin, near, x, y, heads):
    """Apply Delete(x, y, heads): remove the edge; `heads` become children. Return (amat, begin, near).

    Each h of `heads` gets y -> h and, if x - h, x -> h. Chickering (2002), definition 13.

    Parameters
    ----------
    amat, begin, near
        As in the module's docstring.
    x, y : int
    heads : int64 array
        Set H.
    """
    begin, near = lists_without_pair(begin, near, x, y)
    amat[x, y] = amat[y, x] = False
    for h in heads:
        amat[h, y] = False
        if amat[x, h]:
            amat[h, x] = False
    return cpdag_of(amat, begin, near), begin, near


@kernel
def turn_in_place(amat, begin, near, x, y, tails):
    """Apply Turn(x, y, tails): put x -> y in place of y -> x or x - y. Return (amat, begin, near).

    Each t - y becomes t -> y. Hauser and Bühlmann (2012), Characterization and greedy learning of interventional Markov
    equivalence classes of directed acyclic graphs, section 4.3.

    Parameters
    ----------
    amat, begin, near
        As in the module's docstring.
    x, y : int
    tails : int64 array
        Set C.
    """
    amat[x, y], amat[y, x] = True, False
    for t in tails:
        amat[y, t] = False
    return cpdag_of(amat, begin, near), begin, near


@kernel
def cpdag_of(amat, begin, near):
    """Turn `amat` into the CPDAG with its adjacencies and v-structures, and return it."""
    meets = np.zeros(near.shape[0], np.bool_)  # arrows into k from each of `near` that are part of a v-structure
    for k in range(amat.shape[0]):
        own, in_pair = near[begin[k] : begin[k + 1]], meets[begin[k] : begin[k + 1]]
        for a in range(own.shape[0]):
            if is_directed(amat, own[a], k):
                for b in range(a + 1, own.shape[0]):
                    if is_directed(amat, own[b], k) and not is_adjacent(amat, own[a], own[b]):
                        in_pair[a] = in_pair[b] = True
    for k in range(amat.shape[0]):
        for t in range(begin[k], begin[k + 1]):
            amat[k, near[t]] = not meets[t]
    close_in_place(amat, begin, near, False, np.zeros(1, np.int8))
    return amat


@kernel
def lists_with_pair(begin, near, x, y):
    """Return the adjacency lists with x and y adjacent.

    Parameters
    ----------
    begin, near
        As in the module's docstring.
    x, y : int
    """
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
def lists_without_pair(begin, near, x, y):
    """Return the adjacency lists with x and y not adjacent.

    Parameters
    ----------
    begin, near
        As in the module's docstring.
    x, y : int
    """
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
    """Return the pairs i < j of the lists whose mark differs in `after`, (m, 2), ascending.

    Parameters
    ----------
    amat, begin, near
        As in the module's docstring.
    after : (p, p) bool array
    """
    found = np.empty((near.shape[0] // 2, 2), np.int64)
    n = 0
    for i in range(amat.shape[0]):
        for j in near[begin[i] : begin[i + 1]]:
            if i < j and (amat[i, j] != after[i, j] or amat[j, i] != after[j, i]):
                found[n, 0], found[n, 1] = i, j
                n += 1
    return found[:n]
