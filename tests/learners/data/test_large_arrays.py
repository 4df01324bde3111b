"""Tests that large arrays are read in blocks of rows, and that read-only arrays are shared and not copied."""

from __future__ import annotations

import numpy as np
import pytest

from learners.common import mapped_arrays
from learners.data import columns, embedding, row_weights
from learners.data.dataset import Dataset
from learners.data.resampling import rows_in_runs
from learners.evaluation import information
from learners.scores import gaussian_bic


def table(n: int = 700, p: int = 4) -> np.ndarray:
    """Return correlated numbers in very different units and a constant column."""
    random = np.random.default_rng(3)
    values = random.normal(size=(n, p)).cumsum(axis=1) * 10.0 ** np.array([-160, 0, 3, 150]) + [0, 5e3, 0, 0]
    return np.column_stack([values, np.full(n, 7.0)])


@pytest.mark.parametrize("weighted", [False, True])
def test_correlations_of_a_large_array_are_those_of_a_small_one(monkeypatch, weighted):
    """Correlations computed in blocks equal those of a small array up to rounding, in any order of the columns."""
    values, shares = table(), np.random.default_rng(5).random(700) if weighted else None
    expected = columns.correlation_of(values, shares)
    monkeypatch.setattr(columns, "MAX_COPIED_BYTES", 0)
    monkeypatch.setattr(columns, "BLOCK_ROWS", 64)
    np.testing.assert_allclose(columns.correlation_of(values, shares), expected, rtol=0, atol=1e-13)
    order = [3, 0, 4, 1, 2]
    turned = columns.correlation_of(values, shares, order)
    np.testing.assert_allclose(turned, expected[np.ix_(order, order)], rtol=0, atol=1e-13)


@pytest.mark.parametrize("size", [1.0, 1e-300, 1e-310, 1e-320, 1e307])
def test_products_with_powers_of_two_are_those_of_ldexp(size):
    """Columns of any size are scaled to the last bit as `np.ldexp` scales them."""
    values = table()[:, :1] / 1e-160 * size * [1.0, 1e-3, 0.0]
    exponent = -np.frexp(np.abs(values).max(axis=0))[1]
    np.testing.assert_array_equal(columns._times_power(values, exponent), np.ldexp(values, exponent))


@pytest.mark.parametrize("weighted", [False, True])
def test_variances_of_a_large_array_are_those_of_a_small_one(monkeypatch, weighted):
    """Variances computed in blocks equal those of a small array up to rounding."""
    values, shares = table(), np.random.default_rng(5).random(700) if weighted else None
    expected = gaussian_bic._log_variance(values, shares)
    monkeypatch.setattr(gaussian_bic, "MAX_COPIED_BYTES", 0)
    monkeypatch.setattr(gaussian_bic, "BLOCK_ROWS", 64)
    np.testing.assert_allclose(gaussian_bic._log_variance(values, shares), expected, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_information_of_a_large_array_is_that_of_a_small_one(monkeypatch, weighted):
    """Information computed in blocks equals that of a small array up to rounding, also for a constant column."""
    data = Dataset.from_values(table(), list("abcde"))
    if weighted:
        data = data.with_weights(np.random.default_rng(5).random(700))
    expected = [information.mutual_information_bits(data, x, y) for x, y in ((0, 1), (2, 3), (1, 4))]
    monkeypatch.setattr(information, "MAX_COPIED_BYTES", 0)
    found = [information.mutual_information_bits(data, x, y) for x, y in ((0, 1), (2, 3), (1, 4))]
    assert expected[0] > 0.0 == expected[2]
    assert found == pytest.approx(expected, rel=1e-9)


def test_only_arrays_that_nobody_can_change_are_shared():
    """Only arrays that nobody can change are shared; a view of a writeable array is copied."""
    values = np.random.default_rng(0).normal(size=(20, 3))
    view = values[:]
    view.flags.writeable = False
    data = Dataset.from_values(view, ["a", "b", "c"])
    assert data.values is not view
    values[0, 0] = 99.0
    assert data.values[0, 0] != 99.0
    values.flags.writeable = False
    assert Dataset.from_values(values, ["a", "b", "c"]).values is values
    assert Dataset.from_values(values[:, :2], ["a", "b"]).values.flags.c_contiguous


def test_missing_numbers_are_counted_in_blocks(monkeypatch):
    """Missing numbers counted in blocks equal those counted at once, also in mixed data."""
    monkeypatch.setattr(columns, "BLOCK_ROWS", 8)
    values = np.where(np.random.default_rng(1).random((50, 3)) < 0.2, np.nan, 1.0)
    assert columns.missing_in(values).tolist() == np.isnan(values).sum(axis=0).tolist()
    codes = Dataset.from_codes(np.array([[0, -1, 1, -1, 0]]), [2], ["c"])
    numbers = Dataset.from_values(np.array([[1.0], [np.nan], [2.0], [3.0], [4.0]]), ["x"])
    assert Dataset.joined(["x", "c"], codes, numbers).n_missing.tolist() == [1, 2]


@pytest.mark.parametrize(("n", "most"), [(10, 20), (10_001, 4_000), (5_000, 300), (4_001, 4_000)])
def test_runs_of_rows_cover_the_table(n, most):
    """The runs are in ascending order and include both ends; most rows keep a neighbour."""
    rows = rows_in_runs(n, most)
    assert len(rows) <= most
    assert (rows[0], np.all(np.diff(rows) > 0)) == (0, True)
    assert n <= most or most < 2_000 or rows[-1] == n - 1
    assert (np.diff(rows) == 1).mean() > 0.99 or n <= 10


@pytest.mark.parametrize("weighted", [False, True])
def test_embedded_columns_made_in_blocks_are_those_made_at_once(monkeypatch, weighted):
    """Large mixed data are embedded in blocks of rows, and their correlations are equal, to the last digit."""
    random = np.random.default_rng(8)
    levels = Dataset.from_codes(random.integers(0, 3, (3, 700)), [3, 4, 3], ["b", "h", "f"])
    data = Dataset.joined(list("hcbadfeg"), levels, Dataset.from_values(table(), list("acdeg")))
    if weighted:
        data = data.with_weights(random.random(700) + 0.1)
    monkeypatch.setattr(columns, "MAX_COPIED_BYTES", 0)
    monkeypatch.setattr(columns, "BLOCK_ROWS", 64)
    expected = embedding._build(data)
    monkeypatch.setattr(embedding, "MAX_COPIED_BYTES", 0)
    monkeypatch.setattr(embedding, "embedded_columns", None)
    found = embedding._build(data)
    np.testing.assert_array_equal(found.first, expected.first)
    np.testing.assert_array_equal(found.corr, expected.corr)


def test_distinct_rows_found_in_blocks_are_those_found_at_once(monkeypatch):
    """Blocks give the first of each group of equal rows and their number, as one pass over all rows does."""
    codes = np.random.default_rng(6).integers(0, 3, (3, 700)).astype(np.uint8)
    expected = np.unique(codes, axis=1, return_index=True, return_counts=True)[1:]
    for module in (mapped_arrays, row_weights):
        monkeypatch.setattr(module, "BLOCK_ROWS", 64)
    first, counts = row_weights.distinct_rows(codes, np.array([3, 3, 3]), None)
    np.testing.assert_array_equal(first, np.sort(expected[0]))
    np.testing.assert_array_equal(counts, expected[1][np.argsort(expected[0])])
