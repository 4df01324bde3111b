"""Tests of the mutual information of numbers and mixed tables."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from learners import Dataset, DegenerateGaussian, FisherZ, learn
from learners.completion.completed import with_completion
from learners.families.cimap.cimap import cimap
from learners.independence import GaussianInformation, InformationTest
from tests import naive_mixed

MIXED = naive_mixed.mixed_rows(6, 250, seed=4)
LACKING = naive_mixed.with_holes(MIXED, 0.1, seed=1)


def levels(codes: np.ndarray) -> pd.Categorical:
    """Return a categorical column."""
    return pd.Categorical.from_codes(codes, [f"L{code}" for code in range(codes.max() + 1)])


def table_of(**columns: np.ndarray | pd.Categorical) -> Dataset:
    """Return a data set of the columns."""
    return Dataset.from_frame(pd.DataFrame(columns))


class OneByOne(GaussianInformation):
    """The conditioning-set search of the base class, which runs one test at a time."""

    separate_in_turn = InformationTest.separate_in_turn


def test_information_is_the_statistic_less_its_degrees_of_freedom():
    """The statistic is that of the degenerate Gaussian test, and for two numbers close to the square of Fisher's z."""
    test, usual = GaussianInformation(MIXED), DegenerateGaussian(MIXED)
    bits, _ = test.pair_information()
    for x, y in combinations(range(6), 2):
        found, other = test.test(x, y), usual.test(x, y)
        if math.isnan(other.dof):
            assert found.dof == 1.0
            assert found.statistic == pytest.approx(other.statistic**2, rel=0.02, abs=1e-3)
            assert found.log_p == pytest.approx(other.log_p, rel=0.02, abs=1e-2)
        else:
            assert (found.statistic, found.dof) == (other.statistic, other.dof)
        expected = max(found.statistic - found.dof, 0.0) / (2 * 250 * math.log(2))
        assert bits[x, y] == pytest.approx(expected, rel=1e-12)
        assert test.information_given(x, y, ())[0] == pytest.approx(expected, rel=1e-12)


def test_spread_of_two_categories_is_that_of_pearsons_statistic():
    """The squared canonical correlations of two categorical variables sum to Pearson's χ² / n."""
    rng = np.random.default_rng(2)
    a, number = rng.integers(0, 3, 400), rng.standard_normal(400)
    b = np.where(rng.random(400) < 0.5, a, rng.integers(0, 4, 400))
    data = table_of(a=levels(a), b=levels(b), number=number)
    table = np.histogram2d(a, b, bins=(3, 4))[0]
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / 400
    pearson = ((table - expected) ** 2 / expected).sum()
    _, spread = GaussianInformation(data).pair_information()
    assert spread[0, 1] == pytest.approx(math.sqrt(pearson) / 400 / math.log(2), rel=1e-9)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("n", [60, 200, 1_000])
def test_unrelated_variables_have_no_information_on_average(n):
    """The mean information of unrelated variables is zero, because the share due to chance is subtracted."""
    rng, total, plain = np.random.default_rng(n), 0.0, 0.0
    for _ in range(150):
        a, b = levels(rng.integers(0, 5, n)), levels(rng.integers(0, 4, n))
        data = table_of(a=a, number=rng.standard_normal(n), b=b)
        found = GaussianInformation(data).test(0, 2, (1,))
        total += (found.statistic - found.dof) / 150
        plain += found.statistic / 150
    assert abs(total) < 1.2
    assert plain > 10.0


@pytest.mark.parametrize("data", [MIXED, LACKING, with_completion(LACKING)], ids=["whole", "available", "completed"])
@pytest.mark.parametrize(
    "chosen",
    [{"preset": "P-1"}, {"preset": "P-2"}, {"preset": "P-3"}, {"preset": "MI1"}, {"test": "mi", "cut": 30.0}],
    ids=lambda chosen: "-".join(map(str, chosen.values())),
)
def test_turns_by_kernels_are_those_of_one_test_at_a_time(data, chosen):
    """Edges, hardest tests, their information and the trace are equal with kernels and with one test at a time."""
    whole, slow = cimap(GaussianInformation(data), **chosen), cimap(OneByOne(data), **chosen)
    assert whole.graph == slow.graph
    assert [repr(event) for event in slow.trace] == [repr(event) for event in whole.trace]
    np.testing.assert_allclose(whole.extra.hardest_information, slow.extra.hardest_information, rtol=1e-12)
    assert whole.n_tests == slow.n_tests


def test_cimap_of_numbers_finds_what_pc_finds():
    """CImap finds the same edges as PC with Fisher's z, since both tests agree nearly to the last digit."""
    rng = np.random.default_rng(7)
    x = rng.standard_normal((2_000, 6))
    for j in range(1, 6):
        x[:, j] += 0.8 * x[:, j - 1]
    data = Dataset.from_values(x, list("abcdef"))
    assert learn("cimap", data).graph.skeleton.tolist() == learn("pc", data).graph.skeleton.tolist()
    assert GaussianInformation(data).test(0, 2, (1,)).log_p == pytest.approx(
        FisherZ(data).test(0, 2, (1,)).log_p, abs=0.01
    )
