"""Tests of sets that separate two variables of a graph."""

from __future__ import annotations

import numpy as np
import pytest

from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.cpdag import cpdag
from learners.graphs.d_separation import separating_set
from learners.graphs.graph import PDAG
from learners.networks.random_networks import random_dag
from tests.naive_tests import d_separated


@pytest.mark.parametrize("seed", range(12))
def test_each_non_adjacent_pair_is_separated_by_a_set_without_a_spare_variable(seed: int) -> None:
    """For each non-adjacent pair, the set separates in several DAGs of the class, and no member can be left out."""
    dag = random_dag(9, 2.4, seed)
    graph = cpdag(dag)
    for x, y in np.argwhere(~graph.skeleton & ~np.eye(9, dtype=bool)).tolist():
        found = separating_set(graph, x, y)
        assert found is not None
        for member in (dag, consistent_extension(graph).dag):
            assert d_separated(member.amat, x, y, found)
        assert not any(d_separated(dag.amat, x, y, [k for k in found if k != one]) for one in found)


def test_graphs_without_a_dag_have_no_set() -> None:
    """A graph with a directed cycle has no separating sets."""
    assert separating_set(PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 0), (2, 3)]), 0, 3) is None
