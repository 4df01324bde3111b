"""d-separation in a DAG, and sets that separate two variables; tests by an oracle use `kernels.ci.d_separation`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from .consistent_extension import Extension, consistent_extension
from .graph import PDAG


def d_connected(
    parents: Sequence[Collection[int]], children: Sequence[Collection[int]], x: int, cond: Collection[int]
) -> set[int]:
    """Return the nodes with an active trail from x given `cond`; all others are d-separated from x.

    Parameters
    ----------
    parents, children : sequences of collections of int
        The parents and the children of each node of the DAG.
    x : int
    cond : collection of int
        Without x.

    References
    ----------
    Koller and Friedman (2009), Probabilistic graphical models, algorithm 3.1 (Reachable).
    """
    opened = _with_ancestors(parents, cond)  # colliders that open trails
    todo = [(x, True)]  # (node, True if the trail arrives from a child)
    visited: set[tuple[int, bool]] = set()
    reached: set[int] = set()
    while todo:
        node, from_child = todo.pop()
        if (node, from_child) in visited:
            continue
        visited.add((node, from_child))
        if node not in cond:
            reached.add(node)
            todo.extend((child, False) for child in children[node])
        if (node not in cond) if from_child else (node in opened):
            todo.extend((parent, True) for parent in parents[node])
    return reached


def _with_ancestors(parents: Sequence[Collection[int]], nodes: Collection[int]) -> set[int]:
    """Return the nodes and all their ancestors."""
    todo, found = list(nodes), set(nodes)
    while todo:
        for parent in parents[todo.pop()]:
            if parent not in found:
                found.add(parent)
                todo.append(parent)
    return found


def separating_set(graph: PDAG, x: int, y: int) -> tuple[int, ...] | None:
    """Return a minimal set of variables that d-separates two non-adjacent nodes.

    The members are parents of one of the nodes in a DAG of the class. The result is None if no DAG has the arrows and
    v-structures of the graph.
    """
    dag, valid = _extension(graph)
    if not valid:
        return None
    parents, children = [dag.parents(k) for k in range(dag.p)], [dag.children(k) for k in range(dag.p)]
    for node, other in ((x, y), (y, x)):
        found = [k for k in parents[node] if k != other]
        if other in d_connected(parents, children, node, found):  # `other` is a descendant
            continue
        for k in sorted(found):
            rest = [one for one in found if one != k]
            if other not in d_connected(parents, children, node, rest):
                found = rest
        return tuple(sorted(found))
    return None


@lru_cache(maxsize=16)
def _extension(graph: PDAG) -> Extension:
    return consistent_extension(graph)
