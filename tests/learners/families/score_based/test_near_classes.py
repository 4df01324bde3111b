"""Tests of the automatic number of restarts of BOSS, and of classes that score nearly as well as its result."""

import numpy as np
import pytest

from learners import (
    BDeu,
    Dataset,
    GaussianBIC,
    boss,
    consistent_extension,
    learn,
    load_sample,
    random_gaussian_network,
    sample,
)
from learners.explaining.explanation import explanation
from learners.results.directions import Support
from learners.search import order_search as orders
from learners.search.order_search import MAX_RESTARTS, NEAR, RETURNS, order_search


def score_of(seed: int, p: int = 12) -> GaussianBIC:
    return GaussianBIC(sample(random_gaussian_network(p, 3 * p, seed), 300, seed=seed))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("seed", range(6))
def test_automatic_restarts_end_when_the_best_score_keeps_coming_up(seed):
    """The run equals one with the same fixed number of restarts, and scores at least as high as one with fewer."""
    found = order_search(score_of(seed), restarts=None, seed=seed)
    assert RETURNS - 1 <= found.n_restarts <= MAX_RESTARTS
    same = order_search(score_of(seed), restarts=found.n_restarts, seed=seed)
    assert (same.dag, same.score) == (found.dag, found.score)
    assert found.score >= order_search(score_of(seed), restarts=5, seed=seed).score
    assert boss(score_of(seed), seed=seed).extra.restarts == found.n_restarts


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("seed", range(6))
def test_near_classes_are_different_and_score_as_they_say(seed):
    """The first class is the result; each gap is the difference between the scores of its DAG and of the result."""
    score = score_of(seed)
    result = boss(score, seed=seed)
    near = result.extra.near
    assert near[0].graph == result.graph
    assert len({one.graph for one in near}) == len(near)
    gaps = [one.gap for one in near]
    assert gaps == sorted(gaps)
    assert gaps[0] == 0.0
    assert gaps[-1] <= NEAR
    for one in near:
        dag = consistent_extension(one.graph).dag
        assert score.network(dag) == pytest.approx(result.score - one.gap, abs=1e-6)


def near_tie(seed: int) -> Dataset:
    """Return a small sample of eight weakly dependent columns, which several classes fit nearly equally well."""
    rng = np.random.default_rng(seed)
    codes = (rng.random((8, 60)) < 0.5).astype(int)
    for j in range(1, 8):
        codes[j] = np.where(rng.random(60) < 0.4, codes[rng.integers(j)], codes[j])
    return Dataset.from_codes(codes, [2] * 8, [f"v{k}" for k in range(8)])


@pytest.mark.deep
def test_pairs_in_which_near_classes_differ_get_a_caveat():
    """Pairs whose marks differ between near classes get a caveat, whose counts refer to these classes and add up."""
    differing = 0
    for seed in range(12):
        data = near_tie(seed)
        result = learn("boss", data, edge_penalty=0.0, seed=seed)
        for x in range(data.p):
            for y in range(x):
                marks = result.extra.marks(x, y)
                assert marks.total() == len(result.extra.near)
                said = [
                    line for line in explanation(result, (x, y), data).written() if "within 3 nats of the best" in line
                ]
                assert len(said) == (len(marks) > 1)
                differing += len(marks) > 1
                if marks["none"] and said:
                    assert f"This edge is in {marks.total() - marks['none']} of them." in said[0]
    assert differing


def test_near_classes_follow_the_columns():
    data = load_sample("asia").dataset
    order = list(range(data.p))[::-1]
    one, other = learn("boss", data).extra, learn("boss", data.reordered(order)).extra
    assert [near.gap for near in one.near] == pytest.approx([near.gap for near in other.near])
    for first, second in zip(one.near, other.near, strict=True):
        np.testing.assert_array_equal(first.graph.amat[np.ix_(order, order)], second.graph.amat)


def test_a_cancelled_search_has_its_graph_as_the_only_class():
    result = boss(BDeu(load_sample("asia").dataset), tick=lambda *_: False)
    assert not result.complete
    assert [one.graph for one in result.extra.near] == [result.graph]


@pytest.mark.deep
def test_no_direction_in_which_near_classes_differ_is_strongly_supported():
    """A direction that differs between near classes is marked as such and never strongly supported."""
    differing = 0
    for seed in range(12):
        data = near_tie(seed)
        result = learn("boss", data, edge_penalty=0.0, seed=seed)
        for (i, j), direction in result.directions.items():
            marks = set(result.extra.marks(i, j)) - {"none"}
            assert direction.near_differ == (len(marks) > 1)
            assert not (direction.near_differ and direction.support is Support.CLEAR)
            differing += direction.near_differ
    assert differing


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("most", [0, 1, 20_000])
def test_automatic_restarts_end_after_a_fixed_amount_of_work(monkeypatch, most):
    """No restart begins once the restarts have computed the maximum number of scores; the result is the best so far."""
    monkeypatch.setattr(orders, "most_restart_work", lambda _: most)
    found = order_search(score_of(3), restarts=None, seed=3)
    begun = order_search(score_of(3), restarts=max(found.n_restarts - 1, 0), seed=3)
    first = order_search(score_of(3), restarts=0, seed=3)
    assert found.n_restarts == 0 if most == 0 else begun.n_scores - first.n_scores < most
    assert found.n_restarts < order_search(score_of(3), restarts=40, seed=3).n_restarts
    assert found.score >= first.score


def test_work_of_restarts_counts_the_rows_of_tables():
    """Twice the rows allow half of the scores; numbers are scored from correlations, whatever the rows."""
    short, long = (BDeu(load_sample("asia").dataset.take(range(n))) for n in (500, 1000))
    assert orders.most_restart_work(short) == 2 * orders.most_restart_work(long)
    assert orders.most_restart_work(score_of(0)) == orders.MAX_GAUSSIAN_SCORES
