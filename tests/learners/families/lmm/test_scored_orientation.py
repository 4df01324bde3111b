"""Directions of LMM's skeleton by score: the skeleton stays, knowledge holds, and the truth is found with many rows."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BIC, ParameterError, TestedDependence, learn, load_network, random_mixed_network, sample
from learners.explaining.explanation import explanation
from learners.families.lmm.lmm import lmm
from learners.families.lmm.scored_orientation import scored_v_structures
from learners.graphs.cpdag import cpdag, v_structures
from learners.graphs.knowledge import Knowledge, bind
from learners.graphs.rules import Rule
from learners.results.events import Action
from learners.scores.selection import DefaultScore


def mixed(n: int = 400, seed: int = 3):
    return sample(random_mixed_network(10, 12, seed), n, seed)


@pytest.mark.parametrize("orientation", ["boss", "ges"])
def test_the_skeleton_is_that_of_the_ranking_whatever_orients_it(orientation):
    data = mixed()
    plain = learn("lmm", data, orientation="none")
    result = learn("lmm", data, orientation=orientation)
    assert np.array_equal(result.graph.skeleton, plain.graph.skeleton)
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert result.n_scores > 0
    assert result.extra.v_structures is None


@pytest.mark.parametrize("orientation", ["boss", "ges"])
def test_the_true_skeleton_of_many_rows_gets_the_true_v_structures(orientation):
    network = load_network("asia")
    data = sample(network, 50_000, 1)
    skeleton = network.dag.skeleton
    found, _ = scored_v_structures(
        DefaultScore(data).bound(), skeleton, bind(None, data.names), orientation, 0, lambda *_: True
    )
    assert sorted(map(tuple, found.tolist())) == v_structures(cpdag(network.dag))


@pytest.mark.parametrize("orientation", ["boss", "ges"])
def test_directions_of_the_knowledge_come_first(orientation):
    data = mixed()
    i, j = next((i, j) for i, j in np.argwhere(learn("lmm", data, orientation=orientation).graph.amat).tolist())
    knowledge = Knowledge(required=[(data.names[j], data.names[i])])
    graph = learn("lmm", data, orientation=orientation, knowledge=knowledge).graph
    assert graph.mark(j, i) == "forward"


def test_default_is_boss_for_categories_and_induced_dependence_for_other_tables():
    assert learn("lmm", mixed(200)).params["orientation"] == "lmm_eo"
    categories = sample(load_network("asia"), 200, 1)
    assert learn("lmm", categories).params["orientation"] == "boss"
    assert lmm(TestedDependence(categories), BIC(categories)).extra.orientation == "boss"
    assert lmm(TestedDependence(categories)).extra.orientation == "lmm_eo"


def test_a_missing_score_is_named():
    with pytest.raises(ParameterError, match="orientation 'boss' needs a score"):
        lmm(TestedDependence(sample(load_network("asia"), 200, 1)), orientation="boss")


def test_arrows_are_explained_by_the_score():
    result = learn("lmm", mixed(), orientation="boss")
    event = next(e for e in result.trace if e.rule is Rule.SCORED_V_STRUCTURE and e.action == Action.ORIENT)
    assert "best-scoring DAG found within the skeleton" in " ".join(explanation(result, (event.i, event.j)).sentences)


def test_a_cancelled_search_leaves_the_skeleton():
    data = mixed()
    phases = []

    def tick(phase, _done, _total):
        phases.append(phase)
        return "restart" not in phase and "moves" not in phase

    result = learn("lmm", data, orientation="boss", tick=tick)
    assert not result.complete
    assert np.array_equal(result.graph.amat, result.graph.amat.T)
