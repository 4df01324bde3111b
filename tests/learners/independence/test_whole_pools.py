"""Tests of pairs given their whole pools, which differ in size."""

from __future__ import annotations

import numpy as np
import pytest

from learners import Dataset, DSeparation, random_dag
from learners.independence import G2
from learners.independence.ci_cache import CIMemory
from learners.independence.set_search import PoolSearch
from learners.kernels.ci.pair_pools import PairPools

PAIRS = np.array([(0, 1), (2, 1), (1, 3), (6, 4), (7, 0), (5, 7)])
SETS = ((4,), (3, 5), (0, 2, 6), (5, 7), (1, 3, 4), (2,))


def rows() -> Dataset:
    """Return eight dependent columns of two levels."""
    rng = np.random.default_rng(3)
    codes = (rng.random((8, 1_000)) < 0.3 + 0.4 * (rng.random(1_000) < 0.5)).astype(int)
    return Dataset.from_codes(codes, [2] * 8, list("abcdefgh"))


def search(*, whole: bool = True) -> PoolSearch:
    """Return the search of all pairs given their sets."""
    begin = np.cumsum([0, *map(len, SETS)])
    return PoolSearch(PAIRS, PairPools(begin, np.concatenate(SETS).astype(np.int32)), 3, whole=whole)


@pytest.mark.parametrize("remembers", [False, True])
def test_results_equal_those_of_single_tests_to_the_last_digit(remembers):
    """One row per pair, with its whole pool as the set, also from the cache."""
    test = G2(rows(), rows_per_cell=100.0, threads=1)
    if remembers:
        test.remember_in(CIMemory(test.p))
    test.separate(search(whole=False), 0.05)  # counts the pairs of states, from which single tests are then computed
    expected = [test.test(*pair, cond) for pair, cond in zip(PAIRS.tolist(), SETS, strict=True)]
    assert not all(one.tested for one in expected)
    for alpha in (0.05, 0.05, 0.2):
        found = test.separate(search(), alpha)
        for name in ("log_p", "statistic", "dof", "tested"):
            assert getattr(found, name).tolist() == [getattr(one, name) for one in expected], name
        assert [tuple(cond[cond >= 0].tolist()) for cond in found.cond] == list(SETS)
        assert found.n_tests.tolist() == [1] * len(SETS)


def test_smaller_pools_have_no_subsets_unless_they_are_the_sets():
    """The same pools as candidates of sets of three members give two tests."""
    test = G2(rows(), threads=1)
    test.remember_in(CIMemory(test.p))
    test.separate(search(), 0.05)
    assert test.separate(search(whole=False), 0.05).n_tests.tolist() == [0, 0, 1, 0, 1, 0]


def test_a_test_without_kernels_tests_each_pair_given_its_pool():
    """The oracle enumerates `sets`."""
    found = DSeparation(random_dag(8, 3, seed=1)).separate(search(), 0.05)
    assert [tuple(cond[cond >= 0].tolist()) for cond in found.cond] == list(SETS)
    assert found.n_tests.tolist() == [1] * len(SETS)
