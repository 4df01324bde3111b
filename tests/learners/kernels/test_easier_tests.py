"""Tests of the bounds that spare tests: a search with them records the same hardest test as one without."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import Dataset
from learners.common.progress import silent
from learners.independence import G2, LevelSearch
from learners.independence.ci_test import CITest
from learners.kernels.ci.easier_tests import is_surely_easier, least_half_g2, sufficient_half_g2
from learners.kernels.ci.tail_probabilities import log_chi2_sf
from tests import naive_tests

DOF = st.integers(1, 400).map(float)
STATISTIC = st.floats(0.01, 5_000.0)


def dependent_columns(seed: int, n: int) -> Dataset:
    """Draw six columns of two to four levels that depend on one another, and one column without variation."""
    rng = np.random.default_rng(seed)
    arity = np.append(rng.integers(2, 5, 6), 2)
    codes = np.zeros((7, n), dtype=int)
    codes[0] = rng.integers(0, arity[0], n)
    for j in range(1, 6):
        parent = codes[rng.integers(0, j)]
        codes[j] = np.where(rng.random(n) < rng.uniform(0.1, 0.6), rng.integers(0, arity[j], n), parent % arity[j])
    return Dataset.from_codes(codes, arity, list("abcdefg"))


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("own", [{}, {"dof": "plain"}, {"rows_per_cell": 10.0}], ids=["", "plain", "power"])
def test_searches_that_spare_tests_record_the_hardest_test(size, own):
    """Searches of dependent columns give the same values, sets and numbers of tests as tests done one by one."""
    edges = np.column_stack(np.triu_indices(7, 1))
    for seed in range(2):
        test = G2(dependent_columns(seed, 400 + 300 * seed), threads=1, **own)
        search = LevelSearch(edges, ~np.eye(7, dtype=bool), size)
        found, expected = test.separate(search, 0.05), CITest.separate(test, search, 0.05)
        for name, column in expected._asdict().items():
            if name in ("log_p", "statistic"):  # one test alone may add its table in another order
                np.testing.assert_allclose(getattr(found, name), column, rtol=1e-9, atol=1e-9)
            else:
                np.testing.assert_array_equal(getattr(found, name), column, err_msg=name)


def test_pairs_bound_g2_given_one_variable():
    """The bound from pairs is at most G²/2 of every test with one conditioning variable."""
    data = dependent_columns(0, 100)
    test = G2(data)
    test._prepare("", silent)
    sample = test._sample
    bounds = []
    for x, y, v in permutations(range(7), 3):
        statistic, _ = naive_tests.g2(data.codes, x, y, (v,))
        bounds.append(least_half_g2(sample.joint, x, y, v, sample.n, sample.xlogx))
        assert bounds[-1] <= statistic / 2 + 1e-8
    assert max(bounds) > 5.0


@settings(max_examples=40, deadline=None)
@given(STATISTIC, DOF, DOF)
def test_a_sufficient_statistic_has_a_smaller_p(top_statistic, top_dof, dof):
    """Any test above the sufficient statistic, or one that is surely easier, has a smaller p than the hardest one."""
    top = log_chi2_sf(top_statistic, top_dof)
    enough = 2.0 * sufficient_half_g2(dof, top, top_statistic, top_dof)
    if np.isfinite(enough):
        assert log_chi2_sf(enough, dof) < top or top == 0.0
    for share in (0.5, 1.0, 1.5):
        if is_surely_easier(share * top_statistic, dof, top, top_statistic, top_dof):
            assert log_chi2_sf(share * top_statistic, dof) <= top
