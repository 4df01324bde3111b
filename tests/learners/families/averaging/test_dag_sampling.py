"""Tests of sums over orders and of chains of DAGs, against full enumeration and the exact best classes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from learners import BDeu, DataError, ParameterError
from learners.evaluation.posterior import Posterior
from learners.families.averaging.dag_sampling import order_posterior, sample_dags
from learners.families.averaging.exact import best_classes, local_scores
from learners.graphs.graph import PDAG
from tests import naive
from tests.learners.families.averaging.test_exact import data_of
from tests.references import dataset as reference_sample


@pytest.mark.parametrize("p", [2, 3, 4])
def test_order_posterior_is_that_of_all_orders_and_dags(p):
    """The posterior equals the sum over all DAGs, each weighted by its score and its number of orders."""
    score = BDeu(data_of(p, 60, 3))
    dags = list(naive.all_dags(p))
    orders = [sum(not np.tril(dag[np.ix_(o, o)]).any() for o in permutations(range(p))) for dag in dags]
    weights = np.array([score.network(PDAG(dag)) for dag in dags])
    weights = np.exp(weights - weights.max()) * np.array(orders)
    expected = np.tensordot(weights / weights.sum(), np.array(dags, dtype=float), axes=1)
    np.testing.assert_allclose(order_posterior(score).directed, expected, atol=1e-12)


def test_order_posterior_keeps_to_the_limit_on_parents():
    """The limit on parents holds for any number of threads and for the local scores."""
    score = BDeu(data_of(5, 80, 0))
    one = order_posterior(score, max_parents=1, threads=1)
    np.testing.assert_array_equal(one.directed, order_posterior(score, max_parents=1, threads=3).directed)
    assert one.directed.sum(axis=0).max() <= 1.0 + 1e-12
    np.testing.assert_array_equal(one.local, local_scores(score, 1))


@pytest.mark.parametrize("leap", [0.02, 0.3])
def test_chain_visits_dags_as_often_as_they_are_likely(leap):
    """For four variables the frequencies of edges in the chain match the probabilities of all 543 DAGs."""
    score = BDeu(data_of(4, 60, 1))
    dags = [PDAG(dag) for dag in naive.all_dags(4)]
    weights = np.array([score.network(dag) for dag in dags])
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    expected = np.tensordot(weights, np.array([dag.amat for dag in dags], dtype=float), axes=1)
    found = sample_dags(order_posterior(score), 8_000, thin=10, burn_in=500, leap=leap, seed=2)
    np.testing.assert_allclose(found.directed, expected, atol=0.03)
    np.testing.assert_allclose(found.adjacent, expected + expected.T, atol=0.03)
    assert found.parents.shape == (8_000, 4)
    assert found.n_leaps == pytest.approx(leap * 80_500, rel=0.2)
    assert 0.0 < found.leaps_taken <= 1.0


@pytest.mark.compiled
def test_chain_agrees_with_the_exact_classes_in_every_feature():
    """For six variables all features agree with the best thousand classes, which have nearly all of the weight."""
    score = BDeu(data_of(6, 300, 4))
    exact = Posterior(best_classes(score, 1_000))
    assert exact.shares[-1] < 1e-4
    found = sample_dags(order_posterior(score), 20_000, leap=0.3, seed=1)
    for name in ("directed", "adjacent", "blanket"):
        np.testing.assert_allclose(getattr(found, name), getattr(exact, name), atol=0.05)
    np.testing.assert_allclose(found.paths, exact.paths(), atol=0.05)


def test_chain_repeats_itself():
    """The same seed gives the same chain, another seed another chain."""
    posterior = order_posterior(BDeu(data_of(5, 60, 0)))
    one, again, other = (sample_dags(posterior, 50, thin=5, burn_in=100, seed=seed).parents for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_limits_are_reported():
    """Too many columns and a leap probability of 1 give clear error messages."""
    with pytest.raises(DataError, match="at most 20 columns, found 37"):
        order_posterior(BDeu(reference_sample("alarm_n2000")))
    with pytest.raises(ParameterError, match="leap"):
        sample_dags(order_posterior(BDeu(data_of(3, 40, 0))), 10, leap=1.0)
