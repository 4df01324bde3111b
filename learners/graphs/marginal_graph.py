"""The graph over some variables of a known graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .graph import PDAG


def blocking_variables(graph: PDAG, kept: Sequence[int], constant: Collection[int] = ()) -> list[int]:
    """Return the variables whose removal would connect other variables.

    Parameters
    ----------
    graph : PDAG
    kept : sequence of int
        Variables of the new graph; all others are left out.
    constant : collection of int
        Variables left out that never vary: their neighbors do not depend on them.

    Returns
    -------
    list of int
        Variables left out that point at others, after constant ones and, repeatedly, those without children were
        removed: the rest is closed under ancestors, so its graph is a subgraph. If the graph is not a DAG, every
        variable left out that is adjacent to another one.
    """
    amat = graph.amat.copy()
    gone = set(range(graph.p)) - set(kept)
    for i in gone & set(constant):
        amat[i] = amat[:, i] = False
    while graph.is_dag and (sinks := [i for i in gone if amat[:, i].any() and not amat[i].any()]):
        amat[:, sinks] = False
    return sorted(i for i in gone if amat[i].any() or amat[:, i].any())


def marginal_graph(graph: PDAG, kept: Sequence[int], constant: Collection[int] = ()) -> PDAG | None:
    """Return the graph over the variables `kept`, in that order; None if there are `blocking_variables`."""
    return None if blocking_variables(graph, kept, constant) else PDAG(graph.amat[np.ix_(kept, kept)])
