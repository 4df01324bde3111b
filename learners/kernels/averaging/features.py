"""Edges and Markov blankets of the DAGs that agree with an order, without listing them; and one drawn DAG."""

import math

import numpy as np

from ..compiling import kernel
from .parent_sets import log_weight


@kernel
def add_features(table, candidates, chain, shares, squares, blanket, log_miss):
    """Add the probabilities of edges and blankets of the current order.

    Given an order, the parents of different nodes are independent: two nodes are in each other's blanket unless no node
    has both in its family.

    Parameters
    ----------
    table : (p, 2^k) float64 array
        As in `parent_sets.fill_weights`.
    candidates : (p, k) int64 array
    chain : Chain
    shares, squares : (p, k) float64 arrays
        Increased by P(candidate b -> j) and its square.
    blanket : (p, p) float64 array
        Increased by P(blanket).
    log_miss : (p, p) float64 array
        Scratch: ln P(no node has both in its family).
    """
    p, k = candidates.shape
    log_miss[:] = 0.0
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
            share = complement(log_weight(row, before & ~(1 << b), needed) - whole)
            shares[j, b] += share
            squares[j, b] += share * share
            add_log_miss(log_miss, i, j, share)
            for y in range(x):
                c = present[y]
                one, other = 1 << b, 1 << c
                both = 1.0 + math.exp(log_weight(row, before & ~(one | other), needed) - whole)
                both -= math.exp(log_weight(row, before & ~one, needed) - whole)
                both -= math.exp(log_weight(row, before & ~other, needed) - whole)
                add_log_miss(log_miss, i, candidates[j, c], both)
    for i in range(p):
        for j in range(p):
            if log_miss[i, j] != 0.0:
                blanket[i, j] += 1.0 - math.exp(log_miss[i, j])


@kernel
def complement(gap):
    """Return 1 - e^gap, in [0, 1]."""
    return min(1.0, max(0.0, -math.expm1(gap)))


@kernel
def add_log_miss(log_miss, i, j, share):
    """Record that one more family has both nodes with probability `share`.

    Parameters
    ----------
    log_miss : (p, p) float64 array
    i, j : int
    share : float
    """
    if share > 0.0:
        left = math.log1p(-share) if share < 1.0 else -np.inf
        log_miss[i, j] += left
        log_miss[j, i] += left


@kernel
def draw_parents(ranked, scores, n_ranked, chain, uniforms, parents):
    """Draw a DAG that agrees with the order.

    Parameters
    ----------
    ranked, scores : (p, s) int64 and float64 arrays
        Parent sets of each node and their scores, the highest first.
    n_ranked : (p,) int64 array
        Number of sets of each node in `ranked`.
    chain : Chain
    uniforms : (p,) float64 array
    parents : (p,) int64 array
        Filled with masks of candidates.
    """
    for j in range(parents.shape[0]):
        before, needed = chain.before[j], chain.needed[j]
        left, found = uniforms[j], np.int64(0)
        for t in range(n_ranked[j]):
            mask = np.int64(ranked[j, t])
            if mask & ~before or (needed and not mask & needed):
                continue
            found = mask
            left -= math.exp(scores[j, t] - chain.value[j])
            if left < 0.0:
                break
        parents[j] = found
