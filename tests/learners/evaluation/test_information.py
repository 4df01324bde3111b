"""Tests of the mutual information of two variables in bits per row, for all column types."""

import pickle

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from learners import Dataset, learn
from learners.evaluation.information import mutual_information_bits

N = 4_000


def table(n=N, seed=0):
    """Draw a table with x -> y, x -> level, level - other, and a constant."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = 0.8 * x + 0.6 * rng.normal(size=n)
    level = (x > 0).astype(int)
    other = np.where(rng.random(n) < 0.9, level, 1 - level)
    codes = Dataset.from_codes([level, other, np.zeros(n, dtype=int)], [2, 3, 1], ["level", "other", "flat"])
    return Dataset.joined(["x", "y", "level", "other", "flat"], codes, Dataset.from_values(np.c_[x, y], ["x", "y"]))


def test_numbers_share_what_their_correlation_says():
    """Numbers share -½ log2(1 - r²) bits, corrected for chance; units do not matter."""
    data = table()
    r = np.corrcoef(data.values.T)[0, 1]
    expected = -0.5 * np.log2(1 - r**2) - 1 / (2 * N * np.log(2))
    assert mutual_information_bits(data, 0, 1) == pytest.approx(expected)
    huge = Dataset.from_values(data.values * [1e-200, 1e200], ["x", "y"])
    assert mutual_information_bits(huge, 1, 0) == pytest.approx(expected)


def test_levels_share_what_their_counts_say():
    """Levels share G² / (2 n ln 2) bits, corrected for chance. A level that never occurs changes nothing."""
    data = table()
    counts = np.zeros((2, 2))
    np.add.at(counts, tuple(data.codes[:2].astype(int)), 1)
    g2 = chi2_contingency(counts, lambda_="log-likelihood", correction=False)[0]
    assert mutual_information_bits(data, 2, 3) == pytest.approx((g2 - 1) / (2 * N * np.log(2)))


def test_a_number_and_a_level_share_what_the_means_explain():
    """A number that is cut at its mean explains 2 / π of the variance."""
    assert mutual_information_bits(table(), 0, 2) == pytest.approx(-0.5 * np.log2(1 - 2 / np.pi), abs=0.02)


def test_a_constant_shares_nothing_and_a_copy_much():
    """Constants and copies give finite values without warnings."""
    data = table()
    assert [mutual_information_bits(data, k, 4) for k in range(4)] == [0.0] * 4
    copy = Dataset.from_values(np.c_[data.values[:, 0], data.values[:, 0]], ["a", "b"])
    assert 15 < mutual_information_bits(copy, 0, 1) < 25


def test_chance_adds_nothing_on_average():
    """The information of unrelated mixed columns is close to 0 on average."""
    loose = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        codes = Dataset.from_codes(rng.integers(0, 3, (1, 60)), [3], ["a"])
        data = Dataset.joined(["a", "b"], codes, Dataset.from_values(rng.normal(size=(60, 1)), ["b"]))
        loose.append(mutual_information_bits(data, 0, 1))
    assert np.mean(loose) < 0.012  # 0.024 without the correction (df / (2 n ln 2))


def test_rows_that_lack_one_are_left_out():
    """Rows with a missing value of the pair do not count."""
    data = table(500)
    values = data.values.copy()
    values[:100, 0] = np.nan
    numbers = Dataset.from_values(values, ["x", "y"])
    assert mutual_information_bits(numbers, 0, 1) == pytest.approx(
        mutual_information_bits(numbers.take(range(100, 500)), 0, 1)
    )


def test_a_result_measures_what_it_is_asked_and_takes_it_along():
    """A result measures any pair in either order, and keeps measured pairs when it is pickled without its data."""
    data = table(500)
    result = learn("pc", data)
    bits = result.information(1, 0)
    assert bits == mutual_information_bits(data, 0, 1) == result.information(0, 1)
    again = pickle.loads(pickle.dumps(result)).information
    assert again(0, 1) == bits
    assert np.isnan(again(0, 4))
