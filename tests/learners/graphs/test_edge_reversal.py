"""Tests of directing and reversing edges within a class, by listing all its DAGs."""

from __future__ import annotations

import pytest

from learners import PDAG, ParameterError, cpdag, dags_of_class
from learners.graphs.edge_reversal import direct_edge, reverse_edge
from learners.graphs.equivalence_class import first_dags
from tests import naive

CLASSES = sorted({cpdag(PDAG(dag)) for dag in naive.all_dags(4)}, key=lambda graph: graph.amat.tobytes())


def common(dags: list[PDAG]) -> set[tuple[int, int]]:
    """Return the arrows that all DAGs share."""
    return set.intersection(*(set(dag.directed_edges()) for dag in dags))


def test_what_follows_is_what_all_dags_with_the_arrow_share():
    """The implied arrows are those shared by all DAGs with the new arrow.

    Tested on every undirected edge of all 185 classes of four nodes, in both directions, and on one more edge after it.
    """
    for graph in CLASSES:
        for i, j in graph.undirected_edges():
            for a, b in ((i, j), (j, i)):
                after = direct_edge(graph, a, b)
                members = [dag for dag in dags_of_class(graph) if dag.mark(a, b) == "forward"]
                assert set(after.follows) | {(a, b)} | set(graph.directed_edges()) == common(members)
                for c, d in after.graph.undirected_edges():
                    again = direct_edge(after.graph, c, d)
                    both = [dag for dag in members if dag.mark(c, d) == "forward"]
                    assert set(again.graph.directed_edges()) == common(both)


def test_a_turned_edge_leads_to_another_dag_of_the_class():
    """A reversed arrow gives another DAG of the class, or None if the arrow is compelled.

    Tested on every arrow of every DAG of four nodes. The implied changes are shared by all DAGs with the reversed
    arrow.
    """
    for graph in CLASSES:
        members = dags_of_class(graph)
        for dag in members:
            for i, j in dag.directed_edges():
                after = reverse_edge(dag, i, j, graph)
                others = [one for one in members if one.mark(j, i) == "forward"]
                assert (after is None) == (not others)
                if after is None:
                    continue
                assert after.graph in others
                changed = set(after.graph.directed_edges()) - set(dag.directed_edges())
                assert set(after.follows) | set(after.besides) | {(j, i)} == changed
                assert set(after.follows) | {(j, i)} == common(others) - set(dag.directed_edges())


@pytest.mark.compiled
def test_of_a_large_class_the_first_dags_are_listed():
    """The first DAGs of a large class are listed in the order of `dags_of_class`; a graph without a DAG has none."""
    assert len(first_dags(PDAG.complete(30), 20)) == 20
    small = PDAG.complete(4)
    assert first_dags(small, 5) == dags_of_class(small)[:5]
    assert first_dags(small, 100) == dags_of_class(small)
    cycle = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)])
    assert first_dags(cycle, 3) == []


def test_only_edges_that_are_there_can_be_tried():
    """Directing an edge that is an arrow, and reversing an undirected edge, are refused."""
    chain = PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])
    with pytest.raises(ParameterError, match="only an undirected edge"):
        direct_edge(chain, 0, 1)
    with pytest.raises(ParameterError, match="only an arrow"):
        reverse_edge(chain, 1, 2, chain)
