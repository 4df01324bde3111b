"""What is left of a known graph when some of its variables are left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .graph import PDAG


def in_the_way(graph: PDAG, kept: Sequence[int], constant: Collection[int] = ()) -> list[int]:
    """Variables that cannot be left out without joining others anew.

    Parameters
    ----------
    graph : PDAG
    kept : sequence of int
        All others are left out.
    constant : collection of int
        Variables left out that never vary: what they are joined with does not depend on them.

    Returns
    -------
    list of int
        Variables left out that point at others, once those are gone that never vary and, again and again, those that
        point at nothing: the rest is closed under ancestors, so its graph is a part of the whole. In a graph that is
        no DAG every variable left out that is joined with another.
    """
    amat = graph.amat.copy()
    gone = set(range(graph.p)) - set(kept)
    for i in gone & set(constant):
        amat[i] = amat[:, i] = False
    while graph.is_dag and (sinks := [i for i in gone if amat[:, i].any() and not amat[i].any()]):
        amat[:, sinks] = False
    return sorted(i for i in gone if amat[i].any() or amat[:, i].any())


def over(graph: PDAG, kept: Sequence[int], constant: Collection[int] = ()) -> PDAG | None:
    """The graph over the variables `kept`, in that order; None if others are `in_the_way`."""
    return None if in_the_way(graph, kept, constant) else PDAG(graph.amat[np.ix_(kept, kept)])
