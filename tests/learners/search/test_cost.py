"""Tests of estimates of running times."""

from __future__ import annotations

import math

import pytest

from learners import random_gaussian_network
from learners import sample as draw
from learners.independence.g2 import G2
from learners.scores.selection import score_for
from learners.search import cost
from tests.learners.test_registry import sample


@pytest.mark.parametrize("ticks", [0, 1])
def test_a_probe_that_ends_before_its_first_test_has_a_time_all_the_same(monkeypatch, ticks):
    def soon():
        left = [ticks]

        def tick(*_said: object) -> bool:
            left[0] -= 1
            return left[0] >= 0

        return tick

    monkeypatch.setattr(cost, "deadline_tick", soon)
    actual = cost.cost_of_tests(G2(sample("categorical", p=8, n=60)), max_cond_size=1)
    assert 0 < actual < math.inf


def numbers(p: int, edges: int):
    return score_for(draw(random_gaussian_network(p, edges, seed=7), 1_000, seed=7))


@pytest.mark.parametrize("restarts", [None, 5])
def test_a_search_over_orders_of_numbers_is_estimated_by_what_gains(monkeypatch, restarts):
    """Of tables with as many columns, one whose variables gain from more others takes longer."""
    monkeypatch.setattr(cost, "seconds_of_score", lambda _score: 1e-7)
    sparse, dense = (cost.cost_of_boss(numbers(30, edges), restarts=restarts) for edges in (15, 90))
    assert 0.0 < sparse < dense
    monkeypatch.setattr(cost, "seconds_of_score", lambda _score: 2e-7)
    assert cost.cost_of_boss(numbers(30, 15), restarts=restarts) == pytest.approx(2.0 * sparse)


def test_variables_that_gain_are_counted_by_their_scores():
    """A variable gains from another one if its score is higher with it: alone, or given all others."""
    score = numbers(8, 8)
    pairs = [(i, j) for j in range(score.p) for i in range(score.p) if i != j]
    rest = {(i, j): [k for k in range(score.p) if k not in (i, j)] for i, j in pairs}
    alone = sum(score.local(j, [i]) > score.local(j, []) for i, j in pairs) / score.p
    given_rest = sum(score.local(j, [*rest[i, j], i]) > score.local(j, rest[i, j]) for i, j in pairs) / score.p
    assert cost.mean_gaining(score.sample) == pytest.approx((alone, given_rest))
    few_rows = score.sample._replace(n=4)
    assert len(set(cost.mean_gaining(few_rows))) == 1


@pytest.mark.parametrize("restarts", [None, 5])
def test_other_searches_over_orders_keep_their_estimate(monkeypatch, restarts):
    monkeypatch.setattr(cost, "seconds_of_search", lambda _score, **_further: 0.01)
    score = score_for(sample("categorical", p=8, n=60))
    assert cost.cost_of_boss(score, restarts=restarts) == cost.cost_of_orders(score, restarts=restarts)
