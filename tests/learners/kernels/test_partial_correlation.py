"""Tests of partial correlations against the inverse of the matrix and regressions on the data."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.data.dataset import Dataset
from learners.independence import FisherZ
from learners.independence.ci_test import CITest
from learners.independence.set_search import LevelSearch
from learners.kernels.ci.fisher_z import decide_fisher_z
from learners.kernels.ci.fisher_z_search import CHUNK
from learners.kernels.ci.partial_correlation import (
    BLOCK,
    MAX_CORRELATION,
    factor,
    partial_correlation,
    partial_correlations_with,
)
from tests import naive_tests


def factored(corr: np.ndarray, cond: list[int]) -> tuple[np.ndarray, np.ndarray, int]:
    """Return (chol, basis, rank); entries that `factor` does not write stay NaN."""
    size = len(cond)
    chol, basis = np.full((size, size), np.nan), np.full(size, -1)
    rank = factor(corr, np.array(cond, dtype=np.int32), size, chol, basis)
    return chol, basis, rank


def sweep(corr: np.ndarray, i: int, cond: list[int], partners: list[int]) -> np.ndarray:
    out = np.full(len(partners), np.nan)
    partial_correlations_with(corr, i, *factored(corr, cond), np.array(partners, dtype=np.int32), out)
    return out


def one(corr: np.ndarray, x: int, y: int, cond: list[int]) -> tuple[float, int]:
    return partial_correlation(corr, x, y, np.array(cond, dtype=np.int32), len(cond))


def correlated(p: int, n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.corrcoef(rng.normal(size=(p, n)) + rng.normal(size=n))


# --- sets of full rank ----------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 6))
def test_sweep_agrees_with_the_matrix_inverse(seed, size):
    """For every partner, in any order, the values equal the matrix inverse, for sets of up to six members."""
    corr = correlated(12, 60, seed)
    i, *rest = np.random.default_rng(seed).permutation(12).tolist()
    cond, partners = rest[:size], rest[size:]
    expected = [naive_tests.partial_correlation(corr, i, j, cond) for j in partners]
    np.testing.assert_allclose(sweep(corr, i, cond, partners), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", range(7))
def test_one_partial_correlation_agrees_with_the_matrix_inverse(size):
    """The value of a single pair equals the matrix inverse, in either order and for any order of the set."""
    for seed in range(20):
        corr = correlated(9, 40, seed)
        x, y, *cond = np.random.default_rng(seed).permutation(9)[: size + 2].tolist()
        rho, rank = one(corr, x, y, cond)
        assert rho == pytest.approx(naive_tests.partial_correlation(corr, x, y, cond), abs=1e-12)
        assert rank == size
        assert one(corr, y, x, cond)[0] == pytest.approx(rho, abs=1e-15)
        assert one(corr, x, y, cond[::-1])[0] == pytest.approx(rho, abs=1e-12)


@pytest.mark.parametrize("m", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
def test_sweep_equals_separate_tests_of_each_partner(m):
    """Each partner gets the same bits as alone, and nothing is written after the last partner."""
    corr = correlated(2 * BLOCK + 10, 2 * BLOCK, 0)
    partners = np.arange(7, 7 + m, dtype=np.int32)
    out = np.full(m + 1, np.nan)
    partial_correlations_with(corr, 0, *factored(corr, [1, 2, 3]), partners, out)
    alone = [sweep(corr, 0, [1, 2, 3], [j])[0] for j in partners]
    assert out.tolist()[:m] == alone
    assert math.isnan(out[m])


def test_sweep_of_members_and_of_the_node_itself_is_0_and_1():
    """Members of the set have correlation 0 with the node, and the node itself has 1."""
    rho = sweep(correlated(6, 30, 3), 4, [1, 2], list(range(6)))
    assert (rho[1], rho[2], rho[4]) == (0.0, 0.0, MAX_CORRELATION)
    assert (np.abs(rho[[0, 3, 5]]) < 1.0).all()


def test_one_factor_serves_any_node():
    """The result of `factor` can be reused for any node."""
    corr = correlated(10, 40, 5)
    chol, basis, rank = factored(corr, [7, 8, 9])
    partners, out = np.arange(7, dtype=np.int32), np.empty(7)
    for i in range(7):
        partial_correlations_with(corr, i, chol, basis, rank, partners, out)
        assert out.tolist() == sweep(corr, i, [7, 8, 9], list(range(7))).tolist()


def test_only_the_first_members_of_the_set_are_read():
    """Entries of the set beyond `size` are ignored."""
    corr = correlated(5, 30, 0)
    wide = np.array([2, 3, 4], dtype=np.int32)
    assert partial_correlation(corr, 0, 1, wide, 1) == partial_correlation(corr, 0, 1, wide[:1], 1)


# --- singular sets --------------------------------------------------------------------------------------------------


@st.composite
def degenerate(draw) -> np.ndarray:
    """Draw 8 columns of 24 small integers with copies, sums, differences and constants."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    columns = rng.integers(-9, 10, (8, 24)).astype(float)
    for k in range(3, 8):
        kind = draw(st.sampled_from(["own", "copy", "scaled", "sum", "difference", "constant"]))
        a, b = columns[draw(st.integers(0, k - 1))], columns[draw(st.integers(0, k - 1))]
        columns[k] = {
            "own": columns[k],
            "copy": a,
            "scaled": -2.0 * a,
            "sum": a + b,
            "difference": a - b,
            "constant": np.full(24, 5.0),
        }[kind]
    return columns[rng.permutation(8)]


def correlation(columns: np.ndarray) -> np.ndarray:
    return Dataset.from_values(columns.T, [f"v{k}" for k in range(len(columns))]).correlation


@settings(max_examples=150, deadline=None)
@given(degenerate(), st.integers(0, 6))
def test_singular_sets_agree_with_regressions_on_the_data(columns, size):
    """The values are never NaN and are 0 if the set determines a variable; redundant members change nothing."""
    corr = correlation(columns)
    i, cond, partners = 0, list(range(1, size + 1)), list(range(size + 1, 8))
    rho = sweep(corr, i, cond, partners)
    expected = [naive_tests.residual_correlation(columns, i, j, cond) for j in partners]
    np.testing.assert_allclose(rho, expected, rtol=0, atol=1e-7)
    for j, value in zip(partners, rho, strict=True):
        alone, rank = one(corr, i, j, cond)
        assert alone == pytest.approx(value, abs=1e-7)
        assert 0 <= rank <= size
        assert abs(alone) <= MAX_CORRELATION


@settings(max_examples=100, deadline=None)
@given(degenerate(), st.integers(0, 6))
def test_factor_keeps_the_members_that_those_before_do_not_determine(columns, size):
    """The rank is that of the data for each leading part of the set; a constant adds one."""
    corr = correlation(columns)
    _, basis, rank = factored(corr, list(range(size)))
    centred = columns - columns.mean(axis=1, keepdims=True)
    kept = []
    for k in range(size):
        constant = not centred[k].any()
        grows = np.linalg.matrix_rank(centred[[*kept, k]]) > np.linalg.matrix_rank(centred[kept]) if kept else True
        if constant or grows:
            kept.append(k)
    assert basis[:rank].tolist() == kept


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(("share", "rho"), [(0.4, 0.0), (2.5, MAX_CORRELATION)], ids=["below", "above"])
@pytest.mark.parametrize("who", ["node", "partner"])
def test_variances_below_the_bound_count_as_nothing(share, rho, sign, who):
    """The set leaves x a share of about 1e-12 of its variance, all of it shared with y."""
    left = share * 1e-12
    of_x = math.sqrt(1.0 - left)
    corr = np.array([[1.0, sign * math.sqrt(left), of_x], [sign * math.sqrt(left), 1.0, 0.0], [of_x, 0.0, 1.0]])
    x, y = (0, 1) if who == "node" else (1, 0)
    assert sweep(corr, x, [2], [y])[0] == pytest.approx(sign * rho, abs=1e-3)
    assert (sweep(corr, x, [2], [y])[0] == 0.0) == (rho == 0.0)
    assert one(corr, x, y, [2])[0] == pytest.approx(sign * rho, abs=1e-3)


@pytest.mark.parametrize(("share", "rank"), [(0.4, 1), (2.5, 2)], ids=["below", "above"])
def test_pivots_below_the_bound_make_a_set_redundant(share, rank):
    """If two members differ by about 1e-12 of their variance, the set has full rank only above the bound on pivots.

    x and y each have a correlation of 0.6 with the difference.
    """
    left = math.sqrt(share * 1e-12)
    columns = np.array([[0.6, 0.0, 0.8], [0.6, 0.0, -0.8], [0.0, 1.0, 0.0], [left, math.sqrt(1.0 - left**2), 0.0]])
    corr = columns @ columns.T
    np.fill_diagonal(corr, 1.0)
    assert factored(corr, [2, 3])[2] == rank
    rho, found = one(corr, 0, 1, [2, 3])
    assert found == rank
    assert rho == pytest.approx(0.36 - 0.64 if rank == 1 else -1.0, abs=1e-3)


def singular() -> np.ndarray:
    """Return the correlations of a, b, c, a + b, a copy of c, a constant, and b - a."""
    a, b, c = np.random.default_rng(8).normal(size=(3, 50))
    return correlation(np.array([a, b, c, a + b, c, np.full(50, 7.0), b - a]))


@pytest.mark.parametrize(
    ("x", "y", "cond", "basis", "rank"),
    [
        (2, 5, [0, 1, 3], [0, 1], 2),
        (0, 2, [1, 5], [1, 5], 2),
        (2, 6, [0, 1], [], 2),
        (0, 4, [2], [], 1),
        (0, 2, [1, 3, 6], [], 2),
    ],
    ids=["sum-in-set", "constant-in-set", "y-in-span", "y-is-a-copy", "x-in-span-of-sums"],
)
def test_singular_sets_are_reduced_to_a_basis(x, y, cond, basis, rank):
    """A redundant member changes nothing; a variable that the set determines has correlation 0."""
    corr = singular()
    rho, found = one(corr, x, y, cond)
    assert found == rank
    if basis:
        assert rho == pytest.approx(naive_tests.partial_correlation(corr, x, y, basis), abs=1e-9)
    else:
        assert rho == 0.0
    assert sweep(corr, x, cond, [y])[0] == pytest.approx(rho, abs=1e-12)


def test_every_set_of_a_singular_table_is_finite():
    """Copies, sums and constants give values within (-1, 1) in any role."""
    corr = singular()
    for x in range(7):
        rest = [k for k in range(7) if k != x]
        for size in range(7):
            for cond in combinations(rest, size):
                rho = sweep(corr, x, list(cond), list(range(7)))
                assert (np.abs(rho) <= MAX_CORRELATION).all()
                for y in set(rest) - set(cond):
                    alone, rank = one(corr, x, y, list(cond))
                    assert -1.0 < alone < 1.0
                    assert 0 <= rank <= size


# --- set searches ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_judge_fisher_z_is_finite_for_a_copy(sign):
    """|ρ| = 1 gives a large finite z of the right sign and a finite log p."""
    corr = np.array([[1.0, sign], [sign, 1.0]])
    log_p, z, tested = decide_fisher_z(corr, 100_000, 0, 1, np.empty(0, np.int32))
    assert tested
    assert math.copysign(1.0, z) == sign
    assert -1e9 < log_p < -1e6


@pytest.mark.parametrize("redundant", [False, True], ids=["full-rank", "copies"])
@pytest.mark.parametrize(("size", "pool"), [(0, 5), (1, 3 * CHUNK), (2, CHUNK + 4), (3, 9), (4, 7), (5, 8)])
def test_set_searches_equal_single_tests(size, pool, redundant):
    """Searches of pools longer than a chunk give the same sets, values and number of tests as single tests."""
    p = pool + 2
    rng = np.random.default_rng([size, redundant])
    values = rng.normal(size=(p + 60, p)) + 0.7 * rng.normal(size=(p + 60, 1))
    if redundant:
        values[:, 4::3] = values[:, 3:-1:3]
    test = FisherZ(Dataset.from_values(values, [f"v{k}" for k in range(p)]), threads=1)
    adjacency = np.zeros((p, p), dtype=bool)
    adjacency[0] = rng.random(p) < 0.7
    adjacency[1] = True
    adjacency[2 % p, :] = adjacency[:, 0] = rng.random(p) < 0.6
    np.fill_diagonal(adjacency, False)
    edges = np.array([[0, 1], [1, 2], [0, 3]])
    for alpha in (1e-9, 0.01, 0.3, 0.9):
        walks = LevelSearch(edges, adjacency, size)
        walked, expected = test.separate(walks, alpha), CITest.separate(test, walks, alpha)
        np.testing.assert_array_equal(walked.n_tests, expected.n_tests)
        np.testing.assert_array_equal(walked.cond, expected.cond)
        np.testing.assert_array_equal(walked.log_p, expected.log_p)
        np.testing.assert_array_equal(walked.statistic, expected.statistic)
        np.testing.assert_array_equal(walked.tested, expected.tested)
