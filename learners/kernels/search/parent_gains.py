"""Gains of further parents of a variable of a DAG, and the first of the largest gains."""

import numpy as np

from ..compiling import kernel
from ..scores.families import local_score


@kernel
def parent_gain(sample, cache, parents, j, first, second, max_parents, local):
    """Return the gain of node j from one or two further parents.

    0 if neither is new, -inf if j would have more than `max_parents`. The cache must have room for one score.

    Parameters
    ----------
    sample : families of a score
    cache : FamilyCache
    parents : (k,) int64 array
        Ascending.
    j : int
    first, second : int
        Further parents; -1 for none.
    max_parents : int
    local : float
        Score of j with the current parents.
    """
    family, n = np.empty(parents.shape[0] + 2, np.int64), parents.shape[0]
    family[:n] = parents
    for i in (first, second):
        n = insert_sorted(family, n, i)
    if n == parents.shape[0]:
        return 0.0
    if n > max_parents:
        return -np.inf
    return local_score(sample, cache, j, family[:n]) - local


@kernel
def insert_sorted(family, n, i):
    """Insert node i into the first n members of `family`, ascending; return the new number.

    Nothing changes if i is a member or -1.
    """
    if i < 0:
        return n
    for k in range(n):
        if family[k] == i:
            return n
    at = n
    while at > 0 and family[at - 1] > i:
        family[at] = family[at - 1]
        at -= 1
    family[at] = i
    return n + 1


@kernel
def first_of_largest(gains, keys, rounding):
    """Return the position of the largest gain (m,); of those equal up to `rounding`, the one with the smallest keys (m,
    k).
    """
    least = -np.inf
    for t in range(gains.shape[0]):
        least = max(least, gains[t])
    least -= rounding
    best = -1
    for t in range(gains.shape[0]):
        if gains[t] >= least and (best < 0 or precedes(keys[t], keys[best])):
            best = t
    return best


@kernel
def precedes(a, b):
    """Return True if row a of keys comes before row b."""
    for k in range(a.shape[0]):
        if a[k] != b[k]:
            return a[k] < b[k]
    return False
