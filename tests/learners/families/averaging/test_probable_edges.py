"""Tests of the graphs at every probability cut, and of counts of classes by number of rows."""

from __future__ import annotations

import numpy as np
import pytest

from learners import PDAG, learn, load_sample
from learners.evaluation.posterior import Posterior, RankedClass
from learners.evaluation.probable_graph import probable_graph
from learners.families.averaging.probable_edges import of_frequencies, of_posterior
from learners.families.brai.bootstrap_run import draw
from learners.families.brai.classes_by_rows import classes_by_rows, sizes_up_to
from learners.families.brai.routes import ranked_routes

ASIA = load_sample("asia").dataset
FEW = ASIA.take(range(150))


@pytest.fixture(scope="module")
def run():
    return learn("brai", FEW)


def test_each_step_joins_the_pairs_that_are_probable_enough(run):
    """Step s has the pairs with at least the s-th probability, and each cut selects the step with exactly its pairs."""
    posterior = run.extra.posterior(20)
    edges = of_posterior(posterior)
    assert (np.diff(edges.levels) > 0).all()
    assert len(edges) > 2
    for step, level in enumerate(edges.levels.tolist()):
        wanted = posterior.adjacent >= level - 1e-12
        assert np.array_equal(edges.graph(step).skeleton, wanted)
        assert edges.step_of(level) == step
    for cut in np.linspace(0.01, edges.levels[-1], 23).tolist():
        found = edges.graph(edges.step_of(cut)).skeleton
        assert np.array_equal(found, posterior.adjacent >= min(cut, edges.levels[-1]) - 1e-12)
    assert edges.step_of(1.0) == len(edges) - 1


def test_arrows_are_compelled_in_half_of_their_edges_probability(run):
    """An edge is an arrow iff a direction is compelled with at least half of the edge's probability."""
    posterior = run.extra.posterior(20)
    marks = of_posterior(posterior).marks
    compelled = sum(
        s * (c.graph.amat & ~c.graph.amat.T) for s, c in zip(posterior.shares, posterior.classes, strict=True)
    )
    assert marks.directed_edges()
    for i, j in np.argwhere(marks.skeleton).tolist():
        assert (compelled[i, j] >= 0.5 * posterior.adjacent[i, j]) == (not marks.amat[j, i])


def test_improbable_edges_take_no_arrow_from_the_graph():
    """The improbable edge 0 - 2 is absent from the graph and stays undirected, since 2 -> 0 would close a cycle."""
    directed, compelled = np.zeros((3, 3)), np.zeros((3, 3))
    directed[[0, 1, 2], [1, 2, 0]], compelled[[0, 1, 2], [1, 2, 0]] = (0.6, 1.0, 0.45), (0.3, 0.9, 0.45)
    one = RankedClass(PDAG.from_edges(3), 0.0)  # the features are given and not averaged over classes
    posterior = Posterior((one,), np.ones(1), {"directed": directed, "compelled": compelled})
    edges, graph = of_posterior(posterior), probable_graph(posterior)
    assert graph == PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    assert edges.graph(edges.choice) == graph
    assert edges.marks == PDAG.from_edges(3, directed=[(0, 1), (1, 2)], undirected=[(0, 2)])
    only = np.zeros((3, 3))
    only[2, 0] = 1.0
    posterior = Posterior((one,), np.ones(1), {"directed": directed, "compelled": compelled, "only": only})
    assert of_posterior(posterior).marks == graph  # an edge 0 - 2 would allow the excluded direction


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
def test_bootstrap_begins_with_its_own_graph(share):
    """At the share of the run the graph equals that of the run, including its arrows."""
    result = learn("bootstrap", FEW, base="rai", n_resamples=12, share=share)
    edges = of_frequencies(result.extra, result.graph, share)
    assert edges.graph(edges.choice) == result.graph
    assert edges.graph(0).skeleton.sum() == (result.extra.adjacent > 0).sum()


def test_classes_are_counted_from_nested_samples():
    """The last count is that of all rows; a cancelled count keeps the sizes that are done."""
    seen = []

    def one(dataset, tick):
        seen.append(dataset.n)
        return learn("brai", dataset, tick=tick)

    sizes = sizes_up_to(FEW.n)
    assert sizes == (100, 150)
    counts = classes_by_rows(FEW, one, sizes)
    assert seen == [100, 150]
    assert counts[-1] == learn("brai", FEW).extra.n_classes(500)
    assert classes_by_rows(FEW, one, sizes, tick=lambda _phase, done, _total: done == 0) == counts[:1]


def test_best_route_through_an_item_is_the_best_of_those(run):
    """For each leaf no drawn route through it has a higher score; the best route of the root is the best of all."""
    tree = run.extra.tree
    by_item = tree.best_by_item()
    routes = {one.leaves: one.score for one in ranked_routes(tree)}
    assert by_item[0] == pytest.approx(max(routes.values()))
    scores, samples = tree.sample(300, gamma=np.inf, seed=1)
    for item in range(len(tree)):
        score, leaves = tree.best(item)
        assert score == pytest.approx(by_item[item])
        assert sorted(np.concatenate([tree.leaf(leaf).nodes for leaf in leaves]).tolist()) == list(range(8))
        if not tree.slots(item):
            assert item in leaves
            through = [s for s, drawn in zip(scores, samples, strict=True) if item in drawn]
            assert max(through, default=-np.inf) <= score + 1e-9


def test_draws_count_equal_graphs_once(run):
    """Counts sum to the number of draws; at temperature 0 every draw is the best graph."""
    drawn = draw(run.extra, 30, gamma=5.0, seed=2)
    assert drawn.n == 30
    times = np.bincount(drawn.which).tolist()
    assert times == sorted(times, reverse=True)
    assert len(set(drawn.graphs)) == len(drawn.graphs)
    assert draw(run.extra, 5, gamma=0.0).graphs == (run.graph,)
