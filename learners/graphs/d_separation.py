"""d-separation in a DAG."""

from __future__ import annotations

from collections.abc import Collection, Sequence


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
    opened = _with_ancestors(parents, cond)  # colliders that let trails pass
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
