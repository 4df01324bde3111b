"""Tests of the estimated time of a search over MAGs."""

from __future__ import annotations

import numpy as np
import pytest

from learners.data.dataset import Dataset
from learners.families.latent import cost
from learners.networks.mixed_network import random_mixed_network
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS


def numbers(p: int, edges: int) -> Dataset:
    return sample(random_gaussian_network(p, edges, seed=3), 2_000, seed=3)


def test_a_chain_has_one_dependent_pair_for_each_edge():
    rng = np.random.default_rng(0)
    values = np.cumsum(rng.normal(size=(6, 4_000)), axis=0)  # each column is the one before it, with noise
    assert cost.n_dependent_pairs(Dataset.from_values(values.T, list("abcdef"))) == 5


@pytest.mark.parametrize("data", [numbers(10, 15), sample(random_mixed_network(9, 12, seed=3), 500, seed=3)])
def test_the_estimate_does_not_depend_on_the_order_of_the_columns(monkeypatch, data):
    monkeypatch.setattr(cost, "cost_of_orders", lambda *_a, **_k: 1.0)
    turned = data.reordered(tuple(range(data.p))[::-1])
    assert cost.n_dependent_pairs(data) == cost.n_dependent_pairs(turned)
    assert cost.cost_of_mags(data, None) == cost.cost_of_mags(turned, None)


def test_sparse_graphs_get_less_time_than_dense_ones(monkeypatch):
    monkeypatch.setattr(cost, "cost_of_orders", lambda *_a, **_k: 1.0)
    sparse, dense = (cost.cost_of_mags(numbers(30, edges), None) for edges in (35, 120))
    assert 0.05 < sparse < dense / 4


def test_the_form_estimates_a_table_with_missing_cells_and_columns_that_copy_others():
    values = sample(random_gaussian_network(5, 5, seed=3), 300, seed=3).values
    rows = np.column_stack([values, values[:, 0]])
    rows[::7, 1] = np.nan
    data = Dataset.from_values(rows, list("abcdef"))
    learner = LEARNERS["mag_search"]
    assert 0.0 < learner.estimate(data, **learner.checked(data.kind, {})) < np.inf
