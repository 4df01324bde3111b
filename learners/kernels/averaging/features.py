"""What an order says of the DAGs that agree with it, without listing them: their edges and blankets; and one drawn."""

import math

import numpy as np

from ..compiling import kernel
from .tables import weight


@kernel
def add_features(table, candidates, chain, shares, squares, blanket, apart):
    """Add P(candidate b -> j) to `shares` (p, k), its square to `squares`, P(blanket) to `blanket` (p, p).

    Given an order the parents of different nodes are independent: two are in each other's blanket unless no node has
    both in its family. `apart` (p, p) is scratch.
    """
    p, k = candidates.shape
    apart[:] = 0.0
    present = np.empty(k, np.int64)
    for j in range(p):
        row, before, needed, whole = table[j], chain.before[j], chain.needed[j], chain.value[j]
        m = 0
        for b in range(k):
            if before >> b & 1:
                present[m] = b
                m += 1
        for x in range(m):
            b, i = present[x], candidates[j, present[x]]
            share = parted(weight(row, before & ~(1 << b), needed) - whole)
            shares[j, b] += share
            squares[j, b] += share * share
            add_apart(apart, i, j, share)
            for y in range(x):
                c = present[y]
                one, other = 1 << b, 1 << c
                both = 1.0 + math.exp(weight(row, before & ~(one | other), needed) - whole)
                both -= math.exp(weight(row, before & ~one, needed) - whole)
                both -= math.exp(weight(row, before & ~other, needed) - whole)
                add_apart(apart, i, candidates[j, c], both)
    for i in range(p):
        for j in range(p):
            if apart[i, j] != 0.0:
                blanket[i, j] += 1.0 - math.exp(apart[i, j])


@kernel
def parted(gap):
    """1 - e^gap, in [0, 1]."""
    return min(1.0, max(0.0, -math.expm1(gap)))


@kernel
def add_apart(apart, i, j, share):
    """Two nodes are apart in one more family with probability 1 - share."""
    if share > 0.0:
        left = math.log1p(-share) if share < 1.0 else -np.inf
        apart[i, j] += left
        apart[j, i] += left


@kernel
def draw_parents(local, ranked, n_ranked, chain, uniforms, parents):
    """Draw a DAG that agrees with the order: masks of the candidates that are parents, into `parents` (p,).

    `ranked` (p, s) are the sets of each node, those with the highest score first, of which `n_ranked` (p,) count.
    """
    for j in range(parents.shape[0]):
        before, needed = chain.before[j], chain.needed[j]
        left, found = uniforms[j], np.int64(0)
        for t in range(n_ranked[j]):
            mask = np.int64(ranked[j, t])
            if mask & ~before or (needed and not mask & needed):
                continue
            found = mask
            left -= math.exp(local[j, mask] - chain.value[j])
            if left < 0.0:
                break
        parents[j] = found
