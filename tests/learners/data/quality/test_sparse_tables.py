"""Tests of sparse contingency tables: Pearson's X² and the warning of a run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from learners import Dataset, learn
from learners.data.quality import sparse_tables
from learners.data.quality.sparse_tables import has_sparse_table, pairs_without_support


def independent(seed: int, arity: list[int], n: int, weights: np.ndarray | None = None) -> Dataset:
    """Return independent columns with `arity` levels."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, r, n) for r in arity])
    return Dataset.from_codes(codes, arity, [f"v{k}" for k in range(len(arity))], weights=weights)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_p_value_is_that_of_scipy(weighted, monkeypatch):
    """The p-value equals that of scipy; levels without rows do not count, and row weights do."""
    monkeypatch.setattr(sparse_tables, "ALPHA", 0.0)
    rng = np.random.default_rng(1)
    data = independent(1, [40, 9], 300, rng.integers(1, 3, 300) if weighted else None)
    weights = np.ones(300) if data.weights is None else data.weights
    table = np.zeros((40, 9))
    np.add.at(table, tuple(data.codes.astype(int)), weights)
    seen = table[table.any(axis=1)][:, table.any(axis=0)]
    expected = chi2_contingency(seen, correction=False)
    (pair,) = pairs_without_support(data, np.array([[0, 1]]))
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert pair.rows_per_cell == pytest.approx(weights.sum() / seen.size)


def test_only_sparse_tables_without_dependence_are_named():
    """A table is not named if it has five rows per cell or if X² finds a dependence."""
    data = independent(2, [3, 3, 60], 3000)
    copied = Dataset.from_codes(np.vstack([data.codes, data.codes[2:]]), [3, 3, 60, 60], list("abcd"))
    assert not pairs_without_support(copied, np.array([[0, 1], [2, 3]]))


@pytest.mark.parametrize("arity", [[3, 3, 60], [60], [2, 20, 30], [10, 60, 1]])
def test_pairs_are_judged_where_a_table_can_be_sparse(arity, monkeypatch):
    """`has_sparse_table` is True if and only if some pair of columns has less than five rows per cell."""
    monkeypatch.setattr(sparse_tables, "ALPHA", -1.0)  # names each sparse pair
    data = independent(4, arity, 2999)
    pairs = np.column_stack(np.triu_indices(len(arity), 1))
    assert has_sparse_table(data) == bool(pairs_without_support(data, pairs))


@pytest.mark.parametrize("learner", ["rai", "cimap", "pc_mi", "aracne"])
def test_a_run_says_which_edges_may_be_chance(learner):
    """On independent columns, one with 300 levels, each edge is confirmed by Pearson's X² or marked as doubtful."""
    data = independent(3, [4, 4, 4, 4, 300], 3000)
    result = learn(learner, data)
    edges = np.argwhere(np.triu(result.graph.skeleton))
    doubted = pairs_without_support(data, edges)
    assert len(edges)
    said = [warning for warning in result.warnings if "may be due to chance" in warning]
    assert len(said) == bool(doubted)
    if doubted:
        assert f"p = {doubted[0].p_value:.2f}" in said[0]
        assert ("more edge" in said[0]) == (len(doubted) > 1)
