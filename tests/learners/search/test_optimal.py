"""Optimal search within a skeleton: against all DAGs, with knowledge, and in the hybrid learners."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from learners import BDeu, GaussianBIC, Knowledge, learn, load_network, random_gaussian_network, sample
from learners.common.progress import silent
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import bind
from learners.results.phases import Stage
from learners.search import optimal
from learners.search.hill_climbing import Search, greedy_search
from learners.search.optimal import with_optimum


def best_by_listing(score, allowed, known, most):
    """Return the highest score of a DAG: each pair of the skeleton has no edge or one of two arrows."""
    pairs, best = np.argwhere(np.triu(allowed)).tolist(), -np.inf
    for choice in product(range(3), repeat=len(pairs)):
        amat = np.zeros_like(allowed)
        for (i, j), which in zip(pairs, choice, strict=True):
            amat[i, j], amat[j, i] = which == 1, which == 2
        if (amat & known.excluded).any() or (known.required & ~amat).any() or amat.sum(axis=0).max() > most:
            continue
        dag = PDAG(amat)
        if not dag.has_directed_cycle():
            best = max(best, score.network(dag))
    return best


def worst_start(score, known) -> Search:
    """Return a search that has found nothing but the required edges."""
    dag = PDAG(known.required)
    return Search(dag, dag, score.network(dag), (), True)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["numbers", "categories"])
def test_it_is_the_best_of_all_dags_within_the_skeleton(seed, kind):
    rng = np.random.default_rng(seed)
    data = sample(
        random_gaussian_network(6, 9, seed=seed) if kind == "numbers" else load_network("asia"), 200, seed=seed
    )
    score = GaussianBIC(data) if kind == "numbers" else BDeu(data)
    allowed = np.zeros((score.p, score.p), dtype=bool)
    pairs = rng.permutation(np.argwhere(np.triu(np.ones_like(allowed), 1)))[:7]
    allowed[pairs[:, 0], pairs[:, 1]] = True
    allowed |= allowed.T
    (a, b), (c, d) = ([score.names[k] for k in pair] for pair in pairs[:2].tolist())
    for knowledge in (None, Knowledge(required=[(a, b)], forbidden=[(c, d)])):
        known = bind(knowledge, score.names)
        for most in (1, 2, 3):
            found, covered = with_optimum(worst_start(score, known), score, allowed, known, most, silent)
            assert found.score == pytest.approx(best_by_listing(score, allowed, known, most))
            assert found.score == pytest.approx(score.network(found.dag))
            assert covered.n_left_out == 0
            assert not (found.dag.amat & ~allowed).any()


def test_the_moves_lead_to_the_dag_and_never_through_a_cycle():
    data = sample(random_gaussian_network(12, 25, seed=1), 300, seed=1)
    score, known = GaussianBIC(data), bind(None, data.names)
    first = greedy_search(score, tabu_length=1, patience=0)
    found, covered = with_optimum(first, score, np.ones((12, 12), dtype=bool), known, None, silent)
    amat, total = first.dag.amat.copy(), first.score
    for (op, i, j), gain in zip(found.phases[-1].moves.tolist(), found.phases[-1].gains.tolist(), strict=True):
        assert amat[i, j] == (op == optimal.DELETE)
        amat[i, j] = op == optimal.ADD
        total += gain
        assert not PDAG(amat).has_directed_cycle()
    assert PDAG(amat) == found.dag
    assert total == pytest.approx(found.score)
    assert covered.gain == pytest.approx(found.score - first.score)
    assert covered.gain > 0


def test_parts_that_are_too_large_keep_their_dag(monkeypatch):
    monkeypatch.setattr(optimal, "MAX_VARIABLES", 3)
    data = sample(random_gaussian_network(8, 0, seed=1), 300, seed=1)
    score, known = GaussianBIC(data), bind(None, data.names)
    allowed = np.zeros((8, 8), dtype=bool)
    for part in ((0, 1, 2), (3, 4, 5, 6)):
        allowed[np.ix_(part, part)] = True
    first = greedy_search(score, allowed=allowed)
    found, covered = with_optimum(first, score, allowed, known, None, silent)
    assert (covered.n_searched, covered.n_left_out) == (3, 4)
    assert np.array_equal(found.dag.amat[:, 3:7], first.dag.amat[:, 3:7])


@pytest.mark.parametrize("learner", ["mmhc", "h2pc"])
@pytest.mark.parametrize("name", ["asia", "sachs"])
def test_hybrid_learners_end_with_the_optimum_of_their_skeleton(learner, name):
    data = sample(load_network(name), 500, seed=2)
    tabu, best = (learn(learner, data, search=search, polish=False) for search in ("tabu", "optimal"))
    assert best.score >= tabu.score
    assert best.extra.optimum.gain == pytest.approx(best.score - tabu.score, abs=1e-6)
    assert not (best.graph.skeleton & ~best.extra.skeleton.skeleton).any()
    in_phase = any(event.phase.stage is Stage.OPTIMUM for event in best.trace)
    assert in_phase == (best.extra.optimum.gain > 0)
    assert best.trace.graph_at(len(best.trace.changes)) == best.graph
    again = learn(learner, data, search="optimal", polish=True)
    assert again.score >= best.score


def test_a_cancelled_optimal_search_keeps_the_dag_of_the_tabu_search():
    data = sample(load_network("sachs"), 500, seed=2)
    tabu = learn("mmhc", data, search="tabu", polish=False)
    run = learn("mmhc", data, search="optimal", polish=False, tick=lambda phase, *_: phase != "optimal search")
    assert not run.complete
    assert run.score == tabu.score
    assert run.extra.optimum is None
