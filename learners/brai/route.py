"""One way through a tree of calls, and the graph in which it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..graphs.cpdags import closure, v_structures
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from .calls import Call, Leaf


class Route(NamedTuple):
    """One way through a tree: its calls, level by level, and the leaves it ends in, of which each node has one."""

    calls: list[Call]
    leaves: list[Leaf]


def route(root: Call | Leaf, choose: Callable[[Call, int], int]) -> Route:
    """The route that takes child ``choose(call, g)`` of each group g of each call; a call cut short is a leaf."""
    calls, leaves, level = [], [], [root]
    while level:
        below = []
        for one in level:
            if isinstance(one, Leaf):
                leaves.append(one)
                continue
            calls.append(one)
            groups = one.finished()
            if groups:
                below += [group[choose(one, g) if len(group) > 1 else 0] for g, group in enumerate(groups)]
            else:
                leaves.append(one.state.leaf())
        level = below
    return Route(calls, leaves)


def union(leaves: list[Leaf], p: int) -> np.ndarray:
    """(p, p) bool: the graph that the leaves of a route make together."""
    amat = np.zeros((p, p), dtype=bool)
    for leaf in leaves:
        leaf.draw(amat)
    return amat


def completed(amat: np.ndarray, knowledge: BoundKnowledge) -> PDAG:
    """The CPDAG that a graph stands for: its skeleton, its unshielded v-structures, what is known, and what follows.

    Directions taken early, on edges that went later, are forgotten so.
    """
    graph = PDAG(amat)
    pattern = graph.skeleton.copy()
    for i, k, j in v_structures(graph):
        pattern[k, [i, j]] = False
    pattern &= ~(knowledge.directions & pattern).T
    return closure(PDAG(pattern))
