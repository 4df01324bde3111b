"""Warnings about graphs that no DAG fits."""

from __future__ import annotations

from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG

CYCLE = "the orientations contradict one another and form a directed cycle; no DAG fits the graph"
NO_EXTENSION = "the orientations contradict one another; no DAG has the arrows and v-structures of the graph"
OPEN_SKELETON = (
    "the directions that background knowledge implies need further v-structures, which this learner does not look for; "
    "an edge without an arrow has an unknown direction"
)


def contradictions(graph: PDAG, *, only_skeleton: bool = False) -> tuple[str, ...]:
    """Return a warning if no DAG has the adjacencies, arrows and v-structures of a graph; else an empty tuple.

    Parameters
    ----------
    graph : PDAG
    only_skeleton : bool
        True for a learner that looks for no directions: its arrows come from background knowledge, and without any
        there is no contradiction.
    """
    if graph.has_directed_cycle():
        return (CYCLE,)
    if (only_skeleton and not graph.directed_edges()) or consistent_extension(graph).valid:
        return ()
    return (OPEN_SKELETON if only_skeleton else NO_EXTENSION,)
