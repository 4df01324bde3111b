"""Minimal d-separating sets of two nodes of a DAG."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

import numpy as np

Around = dict[int, set[int]]  # neighbours of each node of an undirected graph


def minimal_separators(amat: np.ndarray, x: int, y: int, allowed: Collection[int]) -> Iterator[tuple[int, ...]]:
    """Yield each minimal set that d-separates x and y, in a fixed order.

    Parameters
    ----------
    amat : (p, p) bool array
        Adjacency matrix of a DAG.
    x, y : int
    allowed : collection of int
        Nodes that a set may contain.

    Notes
    -----
    Such a set is a minimal separator in the moral graph of x, y and their ancestors (van der Zander, Liśkiewicz and
    Textor 2014, Constructing separators and adjustment sets in ancestral graphs, UAI, corollary 2). Nodes that are not
    allowed are removed and their neighbours connected. Further separators follow from a known one by moving one of its
    members to the side of x (Shen and Liang 1997, Efficient enumeration of all minimal separators in a graph,
    Theoretical Computer Science 180).
    """
    around = _moral(amat, x, y)
    for v in [v for v in around if v not in allowed and v not in (x, y)]:
        _take_away(around, v)
    if y in around[x]:
        return
    first = _nearest(around, {x}, y)
    seen, waiting = {first}, deque([first])
    while waiting:
        found = waiting.popleft()
        yield tuple(sorted(found))
        side = _reached(around, x, found)
        for v in sorted(found - around[y]):
            other = _nearest(around, side | {v}, y)
            if other not in seen:
                seen.add(other)
                waiting.append(other)


def with_ancestors(amat: np.ndarray, nodes: Collection[int]) -> set[int]:
    """Return the nodes and all their ancestors."""
    found, todo = set(nodes), list(nodes)
    while todo:
        for parent in np.flatnonzero(amat[:, todo.pop()]).tolist():
            if parent not in found:
                found.add(parent)
                todo.append(parent)
    return found


def _moral(amat: np.ndarray, x: int, y: int) -> Around:
    """Return the moral graph of the two nodes and their ancestors."""
    kept = with_ancestors(amat, (x, y))
    around: Around = {v: set() for v in sorted(kept)}
    for v in kept:
        family = [v, *np.flatnonzero(amat[:, v]).tolist()]
        for a in family:
            around[a].update(family)
    for v, others in around.items():
        others.discard(v)
    return around


def _take_away(around: Around, v: int) -> None:
    """Remove v and connect its neighbours, because no set may block v."""
    others = around.pop(v)
    for a in others:
        around[a] |= others
        around[a] -= {a, v}


def _reached(around: Around, start: int, closed: Collection[int]) -> set[int]:
    """Return the nodes that are reachable from `start` without passing `closed`."""
    found, todo = {start}, [start]
    while todo:
        for v in around[todo.pop()]:
            if v not in found and v not in closed:
                found.add(v)
                todo.append(v)
    return found


def _nearest(around: Around, side: set[int], y: int) -> frozenset[int]:
    """Return the minimal separator among the neighbours of the side of x."""
    border = set().union(*(around[v] for v in side)) - side
    far = _reached(around, y, border | side)
    return frozenset(v for v in border if around[v] & far)
