"""Tests of the mutual information of two variables in bits per row, for all column types."""

import pickle

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from learners import Dataset, learn
from learners.evaluation.information import conditional_information_bits, mutual_information_bits
from learners.explaining.explanation import explanation
from learners.io.samples import load_sample

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
    """The level of a number cut at its mean explains 2 / π of its variance, which gives the shared information."""
    assert mutual_information_bits(table(), 0, 2) == pytest.approx(-0.5 * np.log2(1 - 2 / np.pi), abs=0.02)


def test_a_constant_shares_nothing_and_a_copy_much():
    """Constants share no information and copies much; both values are finite and raise no warning."""
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
    """Rows with a missing value in either column do not count."""
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


def test_information_given_others_is_that_within_their_groups():
    """The ends of a chain share no information given its middle; given an unrelated column nothing changes."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=N)
    y = x + rng.normal(size=N)
    z = y + rng.normal(size=N)
    cut = [(column > 0).astype(int) for column in (x, y, z)]
    numbers = Dataset.from_values(np.c_[x, y, z, rng.normal(size=N)], list("abcd"))
    levels = Dataset.from_codes([*cut, rng.integers(0, 2, N)], [2] * 4, list("efgh"))
    data = Dataset.joined(list("abcdefgh"), numbers, levels)
    partial = np.linalg.inv(np.corrcoef([x, y, z]))
    r = -partial[0, 1] / np.sqrt(partial[0, 0] * partial[1, 1])
    expected = -0.5 * np.log2(1 - r**2) - 1 / (2 * N * np.log(2))
    assert conditional_information_bits(data, 0, 1, [2]) == pytest.approx(expected)
    assert conditional_information_bits(data, 0, 2, [1]) < 0.002
    assert conditional_information_bits(data, 4, 0, [1]) > 0.02
    assert conditional_information_bits(data, 4, 2, [1]) < 0.002
    for ends, other in (((0, 2), 3), ((0, 2), 7), ((4, 6), 7), ((0, 6), 7)):
        marginal = mutual_information_bits(data, *ends)
        assert conditional_information_bits(data, *ends, [other]) == pytest.approx(marginal, abs=0.003)
    assert np.isnan(conditional_information_bits(data, 4, 6, [1]))


def test_information_of_levels_given_levels_is_a_sum_over_groups():
    """Information of levels given levels is computed from the sums of G² and degrees of freedom over the groups."""
    data = load_sample("asia").dataset.select([0, 1, 2, 3, 4, 5, 6, 7])
    x, y, z = 1, 3, 5
    g2 = dof = 0.0
    for level in range(2):
        rows = data.codes[z] == level
        counts = np.zeros((2, 2))
        np.add.at(counts, (data.codes[x][rows].astype(int), data.codes[y][rows].astype(int)), 1)
        if (counts.sum(axis=0) > 0).all() and (counts.sum(axis=1) > 0).all():
            g2 += chi2_contingency(counts, lambda_="log-likelihood", correction=False)[0]
            dof += 1
    expected = max(0.0, (g2 - dof) / (2 * data.n * np.log(2)))
    assert conditional_information_bits(data, x, y, [z]) == pytest.approx(expected, abs=1e-12)


def test_explanation_names_both_amounts():
    """The explanation of a separated pair names its marginal information and the small one given its separating set."""
    result = learn("pc", load_sample("asia").dataset)
    seen = 0
    for i, j in zip(*np.nonzero(np.triu(~result.graph.skeleton, 1)), strict=True):
        found = explanation(result, (int(i), int(j)))
        given = found.decisive.cond
        amounts = [one for one in found.sentences if one.startswith("Given their separating set {")]
        assert bool(amounts) == bool(given)
        seen += len(amounts)
        if given:
            assert result.information(i, j, given) < 0.002
    assert seen
    again = pickle.loads(pickle.dumps(result.information))
    assert again.known == result.information.known
