"""Tests of tables whose missing cells are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from learners import (
    Dataset,
    random_dag,
    random_gaussian_network,
    random_mixed_network,
    sample,
)
from learners.completion.completed import with_completion
from learners.data.completed_data import drawn_tables
from learners.data.embedding import embedded_columns
from learners.networks.missing_cells import with_missing_cells
from learners.networks.random_networks import random_discrete_network


def of_kind(kind: str, n: int = 400) -> Dataset:
    network = {
        "continuous": random_gaussian_network(5, 6, seed=1),
        "mixed": random_mixed_network(5, 6, seed=1),
        "categorical": random_discrete_network(random_dag(5, 2.0, seed=1), seed=1),
    }[kind]
    return sample(network, n, seed=2)


def cells(data: Dataset) -> np.ndarray:
    """Return all cells as numbers, (p, n)."""
    return np.array([
        data.values[:, k] if kind == "continuous" else data.codes[k].astype(float)
        for k, kind in zip(data.place, data.kinds, strict=True)
    ])  # fmt: skip


@pytest.mark.parametrize("kind", ["continuous", "mixed", "categorical"])
def test_present_cells_stay_and_missing_ones_are_filled(kind):
    data = with_missing_cells(of_kind(kind), 0.3, "mcar", seed=3)
    there = np.array([data.is_there(j) for j in range(data.p)])
    tables = drawn_tables(with_completion(data))
    assert len(tables) == 10
    drawn = np.array([cells(table) for table in tables])
    assert all(table.complete and table.completion is None and table.copies == 1 for table in tables)
    assert (drawn[:, there] == cells(data)[there]).all()
    assert (drawn[:, ~there].std(axis=0) > 0).mean() > 0.3  # tables differ where cells are drawn
    if kind != "continuous":
        assert set(np.unique(tables[0].codes)) <= set(range(max(tables[0].arity)))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["continuous", "mixed", "categorical"])
def test_the_order_of_the_columns_changes_nothing(kind):
    data = with_missing_cells(of_kind(kind, 150), 0.2, "mar", seed=3)
    order = [3, 1, 4, 0, 2]
    one = drawn_tables(with_completion(data, seed=1))[1]
    other = drawn_tables(with_completion(data.reordered(order), seed=1))[1]
    np.testing.assert_array_equal(cells(one)[order], cells(other))
    assert (cells(drawn_tables(with_completion(data, seed=2))[1]) != cells(one)).any()


def test_complete_tables_and_available_cells_draw_nothing():
    data = of_kind("continuous", 50)
    assert drawn_tables(with_completion(data)) == ()
    assert drawn_tables(with_missing_cells(data, 0.1, seed=1)) == ()


@pytest.mark.parametrize("kind", ["continuous", "mixed"])
def test_means_and_correlations_are_those_of_the_complete_table(kind):
    """Draws given the other columns remove the bias of observed cells whose missingness depends on them."""
    whole = of_kind(kind, 2_000)
    data = with_missing_cells(whole, 0.3, "mar", seed=4)
    tables = drawn_tables(with_completion(data))
    mean = np.mean([cells(table).mean(axis=1) for table in tables], axis=0)
    spread = cells(whole).std(axis=1)
    there = np.array([data.is_there(j) for j in range(data.p)])
    present = np.array([own[seen].mean() for own, seen in zip(cells(data), there, strict=True)])
    off = np.abs(mean - cells(whole).mean(axis=1)) / spread
    assert off.max() < 0.05  # three standard errors of the drawn cells are about .05
    assert (np.abs(present - cells(whole).mean(axis=1)) / spread).max() > 2 * off.max()
    if kind == "continuous":
        found = np.mean([np.corrcoef(cells(table)) for table in tables], axis=0)
        assert np.abs(found - np.corrcoef(cells(whole))).max() < 0.06


def test_draws_follow_the_conditional_distribution():
    """With correlation .8, cells given the other column have slope .8 and standard deviation .6."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(4_000)
    y = 0.8 * x + 0.6 * rng.standard_normal(4_000)
    hidden = rng.random(4_000) < 0.5
    data = Dataset.from_values(np.column_stack([x, np.where(hidden, np.nan, y)]), ["x", "y"])
    table = drawn_tables(with_completion(data))[0]
    slope, intercept = np.polyfit(x[hidden], table.values[hidden, 1], 1)
    assert slope == pytest.approx(0.8, abs=0.05)
    assert intercept == pytest.approx(0.0, abs=0.05)
    assert np.std(table.values[hidden, 1] - slope * x[hidden]) == pytest.approx(0.6, abs=0.04)


def test_odd_tables_are_filled():
    """A constant column stays constant, a row without cells is filled, and rows may be grouped by subject."""
    values = np.random.default_rng(0).standard_normal((60, 3))
    values[:, 2] = 4.0
    values[[3, 5], [2, 0]] = np.nan
    values[7] = np.nan
    data = Dataset.from_values(values, ["a", "b", "c"]).with_groups(np.repeat(np.arange(20), 3))
    table = drawn_tables(with_completion(data))[0]
    assert table.complete
    assert (table.values[:, 2] == 4.0).all()
    assert embedded_columns(table)[0].shape == (60, 2)
