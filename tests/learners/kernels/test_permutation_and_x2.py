"""Kernels of resampled tests on variables with many levels, whose codes are stored in one byte."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from learners.kernels.ci.permutation_and_x2 import cell_sum, pearson_x2, shrunk_information


@pytest.fixture
def wide() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the codes of two variables with 60 and 40 levels in 300 rows, and their table."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 60, 300).astype(np.uint8), rng.integers(0, 40, 300).astype(np.uint8)
    table = np.zeros((60, 40))
    np.add.at(table, (a, b), 1.0)
    return a, b, table


def test_x2_of_many_levels(wide):
    a, b, table = wide
    shown = table[table.any(axis=1)][:, table.any(axis=0)]
    expected = chi2_contingency(shown, correction=False)
    statistic = pearson_x2(a, b, 60, 40, np.array([0, 300]), np.ones(300, dtype=np.int64))
    assert statistic == pytest.approx(expected.statistic * (1 - 1 / 300))


def test_sum_over_cells_of_many_levels(wide):
    a, b, table = wide
    xlogx = np.array([0.0, *(k * np.log(k) for k in range(1, 301))])
    scratch = np.zeros(60 * 40, dtype=np.int64)
    assert cell_sum(a, b, 60, 40, np.array([0, 300]), xlogx, scratch) == pytest.approx(xlogx[table.astype(int)].sum())


def test_shrunk_information_does_not_depend_on_which_of_the_two_comes_first(wide):
    a, b, _ = wide
    begin, weights = np.array([0, 300]), np.ones(300, dtype=np.int64)
    one = shrunk_information(a, b, 60, 40, begin, weights, 2_400)
    assert one == pytest.approx(shrunk_information(b, a, 40, 60, begin, weights, 2_400))
