"""What further parents would gain a variable of a DAG, for many variables and parents at a time."""

import numpy as np

from ..compiling import kernel
from ..scores.families import local_score


@kernel
def gains_of(sample, cache, dag, nodes, arriving, most, local, out):
    """Gains of nodes (m,) int64 by parents `arriving` (m, k) int64 beside those that they have in `dag` (p, p) bool,
    stored column by column.

    `local` (p,) are the scores of the nodes with those they have. `out` (m,) becomes 0 where none of the parents is
    new, -inf where a node would have more than `most`. The cache must have room for m scores.
    """
    for t in range(nodes.shape[0]):
        j = nodes[t]
        parents = dag[:, j].copy()
        before = parents.sum()
        for i in arriving[t]:
            parents[i] = True
        if parents.sum() == before:
            out[t] = 0.0
        elif parents.sum() > most:
            out[t] = -np.inf
        else:
            out[t] = local_score(sample, cache, j, np.flatnonzero(parents)) - local[j]


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
