"""A Markov chain of ordered partitions: a DAG's sources, those of what is left without them, and so on.

Each weighs as much as its DAGs. Every DAG has one partition, so none counts for more because it agrees with many
orders. A node of a later part has a parent in the part before its own. Kuipers and Moffa (2017); the moves are ours:
one node goes to another part, or to one of its own, and two nodes change places.
"""

import math

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .tables import weight

NEAR, ANYWHERE = 0.5, 0.75  # shares of the moves, added up; the rest are exchanges
REACH = 4  # slots that a near move goes at most
A_PARENT = 1 << 62  # beside the bits of candidates: a parent set must have one of them, also where there is none


@kernel
def masks_of(flag, candidates, level, j):
    """Masks of node j's candidates in earlier parts, and in the one just before its own."""
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
def begin_partition(table, flag, candidates, chain):
    """Fill `before`, `needed` and `value`; for chains of partitions `order` (p,) has the part of each node."""
    for j in range(chain.order.shape[0]):
        chain.before[j], chain.needed[j] = masks_of(flag, candidates, chain.order, j)
        chain.value[j] = weight(table[j], chain.before[j], chain.needed[j])


@kernel
def move_partitions(table, flag, candidates, uniforms, chain, stop):
    """A move for each row of `uniforms` (steps, 4)."""
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
            changed = send(level, v, u[2], u[0] < NEAR)
        else:
            w = int(u[2] * (p - 1))
            w += w >= v
            changed = level[v] != level[w]
            level[v], level[w] = level[w], level[v]
        if not changed:
            continue
        gain = 0.0
        for j in range(p):
            before[j], needed[j] = masks_of(flag, candidates, level, j)
            value[j] = chain.value[j]
            if before[j] != chain.before[j] or needed[j] != chain.needed[j]:
                value[j] = weight(table[j], before[j], needed[j])
                gain += value[j] - chain.value[j]
                if gain == -np.inf:
                    break
        if math.log(max(u[3], 1e-300)) < gain:
            copy(level, chain.order)
            copy(before, chain.before)
            copy(needed, chain.needed)
            copy(value, chain.value)


@kernel
def send(level, v, u, near):
    """Send v to a slot that u draws: a part of the others, or a new one before, between or after; whether it moves.

    Slots are those of the partition without v, so the way back is as likely.
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
