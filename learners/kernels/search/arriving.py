"""What further parents would gain a variable of a DAG, and which of many gains comes first."""

import numpy as np

from ..compiling import kernel
from ..scores.families import local_score


@kernel
def gain_of(sample, cache, parents, j, first, second, most, local):
    """What node j gains by `first` and `second`, or -1 for none, beside `parents` (k,) int64, ascending.

    0 where neither is new, -inf where it would have more than `most`; `local` is its score with those it has. The cache
    must have room for one score.
    """
    family, n = np.empty(parents.shape[0] + 2, np.int64), parents.shape[0]
    family[:n] = parents
    for i in (first, second):
        n = insert(family, n, i)
    if n == parents.shape[0]:
        return 0.0
    if n > most:
        return -np.inf
    return local_score(sample, cache, j, family[:n]) - local


@kernel
def insert(family, n, i):
    """Put node i among the first n, ascending, unless it is there or -1; how many there are now."""
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
    """Where the largest gain (m,) is; of several that differ by `rounding`, the one with the smallest keys (m, k)."""
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
    """Whether one row of keys comes before another."""
    for k in range(a.shape[0]):
        if a[k] != b[k]:
            return a[k] < b[k]
    return False
