"""Tests of the degenerate Gaussian test: a reference, populations, ranks, calibration and set searches."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from learners import PDAG, DataError, Dataset, DSeparation, FisherZ, ParameterError, pc
from learners.independence.ci_test import CITest
from learners.independence.degenerate_gaussian import DegenerateGaussian
from learners.independence.set_search import BatchSearch, LevelSearch, NewSetSearch, Pools, PoolSearch
from learners.kernels.ci.pair_pools import PairPools
from tests import naive_mixed

DATA = naive_mixed.mixed_rows(7, 400, seed=1)


def questions(p: int, most: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return each pair with each conditioning set of up to `most` members."""
    return [
        (x, y, cond)
        for x, y in combinations(range(p), 2)
        for size in range(most + 1)
        for cond in combinations([k for k in range(p) if k not in (x, y)], size)
    ]


def is_continuous(data: Dataset, nodes) -> bool:
    return all(data.kinds[k] == "continuous" for k in nodes)


@pytest.mark.deep
@pytest.mark.parametrize("share", [0.0, 0.05, 0.4, [0.2, 0, 0, 0.3, 0, 0, 0]], ids=str)
def test_agrees_with_determinants(share):
    """The statistic is -m ln Λ of the complete rows, whatever the share of missing cells.

    Tests that involve only numbers equal Fisher's z.
    """
    data = naive_mixed.with_holes(DATA, share, seed=2)
    test = DegenerateGaussian(data)
    for x, y, cond in questions(7, 3):
        result, (statistic, dof, n) = test.test(x, y, cond), naive_mixed.degenerate(data, x, y, cond)
        assert result.n == (None if share == 0.0 else n)
        if is_continuous(data, (x, y, *cond)):
            expected = FisherZ(data.available((x, y, *cond))).test(0, 1, range(2, 2 + len(cond)))
            assert (result.statistic, result.log_p) == pytest.approx((expected.statistic, expected.log_p), rel=1e-9)
            assert np.isnan(result.dof)
        else:
            assert (result.statistic, result.dof) == (pytest.approx(statistic, rel=1e-8, abs=1e-9), dof)
            assert result.p_value == pytest.approx(naive_mixed.chi2_sf(statistic, dof), rel=1e-7)


def test_rows_with_missing_cells_are_omitted_test_by_test():
    """Each test equals the complete test on the rows without missing values in its columns."""
    data = naive_mixed.with_holes(DATA, 0.1, seed=3)
    test = DegenerateGaussian(data)
    sizes = []
    for x, y, cond in questions(7, 2):
        part = data.available((x, y, *cond))
        expected = DegenerateGaussian(part).test(0, 1, range(2, 2 + len(cond)))
        result = test.test(x, y, cond)
        assert (result.statistic, result.log_p) == pytest.approx((expected.statistic, expected.log_p), rel=1e-8)
        sizes.append(part.n)
    assert test.rows_used == (min(sizes), max(sizes))


def test_sums_need_no_table_of_what_each_hole_takes_away(monkeypatch):
    """Results are equal without the table of corrections, which is not built if it would take too much memory."""
    data = naive_mixed.with_holes(DATA, 0.1, seed=3)
    quick = DegenerateGaussian(data)
    monkeypatch.setattr("learners.data.embedding.MAX_BYTES", 0)
    slow = DegenerateGaussian(data.take(range(data.n)))
    for x, y, cond in questions(7, 2):
        assert slow.test(x, y, cond).log_p == pytest.approx(quick.test(x, y, cond).log_p, rel=1e-9, abs=1e-12)


def test_a_population_separates_what_its_dag_separates():
    """With exact covariances, p = 1 iff the DAG has no open path, also for variables with several columns."""
    rng = np.random.default_rng(4)
    dag = np.triu(rng.random((6, 6)) < 0.4, 1)
    width = np.array([1, 3, 1, 2, 1, 2])
    first = np.concatenate([[0], np.cumsum(width)])
    block = np.repeat(np.repeat(dag, width, axis=0), width, axis=1)
    weights = block * rng.uniform(0.5, 1.0, block.shape) * rng.choice([-1.0, 1.0], block.shape)
    noise = np.zeros(block.shape)  # the columns of one variable are correlated
    for a, b in zip(first, first[1:], strict=False):
        noise[a:b, a:b] = 0.4 + 0.6 * np.eye(b - a)
    inverse = np.linalg.inv(np.eye(len(block)) - weights)
    covariance = inverse.T @ noise @ inverse
    scale = np.sqrt(np.diag(covariance))
    names = [f"v{k}" for k in range(6)]
    test = DegenerateGaussian.from_correlations(covariance / np.outer(scale, scale), first, width == 1, 10**9, names)
    oracle = DSeparation(PDAG(dag))
    for x, y, cond in questions(6, 4):
        separated = oracle.test(x, y, cond).p_value == 1.0
        p_value = test.test(x, y, cond).p_value
        assert p_value > 0.99 if separated else p_value < 1e-9, (x, y, cond)
    assert pc(test, alpha=0.01, max_cond_size=None).graph == pc(oracle, max_cond_size=None).graph


def test_what_a_set_determines_is_independent():
    """Degrees of freedom follow from the ranks of the columns, so a variable that the set determines is independent.

    Tested with copies, sums, merged levels and constants.
    """
    rng = np.random.default_rng(5)
    level = rng.integers(0, 3, 200)
    frame = pd.DataFrame(
        {
            "a": pd.Categorical(level),
            "merged": pd.Categorical(level == 2),
            "copy": (level + 0.0) * 2.0 + 1.0,
            "other": rng.normal(size=200) + level,
            "constant": 1.5,
            "one": pd.Categorical(["x"] * 200),
        }
    )
    test = DegenerateGaussian(Dataset.from_frame(frame))
    a, merged, copy, other, constant, one = range(6)
    assert test.test(merged, other, (a,)).dof == 0
    assert test.test(merged, other, (a,)).p_value == 1.0
    assert test.test(a, other, (merged,)).dof == 1
    assert test.test(a, other, (merged, copy)).p_value == 1.0
    assert test.test(a, merged).log_p < -1_000
    for node in (constant, one):
        assert test.test(node, a).p_value == 1.0
        assert test.test(a, other, (node,)) == test.test(a, other)


def test_a_column_that_is_constant_among_the_rows_of_a_test_counts_as_none():
    """A pair is independent if x shows a single level or number among the rows of the test."""
    frame = pd.DataFrame({"a": pd.Categorical(list("xxyyxx") * 5), "b": np.arange(30.0), "c": np.arange(30.0) ** 2})
    frame["b"] = frame["b"].mask(frame["a"] == "y")
    test = DegenerateGaussian(Dataset.from_frame(frame))
    result = test.test(0, 1)
    assert (result.dof, result.p_value, result.n) == (0, 1.0, 20)


def test_too_few_rows_are_reported():
    """With too few rows Λ is 0 for any data, so the pair is not tested and counts as independent."""
    data = naive_mixed.mixed_rows(8, 6, seed=6)
    result = DegenerateGaussian(data).test(1, 3, (0, 2, 5))
    assert (result.tested, result.p_value) == (False, 1.0)
    frame = data.to_frame()
    frame.iloc[:3, 0] = np.nan
    frame.iloc[3:, 2] = np.nan
    result = DegenerateGaussian(Dataset.from_frame(frame)).test(0, 2)
    assert (result.tested, result.p_value, result.n) == (False, 1.0, 0)
    with pytest.raises(DataError, match="needs at least 4 rows, found 3"):
        DegenerateGaussian(data.take(range(3)))
    with pytest.raises(ParameterError, match="two variables and a set without them"):
        DegenerateGaussian(data).test(0, 0)


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize(("n", "x", "y", "size"), [(30, 1, 3, 3), (100, 1, 0, 2), (1_000, 3, 5, 2), (100, 0, 2, 0)])
def test_type_one_errors_are_near_the_level(n, x, y, size):
    """About 5 % of independent variables are found dependent; with the plain factor n it is 25 % at n = 30."""
    cond = [k for k in range(8) if k not in (x, y)][:size]
    rejected = 0
    for seed in range(600):
        rng = np.random.default_rng([7, seed])
        columns = {}
        for k in range(8):
            shared = rng.normal(size=n)
            columns[f"v{k}"] = pd.Categorical(rng.integers(0, 2 + k // 2, n)) if k % 2 else shared
        rejected += DegenerateGaussian(Dataset.from_frame(pd.DataFrame(columns))).test(x, y, cond).p_value < 0.05
    assert 0.03 < rejected / 600 < 0.085


def walks(p: int) -> list:
    """Return a set search of each kind on a graph with some edges."""
    rng = np.random.default_rng(8)
    adjacency = np.triu(rng.random((p, p)) < 0.7, 1)
    adjacency |= adjacency.T
    pairs = np.argwhere(np.triu(adjacency))
    lists = [[k for k in range(p) if k not in pair][:4] for pair in pairs.tolist()]
    begin = np.concatenate([[0], np.cumsum([len(one) for one in lists])])
    pools = PairPools(begin, np.concatenate(lists).astype(np.int32))
    bases = PairPools(begin // 4, np.array([one[0] for one in lists], dtype=np.int32))
    rest = PairPools(begin - begin // 4, np.concatenate([one[1:] for one in lists]).astype(np.int32))
    sizes = np.arange(len(pairs)) % 3
    return [
        LevelSearch.marginal(pairs, p),
        LevelSearch(pairs, adjacency, 1),
        LevelSearch(pairs, adjacency, 2),
        PoolSearch(pairs, pools, 2),
        BatchSearch(pairs, bases, rest, sizes, skips_untested=False),
        BatchSearch(pairs, bases, rest, sizes, skips_untested=True),
    ]


@pytest.mark.parametrize("share", [0.0, 0.2])
@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize("threads", [1, 2])
def test_set_searches_equal_single_tests(share, which, threads):
    """Set searches give the same sets, counts and hardest tests as single tests, for any number of threads."""
    data = naive_mixed.with_holes(naive_mixed.mixed_rows(7, 120, seed=9), share, seed=9)
    asked = walks(7)[which]
    test, slow = DegenerateGaussian(data, threads=threads), DegenerateGaussian(data)
    found, expected = test.separate(asked, 0.05), CITest.separate(slow, asked, 0.05)
    np.testing.assert_array_equal(found.n_tests, expected.n_tests)
    np.testing.assert_array_equal(found.cond, expected.cond)
    np.testing.assert_array_equal(found.tested, expected.tested)
    np.testing.assert_allclose(found.log_p, expected.log_p, rtol=1e-9)
    assert (test.n_tests, test.rows_used) == (slow.n_tests, slow.rows_used)
    for e, (x, y) in enumerate(asked.pairs.tolist()):
        if share and found.n_tests[e]:
            assert found.n_rows[e] == data.available((x, y, *found.cond[e][found.cond[e] >= 0])).n
    assert len(found.n_rows) == (len(asked) if share else 0)


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_set_searches_over_new_sets_equal_single_tests(share):
    """Searches that build up neighbourhoods give the same results as single tests."""
    data = naive_mixed.with_holes(naive_mixed.mixed_rows(7, 150, seed=10), share, seed=10)
    pools = Pools.empty(7)
    for new in (4, 5, 6, 2):
        pools = pools.with_one_more(np.array([0, 1]), np.array([new, new]))
    asked = NewSetSearch(np.array([[0, 1], [0, 3], [1, 3]]), pools, 3)
    test, slow = DegenerateGaussian(data), DegenerateGaussian(data)
    found, expected = test.separate(asked, 0.3), CITest.separate(slow, asked, 0.3)
    np.testing.assert_array_equal(found.n_tests, expected.n_tests)
    np.testing.assert_array_equal(found.cond, expected.cond)
    np.testing.assert_allclose(found.log_p, expected.log_p, rtol=1e-9)
    assert test.rows_used == slow.rows_used


def test_order_and_distances_are_those_of_correlations_where_all_are_numbers():
    """Distances between numbers are 1 - |r|, and the order is that of Fisher's z."""
    data = DATA.select([k for k in range(7) if DATA.kinds[k] == "continuous"])
    test, z = DegenerateGaussian(data), FisherZ(data)
    nothing = np.zeros((data.p, data.p))
    np.testing.assert_allclose(test.distances(nothing), z.distances(nothing), atol=1e-12)
    np.testing.assert_array_equal(test.order(), z.order())
    distance = DegenerateGaussian(DATA).distances(np.zeros((7, 7)))
    assert distance[0, 1] < distance[0, 4] <= 1.0
    assert np.diag(distance).tolist() == [0.0] * 7


def test_levels_that_outnumber_the_rows_are_refused_where_cells_are_missing():
    """Levels that need more columns than there are rows are refused only if cells are missing."""
    n = 600
    ids, numbers = np.arange(n), np.random.default_rng(0).normal(size=n)
    numbers[0] = np.nan
    frame = pd.DataFrame({"id": pd.Categorical(ids.astype(str)), "x": numbers, "y": numbers**2})
    with pytest.raises(DataError, match="levels make 601 columns of 600 rows"):
        DegenerateGaussian(Dataset.from_frame(frame))
    assert DegenerateGaussian(Dataset.from_frame(frame.iloc[1:])).test(1, 2).tested


@pytest.mark.parametrize("most", [1, 3, 64])
def test_what_is_kept_of_a_set_changes_nothing(monkeypatch, most):
    """With a cache of any size, results equal single tests to the last bit, in any order of the pair and the set."""
    monkeypatch.setattr("learners.independence.degenerate_gaussian.MAX_CACHED_SETS", most)
    data = naive_mixed.with_holes(DATA, 0.1, seed=3)
    pairs = np.array(list(combinations(range(7), 2)))
    for size in range(3):
        walks = LevelSearch(pairs, ~np.eye(7, dtype=bool), size)
        results = DegenerateGaussian(data, threads=1).separate(walks, 0.999)
        single = DegenerateGaussian(data)
        for e, (x, y) in enumerate(pairs.tolist()):
            cond = results.cond[e].tolist()
            actual = single.test(y, x, cond[::-1])
            assert (results.log_p[e], results.statistic[e], results.n_rows[e]) == (
                actual.log_p,
                actual.statistic,
                actual.n,
            )
            asked = [single.test(x, y, cond).log_p for cond in walks.sets(e)][: results.n_tests[e]]
            assert results.log_p[e] == max(asked)
