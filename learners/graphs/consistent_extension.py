"""Consistent extension of a partially directed graph to a DAG, and warnings about graphs that have none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.run_warning import RunWarning
from ..common.sentences import say
from ..common.validation import validated
from ..kernels.graphs.adjacency import neighbor_lists
from ..kernels.graphs.consistent_extension import is_extendable, remove_sinks
from .graph import PDAG
from .pag import PAG

CYCLE = RunWarning(
    "contradiction",
    say("the orientations contradict one another and form a directed cycle; no DAG fits the graph"),
)
NO_EXTENSION = RunWarning(
    "contradiction",
    say("the orientations contradict one another; no DAG has the arrows and v-structures of the graph"),
)
OPEN_SKELETON = RunWarning(
    "open_skeleton",
    say(
        "the directions that background knowledge implies need further v-structures, which this learner does not look "
        "for; an edge without an arrow has an unknown direction"
    ),
)


class Extension(NamedTuple):
    """A DAG made from a PDAG.

    Attributes
    ----------
    dag : PDAG
    valid : bool
        True if `dag` keeps every arrow and has exactly the v-structures of the PDAG; False if no such DAG exists and
        `dag` is only a stand-in. A `PAG` has no such DAG, because variables may be hidden.
    """

    dag: PDAG
    valid: bool


@validated
def consistent_extension(pdag: PDAG) -> Extension:
    """Return a DAG with the skeleton, arrows and v-structures of `pdag`, if there is one.

    Of several possible sinks the smallest is taken. If there is no such DAG, the stand-in keeps what was oriented so
    far, then every arrow that closes no cycle with smaller ones (so each cycle loses its largest edge), and orients the
    other edges in index order without closing a cycle.

    Notes
    -----
    `valid` is True iff a consistent extension exists [1]_, also if nothing is undirected: then it means "acyclic". The
    DAG depends on the order of the nodes, its validity does not.

    References
    ----------
    .. [1] Dor and Tarsi (1992), A simple algorithm to construct a consistent extension of a partially oriented graph.
       Technical report R-185, UCLA.
    """
    amat, removed = remove_sinks(pdag.amat.copy(), *neighbor_lists(pdag.skeleton))
    if removed.all():
        return Extension(PDAG(amat), not isinstance(pdag, PAG))
    return Extension(_without_cycles(PDAG(amat)), False)


def contradictions(graph: PDAG, *, only_skeleton: bool = False) -> tuple[RunWarning, ...]:
    """Return a warning if no DAG has the adjacencies, arrows and v-structures of a graph; else an empty tuple.

    Parameters
    ----------
    graph : PDAG
    only_skeleton : bool
        True for a learner that does not search for directions: its arrows come from background knowledge, and without
        any there is no contradiction.
    """
    if (only_skeleton and not graph.directed_edges()) or has_extension(graph):
        return ()
    if graph.has_directed_cycle():
        return (CYCLE,)
    return (OPEN_SKELETON if only_skeleton else NO_EXTENSION,)


def has_extension(pdag: PDAG) -> bool:
    """Return True if a DAG has the skeleton, arrows and v-structures of the graph."""
    if isinstance(pdag, PAG):
        return False
    return bool(is_extendable(pdag.amat.copy(), *neighbor_lists(pdag.skeleton)))


def _without_cycles(pdag: PDAG) -> PDAG:
    """Add the arrows in ascending order, then the undirected edges, skipping arrows that close a cycle.

    An undirected edge takes the direction that closes no cycle.
    """
    amat = np.zeros_like(pdag.amat)
    reach = np.eye(pdag.p, dtype=bool)
    for edges, reversible in ((pdag.directed_edges(), False), (pdag.undirected_edges(), True)):
        for i, j in edges:
            if reach[j, i]:
                if not reversible:
                    continue
                i, j = j, i
            amat[i, j] = True
            if not reach[i, j]:
                reach[reach[:, i]] |= reach[j]
    return PDAG(amat)
