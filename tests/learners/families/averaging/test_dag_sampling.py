"""Tests of sums over orders and of chains of DAGs, against full enumeration and the exact best classes."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from learners import BDeu, DataError, ParameterError
from learners.evaluation.posterior import Posterior
from learners.families.averaging.best_classes import best_classes, local_scores
from learners.families.averaging.dag_sampling import order_posterior, sample_dags
from learners.graphs.graph import PDAG
from learners.kernels.averaging.order_sums import among_all, among_others, log_add, sum_subsets, sum_supersets
from learners.kernels.averaging.parent_sets import name_masks
from tests import naive
from tests.learners.families.averaging.test_best_classes import data_of
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


@pytest.mark.deep
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
    with pytest.raises(DataError, match="at most 24 columns, found 37"):
        order_posterior(BDeu(reference_sample("alarm_n2000")))
    with pytest.raises(ParameterError, match="leap"):
        sample_dags(order_posterior(BDeu(data_of(3, 40, 0))), 10, leap=1.0)


@pytest.mark.parametrize("apart", [0.0, 1.0, 29.0, 39.0, 40.0, 41.0, 700.0, np.inf])
def test_sums_of_logarithms_lose_no_digit(apart):
    """Terms that are left out as negligible change no digit, also next to powers of two and to 0."""
    for a in (-5_000.5, -1_024.0, -2.0, -1.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 1.0, 2.0, 1_024.0, 5_000.5):
        b = a - apart
        expected = a + math.log1p(math.exp(b - a))
        assert log_add(a, b) == log_add(b, a) == expected


def test_sums_run_over_subsets_and_supersets():
    """Each entry becomes the sum over the subsets of its mask, and each small one that over its supersets."""
    row = np.random.default_rng(4).normal(size=32)
    below, above = row.copy(), {most: row.copy() for most in range(6)}
    sum_subsets(below)
    for most, sums in above.items():
        sum_supersets(sums, most)
    for mask in range(32):
        inside = [other for other in range(32) if other & mask == other]
        around = [other for other in range(32) if other & mask == mask]
        assert below[mask] == pytest.approx(np.log(np.exp(row[inside]).sum()))
        for most in range(mask.bit_count(), 6):
            assert above[most][mask] == above[5][mask] == pytest.approx(np.log(np.exp(row[around]).sum()))


def test_masks_without_a_node_have_one_place_less():
    """The masks of the nodes other than j are numbered without gaps, and found again."""
    for j in range(5):
        masks = [mask for mask in range(32) if not mask >> j & 1]
        assert [among_others(mask, j) for mask in masks] == list(range(16))
        assert [among_all(others, j) for others in range(16)] == masks


def test_masks_of_candidates_become_masks_of_variables():
    """Rows keep their sums, also where a variable is no candidate and candidates are not ascending."""
    rng, position = np.random.default_rng(5), np.array([2, -1, 0, -1, 1])
    table, named = rng.normal(size=8), np.empty(32)
    name_masks(position, table, np.empty(32, dtype=np.int64), named)
    for mask in range(32):
        members = [i for i in range(5) if mask >> i & 1]
        assert named[mask] == table[sum(1 << int(position[i]) for i in members if position[i] >= 0)]
