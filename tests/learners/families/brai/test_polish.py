"""Tests of B-RAI's polish: what is averaged, what stays, knowledge, cancelling, and its errors on fresh networks."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from learners import Knowledge, learn, load_sample, random_gaussian_network, random_mixed_network, sample
from learners.evaluation.probable_graph import probable_graph
from learners.explaining.explanation import explanation
from learners.families.brai.bootstrap_run import BootstrapRun
from learners.families.brai.brai import MISSED_EDGES
from learners.families.brai.explaining import AGAINST_TESTS
from learners.families.brai.polish import start_of
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.cpdag import cpdag
from learners.graphs.knowledge import BoundKnowledge, bind
from learners.scores.selection import PolishScore, score_for

NETWORKS = {"continuous": random_gaussian_network, "mixed": random_mixed_network}
KINDS = ("continuous", "mixed")
POLISHES = ("tabu", "none")


def data_of(kind: str, seed: int = 3, p: int = 8, n: int = 400):
    return sample(NETWORKS[kind](p, round(1.25 * p), seed=seed), n, seed=seed)


@pytest.mark.parametrize("kind", KINDS)
def test_polished_classes_are_averaged_together_by_their_scores(kind):
    """Each class has the score of its DAGs; weights are exp(score) times the number of DAGs (equation 5)."""
    data = data_of(kind)
    extra, score = learn("brai", data, roots=4).extra, PolishScore(data).bound()
    assert [len(classes) for classes in extra.polished] == [len(extra.classes_of(tree)) for tree in extra.trees]
    posterior = extra.posterior()
    graphs = {one.graph for classes in extra.polished for one in classes}
    assert {one.graph for one in posterior.classes} == graphs
    for one in posterior.classes:
        assert score.network(consistent_extension(one.graph).dag) == pytest.approx(one.score, rel=1e-9)
    weights = np.array([one.score + math.log(one.size) for one in posterior.classes])
    weights = np.exp(weights - weights.max())
    np.testing.assert_allclose(posterior.shares, weights / weights.sum())


@pytest.mark.parametrize("kind", KINDS)
def test_no_polished_class_scores_less_than_its_start(kind):
    data = data_of(kind)
    extra, score = learn("brai", data, roots=3).extra, PolishScore(data).bound()
    for tree, classes in zip(extra.trees, extra.polished, strict=True):
        for start, found in zip(extra.classes_of(tree), classes, strict=True):
            assert found.score >= score.network(consistent_extension(start.graph).dag) - 1e-6


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", KINDS)
def test_a_polished_run_has_one_graph_and_one_posterior(kind):
    """The graph is that of the probabilities; the tree and its graph stay, and the trace leads from it to the graph."""
    data = data_of(kind, p=12)
    with_polish, without = learn("brai", data), learn("brai", data, polish="none")
    assert with_polish.params["polish"] == "tabu"
    assert with_polish.graph == probable_graph(with_polish.posterior)
    assert with_polish.graph != without.graph
    assert with_polish.extra.tree_graph == without.graph == without.extra.tree_graph
    trace, steps = with_polish.trace, len(without.trace.changes)
    assert [str(phase) for phase in trace.phases] == [*map(str, without.trace.phases), "after the tabu search"]
    assert trace.graph_at(steps) == without.graph
    assert trace.graph_at(len(trace.changes)) == with_polish.graph
    assert with_polish.score is None
    assert without.extra.polished == ()
    assert len(with_polish.extra.posterior(1).classes) <= with_polish.extra.n_draws
    np.testing.assert_array_equal(with_polish.strengths.values, with_polish.extra.posterior().adjacent)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", KINDS)
def test_explanations_of_a_polished_run_are_on_its_graph(kind):
    """What the tests of the first tree found is said to be earlier, with its mark where that is another one."""
    result = learn("brai", data_of(kind, p=12))
    for x, y in combinations(range(12), 2):
        found = explanation(result, (x, y))
        earlier = next(one for one in found.sentences if one.startswith("The best graph of the first tree"))
        agrees = result.graph.mark(x, y) == result.extra.tree_graph.mark(x, y)
        assert earlier.endswith("agrees.") == agrees
        assert found.sentences[0].startswith("P(edge)")
        assert ("is in the graph" in found.headline) == bool(result.graph.skeleton[x, y])


@pytest.mark.parametrize("kind", KINDS)
def test_no_direction_is_certain_because_a_search_did_not_reach_another(kind):
    """Directions have the odds of their v-structures, and none is clear on which near classes disagree."""
    result = learn("brai", data_of(kind, p=12))
    assert result.posterior.is_of_reached
    for arrow, direction in result.directions.items():
        assert direction.share is None
        marks = {one.graph.mark(*arrow) for one in result.extra.near} - {"none"}
        assert len(marks) <= 1 or direction.support.is_doubtful


@pytest.mark.parametrize("kind", KINDS)
def test_polished_probabilities_have_no_interval(kind):
    """Classes averaged together are no draws; the mean of the trees without polish has Wilson's interval."""
    data = data_of(kind)
    assert learn("brai", data, roots=3).strengths.limits is None
    assert learn("brai", data, roots=3, polish="none").strengths.limits is not None


@pytest.mark.deep
def test_contradicting_tests_are_counted_before_the_polish():
    """The warning names the classes with which the tabu search begins, or those that are averaged."""
    network = random_mixed_network(14, 21, seed=77)
    data = sample(network, 300, seed=77)
    said = {
        polish: next(w for w in learn("brai", data, polish=polish).warnings if "contradict" in w) for polish in POLISHES
    }
    assert "averaged" not in said["tabu"]
    assert "the tabu search begins with a replacement" in said["tabu"]
    assert "averaged classes" in said["none"]
    assert said["tabu"].split(" of ")[0] == said["none"].split(" of ")[0]


@pytest.mark.parametrize("kind", MISSED_EDGES)
def test_few_rows_are_said_to_hide_edges(kind):
    """With few rows the run warns that a probability near 0 excludes no edge; unpolished runs have no such measure."""

    def said(n: int, polish: str = "tabu") -> list[str]:
        data = data_of(kind, p=6, n=n)
        return [str(w) for w in learn("brai", data, roots=1, polish=polish).warnings if w.code == "few_rows"]

    for share, of_rows, limit in MISSED_EDGES[kind]:
        (actual,) = said(limit)
        assert actual.startswith(f"with {limit} rows, ")
        assert f"of {of_rows} rows, {share} of the true edges" in actual
    assert said(MISSED_EDGES[kind][-1][2] + 1) == []
    assert said(200, polish="none") == []


def test_categories_are_not_polished_unless_asked():
    asia = load_sample("asia").dataset
    assert learn("brai", asia, roots=2).extra.polished == ()
    assert len(learn("brai", asia, roots=2, polish="tabu").extra.polished) == 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_polished_class_has_the_knowledge(kind, seed):
    data = data_of(kind, seed)
    names = data.names
    known = Knowledge(
        required=[(names[0], names[1])],
        forbidden=[(names[2], names[3]), (names[3], names[2])],
        tiers={names[4]: 0, names[5]: 1},
    )
    result = learn("brai", data, roots=3, knowledge=known)
    for one in result.extra.posterior().classes:
        amat = one.graph.amat
        assert amat[0, 1]
        assert not amat[1, 0]
        assert not amat[2, 3]
        assert not amat[3, 2]
        assert not amat[5, 4]


def test_a_start_that_knowledge_makes_cyclic_is_left_out():
    known = Knowledge(required=[("a", "b")])
    bound = bind(known, ("a", "b", "c"))
    dag = np.zeros((3, 3), dtype=bool)
    dag[1, 2] = dag[2, 0] = True
    score = score_for(sample(random_gaussian_network(3, 2, seed=1), 100, seed=1))
    assert start_of(dag, score, bound) is None
    assert start_of(dag, score, BoundKnowledge.none(3)) is not None


def test_a_run_cancelled_in_the_polish_averages_the_trees():
    data = data_of("continuous")
    result = learn("brai", data, roots=2, tick=lambda phase, _done, _total: phase != "polish")
    assert not result.complete
    assert result.extra.polished == ()
    whole = learn("brai", data, roots=2, polish="none")
    np.testing.assert_array_equal(result.strengths.values, whole.strengths.values)


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize(("kind", "most"), [("continuous", 0.6), ("mixed", 0.6)])
def test_polish_errs_less(kind, most):
    """The squared error of edge probabilities falls by at least 40% on networks that no choice was made on."""
    errors = {"none": 0.0, "tabu": 0.0}
    for seed in (910_301, 910_302, 910_303):
        network = NETWORKS[kind](15, 22, seed=seed)
        data, true = sample(network, 1_000, seed=seed), cpdag(network.dag).skeleton
        for polish in errors:
            found = learn("brai", data, polish=polish).posterior.adjacent
            errors[polish] += float(((found - true) ** 2).sum())
    assert errors["tabu"] <= most * errors["none"]


@pytest.mark.parametrize("polish", POLISHES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_classes_of_each_tree_are_ranked_once(monkeypatch, kind, polish):
    ranked, rank = [], BootstrapRun.classes_of
    monkeypatch.setattr(BootstrapRun, "classes_of", lambda run, *given: ranked.append(given) or rank(run, *given))
    learn("brai", data_of(kind), roots=3, polish=polish)
    assert len(ranked) == 3


def test_an_edge_that_tests_and_search_see_differently_says_so():
    """A probability near 1 beside a test that found independence is explained, and only there."""
    data = sample(random_gaussian_network(8, 12, seed=11), 300, seed=11)
    result = learn("brai", data, seed=1)
    seen = set()
    for x, y in combinations(range(data.p), 2):
        joined, by_tests = result.graph.skeleton[x, y], result.extra.tree_graph.skeleton[x, y]
        caveats = [one.template for one in explanation(result, (x, y), data).caveats]
        said = {kept: AGAINST_TESTS[kept].template in caveats for kept in AGAINST_TESTS}
        assert said == {True: joined and not by_tests, False: by_tests and not joined}
        seen.add((bool(joined), bool(by_tests)))
    assert len(seen) == 4
