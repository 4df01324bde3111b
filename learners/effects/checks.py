"""Checks of the arguments of queries to a graph."""

from __future__ import annotations

from collections.abc import Iterable

from ..common.checks import as_list, check_positions, check_type
from ..common.errors import ParameterError
from ..common.wording import shown_value
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..graphs.pag import check_no_hidden


def representative_dag(graph: PDAG) -> PDAG:
    """Return a DAG that the graph represents, the graph itself if it is a DAG; raise ParameterError if none exists."""
    check_type("the graph", graph, PDAG, "a PDAG")
    check_no_hidden(graph)
    if graph.is_dag:
        return graph
    found = consistent_extension(graph)
    if not found.valid:
        raise ParameterError("the graph must represent a DAG, but none has its arrows and v-structures; orient it")
    return found.dag


def check_nodes(graph: PDAG, x: object, y: object, others: Iterable[object] = ()) -> tuple[int, ...]:
    """Return `others` sorted and unique; raise ParameterError unless all are distinct nodes of the graph."""
    rest = as_list(others)
    if rest is None:
        raise ParameterError(f"a set must be a list of nodes, got {shown_value(others)}")
    check_positions("a node", (x, y, *rest), graph.p)
    if x == y or {x, y} & set(rest):
        raise ParameterError(f"two different nodes and a set without them are needed, got {x}, {y} and {sorted(rest)}")
    return tuple(sorted({int(node) for node in rest}))
