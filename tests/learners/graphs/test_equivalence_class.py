"""Tests of the sizes of equivalence classes and the directions within them, by listing."""

from __future__ import annotations

import numpy as np
import pytest

from learners import PDAG, cpdag, dags_of_class
from learners.graphs.equivalence_class import class_size, direction_shares
from learners.graphs.meek_closure import closure
from learners.networks.random_networks import random_dag
from tests import naive


def check_counts(graph: PDAG) -> None:
    members = dags_of_class(graph)
    assert class_size(graph) == len(members)
    np.testing.assert_allclose(direction_shares(graph), np.mean([one.amat for one in members], axis=0), atol=1e-12)


def test_counts_agree_with_listing_for_every_class_of_four_nodes():
    """The counts equal those of listed DAGs for all 185 classes of four nodes."""
    graphs = {cpdag(PDAG(dag)) for dag in naive.all_dags(4)}
    assert len(graphs) == 185
    for graph in graphs:
        check_counts(graph)


@pytest.mark.parametrize("seed", range(20))
def test_counts_agree_with_listing_for_chordal_graphs(seed):
    """The counts are right for undirected components larger than a triangle.

    The classes come from DAGs with and without v-structures.
    """
    rng = np.random.default_rng(seed)
    amat = np.zeros((8, 8), dtype=bool)
    for j in range(1, 8):  # the parents of a new node form a clique, so there is no v-structure
        i = int(rng.integers(0, j))
        clique = [i, *(k for k in np.flatnonzero(amat[:, i]) if rng.random() < 0.6)]
        amat[clique, j] = True
    check_counts(cpdag(PDAG(amat)))
    check_counts(cpdag(random_dag(8, 3.0, seed)))


@pytest.mark.parametrize("seed", range(30))
def test_counts_heed_directions_that_are_known(seed):
    """The counts equal those of listed DAGs, also if arrows within an undirected component are known."""
    rng = np.random.default_rng(seed)
    p = 6
    amat = np.triu(rng.random((p, p)) < 0.8, 1)
    graph = cpdag(PDAG(amat))
    lines = np.argwhere(graph.amat & graph.amat.T & amat)
    pointed = graph.amat.copy()
    for i, j in lines[rng.random(len(lines)) < 0.3]:
        pointed[j, i] = False
    check_counts(closure(PDAG(pointed)))


def test_class_size_of_large_graphs_needs_no_listing():
    """The class size of a complete graph is the number of orders; that of a path is the number of roots."""
    assert class_size(PDAG.complete(20)) == 2432902008176640000
    path = PDAG.from_edges(60, undirected=[(k, k + 1) for k in range(59)])
    assert class_size(path) == 60
    assert direction_shares(path)[0, 1] == pytest.approx(1 / 60)
    assert class_size(PDAG.empty(3)) == 1
