"""Tests of edges given the rest of a polished DAG, against an enumeration of the states of each pair."""

from __future__ import annotations

import dataclasses
import math
from itertools import combinations

import numpy as np
import pytest

from learners import Knowledge, learn, random_gaussian_network, random_mixed_network, sample
from learners.common.progress import silent
from learners.evaluation.posterior import Posterior
from learners.families.brai import edges_given_rest
from learners.families.brai.bootstrap_run import class_of, distinct
from learners.families.brai.edges_given_rest import arrows_given_rest
from learners.graphs.equivalence_class import direction_shares
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import BoundKnowledge, bind
from learners.scores.selection import score_for

NETWORKS = {"continuous": random_gaussian_network, "mixed": random_mixed_network}


def data_of(kind: str, seed: int = 5, p: int = 6, n: int = 60):
    return sample(NETWORKS[kind](p, round(1.5 * p), seed=seed), n, seed=seed)


def random_dag_of(p: int, seed: int) -> PDAG:
    rng = np.random.default_rng(seed)
    upper, order = np.triu(rng.random((p, p)) < 0.4, 1), rng.permutation(p)
    return PDAG(upper[np.ix_(order, order)])


def enumerated(score, dag: PDAG, known: BoundKnowledge) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, p) probabilities of edges and of arrows, from the scores of the DAGs with each state of a pair."""
    p = dag.p
    adjacent, directed = np.zeros((p, p)), np.zeros((p, p))
    for i, j in combinations(range(p), 2):
        weights = {}
        for state in ((), (i, j), (j, i)):
            amat = dag.amat.copy()
            amat[i, j] = amat[j, i] = False
            if state:
                amat[state] = True
            forbidden = (amat & known.excluded).any() or (known.required & ~amat).any()
            if not forbidden and not PDAG(amat).has_directed_cycle():
                weights[state] = score.network(PDAG(amat))
        top = max(weights.values())
        total = sum(math.exp(value - top) for value in weights.values())
        for state, value in weights.items():
            if state:
                directed[state] = math.exp(value - top) / total
        adjacent[i, j] = adjacent[j, i] = directed[i, j] + directed[j, i]
    return adjacent, directed


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("knows", [False, True])
def test_each_pair_is_weighed_given_all_other_edges(kind, seed, knows):
    """Probabilities are those of the enumeration; arrows of edges are divided as in the class."""
    data = data_of(kind)
    score, dag = score_for(data), random_dag_of(6, seed)
    known = BoundKnowledge.none(6)
    if knows:
        present, absent = np.argwhere(dag.amat), np.argwhere(~dag.skeleton & ~np.eye(6, dtype=bool))
        named = [tuple(data.names[k] for k in pair) for pair in (present[0], absent[0])]
        known = bind(Knowledge(required=named[:1], forbidden=[named[1], named[1][::-1]]), data.names)
    graph = class_of(dag, known)
    found, (adjacent, directed) = arrows_given_rest(score, dag, graph, known, silent), enumerated(score, dag, known)
    np.testing.assert_allclose(found + found.T, adjacent, atol=1e-9)
    apart = ~dag.skeleton
    np.testing.assert_allclose(found[apart], directed[apart], atol=1e-9)
    expected = adjacent * direction_shares(graph)
    np.testing.assert_allclose(found[dag.skeleton], expected[dag.skeleton], atol=1e-9)
    if knows:
        assert found[tuple(present[0])] == 1.0
        assert found[tuple(absent[0])] == found[tuple(absent[0][::-1])] == 0.0


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("k", [1, 4])
def test_probabilities_are_averages_over_the_polished_classes(kind, k):
    """Classes without arrows of their own count by their edges; v-structures and paths agree with the arrows."""
    run = learn("brai", data_of(kind, p=8), roots=4).extra
    posterior, classes = run.posterior(k), distinct(one for each in run.polished for one in each[:k])
    own = {one.graph: one.directed for one in run.beside}
    expected = sum(
        share * own.get(one.graph, direction_shares(one.graph))
        for share, one in zip(Posterior(classes).shares, classes, strict=True)
    )
    np.testing.assert_allclose(posterior.directed, expected, atol=1e-12)
    assert ((posterior.adjacent > 0.0) & (posterior.adjacent < 1.0)).any()
    assert (posterior.paths() >= posterior.directed).all()
    assert (posterior.blanket >= posterior.adjacent).all()
    assert (posterior.compelled <= posterior.adjacent).all()
    for (i, v, j), share in posterior.v_structures.items():
        assert share <= min(posterior.directed[i, v], posterior.directed[j, v])


def test_runs_stored_before_average_the_classes_alone():
    run = learn("brai", data_of("continuous"), roots=2).extra
    before = dataclasses.replace(run, beside=(), known={})
    plain = Posterior(distinct(one for each in run.polished for one in each))
    np.testing.assert_array_equal(before.posterior().adjacent, plain.adjacent)


def test_the_most_probable_classes_have_arrows_in_bounded_memory(monkeypatch):
    """The number of classes with arrows falls with the square of the number of variables, but the best has some."""
    data = data_of("continuous", p=8)
    run = learn("brai", data, roots=4).extra
    best = distinct(one for each in run.polished for one in each)[0].graph
    assert any(one.graph == best for one in run.beside)
    monkeypatch.setattr(edges_given_rest, "MAX_CELLS", 64)
    assert len(learn("brai", data, roots=4).extra.beside) == 1
