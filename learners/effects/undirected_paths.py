"""Paths through pairs of variables that have no direction, because one of the two determines the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np

from ..graphs.graph import PDAG
from .paths import PathSearch


def path_without_direction(
    graph: PDAG, x: int, y: int, pairs: Iterable[Collection[int]], hidden: Collection[int] = ()
) -> tuple[int, ...]:
    """Return a shortest path from x to y that would be causal but for a pair without a direction.

    The graph has an edge between the two variables of such a pair, and its arrow, if it has one, only says how well the
    columns predict one another. A path through it has no meaning as a cause, so graph and data do not give the effect
    of x on y.

    Parameters
    ----------
    graph : PDAG
        A DAG, or a graph that represents some, such as a CPDAG.
    x, y : int
        Cause and effect.
    pairs : iterable of pairs of int
        Variables without a direction, such as `LearnResult.undirected_pairs`.
    hidden : collection of int, default ()
        Nodes through which the path may not lead.

    Returns
    -------
    tuple of int
        The nodes from x to y; empty if there is no such path.

    Examples
    --------
    >>> from learners import PDAG
    >>> chain = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    >>> path_without_direction(chain, 0, 3, [(1, 2)]), path_without_direction(chain, 2, 3, [(0, 1)])
    ((0, 1, 2, 3), ())
    """
    undirected = {frozenset(pair) for pair in pairs}
    adjacent, amat = graph.skeleton.copy(), np.array(graph.amat)
    for i, j in undirected:
        amat[i, j] = amat[j, i] = adjacent[i, j]
    adjacent[list(hidden)] = adjacent[:, list(hidden)] = False

    def passes(a: int, k: int, b: int) -> bool:
        free = not amat[b, k] or not adjacent[a, b] or bool({frozenset((a, k)), frozenset((k, b))} & undirected)
        return bool(amat[a, k] and amat[k, b] and free)

    return next((path for path in PathSearch(adjacent, x, y, passes) if lacks_direction(path, undirected)), ())


def lacks_direction(path: Sequence[int], pairs: Collection[Collection[int]]) -> bool:
    """Return True if a path leads through a pair of variables that have no direction."""
    undirected = {frozenset(pair) for pair in pairs}
    return any(frozenset(step) in undirected for step in pairwise(path))
