"""Tests of MAGs of DAGs with hidden nodes, and of DAGs of MAGs."""

from __future__ import annotations

import numpy as np
import pytest

from learners import PAG, PDAG, ParameterError, canonical_dag, cpdag, mag_of_dag, pag_of_mag, random_dag
from learners.graphs.mag import with_inducing_edges
from tests import naive_pag

CONFOUNDED = PDAG.from_edges(4, directed=[(0, 1), (3, 1), (3, 2), (1, 2)])


def test_a_hidden_common_cause_becomes_an_edge_with_two_arrowheads():
    """A hidden common cause gives an edge with two arrowheads, unless one variable causes the other."""
    fork = PDAG.from_edges(3, directed=[(2, 0), (2, 1)])
    assert mag_of_dag(fork, [2]) == PAG.from_ends(2, [(0, "<->", 1)])
    assert mag_of_dag(CONFOUNDED, [3]) == PAG.from_ends(3, [(0, "->", 1), (0, "->", 2), (1, "->", 2)])
    assert mag_of_dag(CONFOUNDED, []) == PAG.from_edges(4, directed=CONFOUNDED.directed_edges())


def test_the_dag_of_a_mag_has_its_separations():
    """The DAG of a MAG, with a hidden cause for each edge with two arrowheads, has the separations of the MAG."""
    rng = np.random.default_rng(790_200)
    for _ in range(20):
        mag = naive_pag.random_mag(rng, 6, 3, 3.0)
        dag = canonical_dag(mag)
        assert naive_pag.is_maximal(mag, naive_pag.separations(mag))
        assert mag_of_dag(dag, range(6, dag.p)) == mag


def test_a_graph_without_a_separating_set_for_a_pair_is_not_maximal():
    """0 and 3 are connected by an inducing path, on which each inner node is a collider and a cause of an end."""
    edges = [(0, "<->", 1), (1, "<->", 2), (2, "<->", 3), (1, "->", 3), (2, "->", 0)]
    graph = PAG.from_ends(4, edges)
    assert not naive_pag.is_maximal(graph, naive_pag.separations(graph))


def test_edges_of_inducing_paths_make_a_graph_maximal():
    """The added edges connect exactly the pairs that no set separates in the DAG of the graph."""
    rng, added = np.random.default_rng(790_250), 0
    for _ in range(400):
        ends = [(i, str(rng.choice(["->", "<->", "<->"])), j) for j in range(6) for i in range(j) if rng.random() < 0.6]
        try:
            graph = PAG.from_ends(6, ends)
        except ParameterError:
            continue
        dag = canonical_dag(graph)
        found, pairs = with_inducing_edges(graph)
        assert found == mag_of_dag(dag, range(6, dag.p))
        assert len(pairs) == found.n_edges - graph.n_edges
        added += len(pairs)
    assert added >= 5


@pytest.mark.parametrize("seed", range(5))
def test_without_hidden_nodes_the_pag_has_the_v_structures_of_the_cpdag(seed):
    """Without hidden nodes, every arrow of the PAG is an arrow of the CPDAG, and the PAG has no further arrowheads."""
    dag = random_dag(8, 2.5, seed=790_300 + seed)
    pag, own = pag_of_mag(mag_of_dag(dag, [])), cpdag(dag)
    assert np.array_equal(pag.skeleton, own.skeleton)
    assert set(pag.directed_edges()) <= set(own.directed_edges())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mag_of_dag(PDAG.complete(2), []), "only a DAG has a MAG; orient every edge first"),
        (lambda: mag_of_dag(PDAG.empty(2), [2]), r"hidden must be one of 0 .. 1, got 2"),
        (lambda: pag_of_mag(PAG.complete(2)), "a MAG has no circles, found 2; orient them first"),
        (lambda: canonical_dag(PAG.complete(2)), "a MAG has no circles, found 2; orient them first"),
    ],
)
def test_wrong_graphs_are_refused(call, message):
    """Invalid graphs are refused with a message that states the requirement and the fix."""
    with pytest.raises(ParameterError, match="^" + message):
        call()
