"""The CPDAG of a DAG, its v-structures, and background knowledge in it."""

from __future__ import annotations

import numpy as np

from ..common.validation import validated
from ..kernels.graphs.adjacency import neighbor_lists
from ..kernels.graphs.colliders import keep_v_structures
from .graph import PDAG, check_dag
from .knowledge import BoundKnowledge
from .meek_closure import close_adjacencies, closure


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Return the triples (i, k, j), i < j, with i -> k <- j and i, j not adjacent; ascending."""
    into = np.ascontiguousarray((pdag.amat & ~pdag.amat.T).T)
    triples = []
    for k in np.flatnonzero(into.sum(axis=1) > 1).tolist():
        parents = np.flatnonzero(into[k])
        unshielded = np.triu(~pdag.skeleton[np.ix_(parents, parents)], 1)
        triples += [(int(parents[a]), k, int(parents[b])) for a, b in np.argwhere(unshielded)]
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
    return PDAG(close_adjacencies(keep_v_structures(dag.amat, *neighbor_lists(dag.skeleton)))[0])


def add_known_directions(graph: PDAG, known: BoundKnowledge) -> PDAG:
    """Return a CPDAG with the directions of background knowledge and their consequences."""
    settled = known.directions & graph.amat
    return closure(PDAG(graph.amat & ~settled.T)) if settled.any() else graph
