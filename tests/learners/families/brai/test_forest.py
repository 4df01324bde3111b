"""Tests of averaging over several trees that start from resamples."""

from __future__ import annotations

import numpy as np
import pytest

from learners import G2, BDeu, load_network, sample
from learners.evaluation.frequencies import wilson
from learners.evaluation.posterior import Posterior
from learners.families.brai.brai import brai
from learners.graphs.cpdag import cpdag

DATA = sample(load_network("asia"), 500, seed=7_301)


def run(**settings):
    return brai(G2(DATA, dof="plain"), BDeu(DATA), **settings)


def test_first_tree_is_the_published_one():
    """Graph, score, tree and trace of the first tree do not depend on the number of roots."""
    one, many = run(roots=1), run(roots=4)
    assert one.graph == many.graph
    assert one.score == many.score
    assert np.array_equal(one.extra.tree.edges, many.extra.tree.edges)
    assert len(one.trace) == len(many.trace)
    assert (one.extra.n_draws, many.extra.n_draws) == (1, 4)


def test_probability_is_the_mean_of_the_trees():
    """Probabilities of edges, directions, blankets and v-structures are means over the trees."""
    extra = run(roots=5).extra
    whole, each = extra.posterior(), extra.posteriors()
    assert len(each) == 5
    for feature in ("adjacent", "directed", "blanket"):
        mean = np.mean([getattr(one, feature) for one in each], axis=0)
        assert np.allclose(getattr(whole, feature), mean)
    assert whole.shares.sum() == pytest.approx(1.0)
    triples = {triple for one in each for triple in one.v_structures}
    assert set(whole.v_structures) == triples
    assert all(
        whole.v_structures[triple] == pytest.approx(np.mean([one.v_structures.get(triple, 0.0) for one in each]))
        for triple in triples
    )


def test_trees_differ_and_threads_do_not():
    """The roots use different rows; the number of threads does not change the result."""
    one, two = run(roots=4, threads=1), run(roots=4, threads=2)
    assert np.array_equal(one.strengths.values, two.strengths.values, equal_nan=True)
    assert len({tuple(tree.scores[tree.leaves].tolist()) for tree in one.extra.trees}) == 4


def test_without_resampling_there_is_one_tree():
    """Without resampling there is one tree, because all trees would be equal."""
    assert run(roots=4, resampling=False).extra.n_draws == 1


def test_cancelled_run_averages_what_is_done():
    """A run that is cancelled at the fourth root averages the finished trees."""
    seen = []

    def tick(phase, _done, _total):
        seen.append(phase)
        return "root 4" not in phase

    result = run(roots=8, tick=tick, threads=1)
    assert not result.complete
    assert 1 <= result.extra.n_draws < 8
    assert isinstance(result.extra.posterior(), Posterior)


@pytest.mark.deep
@pytest.mark.compiled
def test_roots_err_less_than_one():
    """On data that was not used for tuning, ten roots have a smaller squared error of edge probabilities than one."""
    network = load_network("child")
    true = cpdag(network.dag).skeleton
    errors = {1: 0.0, 10: 0.0}
    for seed in (7_311, 7_312):
        data = sample(network, 1_000, seed=seed)
        for roots in errors:
            found = brai(G2(data, dof="plain"), BDeu(data), roots=roots).extra.posterior().adjacent
            errors[roots] += float(((found - true) ** 2).sum())
    assert errors[10] < errors[1]


def test_limits_are_wilsons():
    """The limits are those of Wilson: at each of them the statistic of the score test has its critical value."""
    result = run(roots=10)
    low, high = result.strengths.limits
    p = result.strengths.values
    assert np.all(low <= p)
    assert np.all(p <= high)
    for share, n in ((0.0, 10), (0.3, 50), (1.0, 10)):
        for limit in wilson(np.array(share), n):
            if 0.0 < limit < 1.0 and limit != share:
                assert abs(share - limit) / np.sqrt(limit * (1 - limit) / n) == pytest.approx(1.959964, abs=1e-5)
