"""Markov chain of ordered partitions: the sources of a DAG, the sources of the rest, and so on.

Each partition weighs as much as its DAGs. Every DAG has exactly one partition, so none counts for more because it
agrees with many orders. A node of a later part has a parent in the part before its own. Kuipers and Moffa (2017),
Partition MCMC for inference on acyclic digraphs, JASA 112; the moves are ours: a node moves to another part or to one
of its own, and two nodes are exchanged.

`table`, `flag` and `chain` are as in `order_chain`; ``chain.order`` holds the part of each node.
"""

import math

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .parent_sets import log_weight

NEAR, ANYWHERE = 0.5, 0.75  # cumulative shares of the moves; the rest are exchanges
REACH = 4  # largest distance of a near move in slots
A_PARENT = 1 << 62  # bit of no candidate: `needed` is not 0 even if no candidate is in the part before


@kernel
def parent_masks(flag, candidates, level, j):
    """Return the masks of node j's candidates in earlier parts, and in the part just before its own.

    Parameters
    ----------
    flag : (p, p) int64 array
    candidates : (p, k) int64 array
    level : (p,) int64 array
        Part of each node.
    j : int
    """
    before, needed = np.int64(0), np.int64(0)
    if level[j] > 0:
        needed = np.int64(A_PARENT)
    for b in range(candidates.shape[1]):
        bit = flag[j, candidates[j, b]]
        if bit and level[candidates[j, b]] < level[j]:
            before |= bit
            if level[candidates[j, b]] == level[j] - 1:
                needed |= bit
    return before, needed


@kernel
def start_partition(table, flag, candidates, chain):
    """Fill `before`, `needed` and `value` for the partition.

    Parameters
    ----------
    table, flag, chain
        As in the module's docstring.
    candidates : (p, k) int64 array
    """
    for j in range(chain.order.shape[0]):
        chain.before[j], chain.needed[j] = parent_masks(flag, candidates, chain.order, j)
        chain.value[j] = log_weight(table[j], chain.before[j], chain.needed[j])


@kernel
def move_partitions(table, flag, candidates, uniforms, chain, stop):
    """Make a move for each row of random numbers.

    Parameters
    ----------
    table, flag, chain
        As in the module's docstring.
    candidates : (p, k) int64 array
    uniforms : (steps, 4) float64 array
    stop : (1,) int8 array
    """
    p = chain.order.shape[0]
    level, before, needed = np.empty(p, np.int64), np.empty(p, np.int64), np.empty(p, np.int64)
    value = np.empty(p)
    for t in range(uniforms.shape[0]):
        if stop[0]:
            return
        u = uniforms[t]
        copy(chain.order, level)
        v = int(u[1] * p)
        if u[0] < ANYWHERE:
            changed = move_node(level, v, u[2], u[0] < NEAR)
        else:
            w = int(u[2] * (p - 1))
            w += w >= v
            changed = level[v] != level[w]
            level[v], level[w] = level[w], level[v]
        if not changed:
            continue
        gain = 0.0
        for j in range(p):
            before[j], needed[j] = parent_masks(flag, candidates, level, j)
            value[j] = chain.value[j]
            if before[j] != chain.before[j] or needed[j] != chain.needed[j]:
                value[j] = log_weight(table[j], before[j], needed[j])
                gain += value[j] - chain.value[j]
                if gain == -np.inf:
                    break
        if math.log(max(u[3], 1e-300)) < gain:
            copy(level, chain.order)
            copy(before, chain.before)
            copy(needed, chain.needed)
            copy(value, chain.value)


@kernel
def move_node(level, v, u, near):
    """Move v to a drawn slot: a part of the others, or a new part before, between or after them; True if it moves.

    Slots are those of the partition without v, so that the reverse move has the same probability.

    Parameters
    ----------
    level : (p,) int64 array
        Part of each node; updated.
    v : int
    u : float
        Uniform random number.
    near : bool
        True: at most `REACH` slots away.
    """
    p, home = level.shape[0], level[v]
    parts, alone = 0, True
    for j in range(p):
        if j != v:
            alone = alone and level[j] != home
            parts = max(parts, level[j] + 1)
    if alone:
        parts -= parts > home
        for j in range(p):
            level[j] -= level[j] > home
    slot = 2 * home + (0 if alone else 1)
    if near:
        far = int(u * 2 * REACH)
        to = slot + (far - REACH if far < REACH else far - REACH + 1)
    else:
        to = int(u * (2 * parts + 1))
    if to == slot or not 0 <= to <= 2 * parts:
        return False
    if to % 2 == 0:
        for j in range(p):
            level[j] += level[j] >= to // 2
    level[v] = to // 2
    return True
