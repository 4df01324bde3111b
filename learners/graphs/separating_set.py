"""A set that separates two variables in a graph."""

from __future__ import annotations

from functools import lru_cache

from .consistent_extension import Extension, consistent_extension
from .d_separation import d_connected
from .graph import PDAG


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
