"""The CPDAG of a DAG, its v-structures, and background knowledge in it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..common.validation import validated
from .graph import PDAG, check_dag
from .knowledge import BoundKnowledge
from .meek import close_adjacencies, closure


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Return the triples (i, k, j), i < j, with i -> k <- j and i, j not adjacent; ascending."""
    triples = [
        (int(parents[a]), k, int(parents[b]))
        for k, parents, unshielded in _colliders(pdag)
        for a, b in np.argwhere(np.triu(unshielded))
    ]
    return sorted(triples)


@validated
def cpdag(dag: PDAG) -> PDAG:
    """Return the CPDAG of a DAG: an edge is directed iff it has the same direction in every equivalent DAG.

    Raises
    ------
    ParameterError
        If `dag` has an undirected edge or a directed cycle.

    Examples
    --------
    >>> cpdag(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]))
    PDAG(p=3: 0-1, 1-2)
    """
    check_dag(dag)
    amat = dag.skeleton.copy()
    for k, parents, unshielded in _colliders(dag):
        amat[k, parents[unshielded.any(axis=1)]] = False
    return PDAG(close_adjacencies(amat)[0])


def add_known_directions(graph: PDAG, known: BoundKnowledge) -> PDAG:
    """Return a CPDAG with the directions of background knowledge and their consequences."""
    settled = known.directions & graph.amat
    return closure(PDAG(graph.amat & ~settled.T)) if settled.any() else graph


def _colliders(pdag: PDAG) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield each middle node k of v-structures with its parents and a mask of their non-adjacent pairs."""
    into = np.ascontiguousarray((pdag.amat & ~pdag.amat.T).T)
    for k in np.flatnonzero(into.sum(axis=1) > 1):
        parents = np.flatnonzero(into[k])
        unshielded = ~pdag.skeleton[np.ix_(parents, parents)]
        np.fill_diagonal(unshielded, False)
        if unshielded.any():
            yield int(k), parents, unshielded
