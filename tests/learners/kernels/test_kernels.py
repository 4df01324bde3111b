"""Tests of kernels against reference implementations, scipy and high-precision values."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from learners.data.dataset import Dataset
from learners.independence import G2
from learners.kernels.ci.subsets import any_pool_has, covering_pools, fill_pool, fill_set, first_subset, next_subset
from learners.kernels.ci.tail_probabilities import log_chi2_sf, log_normal_sf, log_normal_two_sided
from learners.kernels.counting.contingency import (
    FIRST_ROOM,
    dense_g2,
    fill_strata,
    n_cells,
    number_keys,
    scalar_g2,
    sparse_g2,
)
from learners.kernels.graphs.adjacency import neighbor_lists
from tests import naive_tests, references

ONES = np.empty(0, dtype=np.int64)

# --- tails ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dof", sorted({row[0] for row in references.load("tails")["chi2"]}))
def test_log_chi2_sf_agrees_with_high_precision_down_to_minus_1e5(dof):
    """The relative error is below 1e-10 from log p = -1e-300 near p = 1 down to log p = -1e5."""
    rows = [(x, float(log_p)) for d, x, log_p in references.load("tails")["chi2"] if d == dof]
    ours = [log_chi2_sf(x, float(dof)) for x, _ in rows]
    np.testing.assert_allclose(ours, [log_p for _, log_p in rows], rtol=1e-10, atol=1e-300)


def test_log_normal_two_sided_agrees_with_high_precision():
    """The relative error is below 1e-12, or the absolute error below 1e-15 near z = 0; the sign of z has no effect."""
    rows = references.load("tails")["normal"]
    expected = [float(log_p) for _, log_p in rows]
    np.testing.assert_allclose([log_normal_two_sided(z) for z, _ in rows], expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose([log_normal_two_sided(-z) for z, _ in rows], expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("dof", [1, 2, 5, 19, 40, 333, 20_000])
def test_log_chi2_sf_agrees_with_scipy_in_its_range(dof):
    """The values equal scipy's logsf, which is accurate to about 1e-12 where p does not underflow."""
    x = np.linspace(0.2 * dof, dof + 25.0 * math.sqrt(2.0 * dof), 60)
    np.testing.assert_allclose([log_chi2_sf(v, float(dof)) for v in x], stats.chi2.logsf(x, dof), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("z", [0.0, 0.3, 4.9, 7.0, 7.1, 20.0, 37.0])
def test_log_normal_two_sided_agrees_with_scipy(z):
    """The two-sided values equal ln 2 + scipy's logsf."""
    assert log_normal_two_sided(z) == pytest.approx(math.log(2.0) + stats.norm.logsf(z), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("z", [-math.inf, -50.0, -20.0, -3.0, -0.1, 0.0, 0.3, 4.9, 20.0, 50.0, math.inf])
def test_log_normal_sf_agrees_with_scipy(z):
    """The values equal scipy's on either side of 0, also where the ordinary tail is 0 or 1."""
    assert log_normal_sf(z) == pytest.approx(stats.norm.logsf(z), rel=1e-12, abs=0.0)


@given(st.floats(0.0, 1e6), st.floats(1e-6, 10.0), st.integers(1, 100_000))
def test_log_chi2_sf_never_rises_with_the_statistic(x, step, dof):
    low, high = log_chi2_sf(x + step, float(dof)), log_chi2_sf(x, float(dof))
    assert not math.isnan(low)
    assert low <= high + 1e-12 * abs(high)
    assert high <= 0.0


@pytest.mark.parametrize("statistic", [0.0, 1e-16, 3.0])
def test_log_chi2_sf_is_0_for_no_degrees_of_freedom(statistic):
    """p is 1 without degrees of freedom, whatever rounding errors the statistic has."""
    assert log_chi2_sf(statistic, 0.0) == 0.0


@pytest.mark.parametrize("dof", [1e8, 1e15, 1e100, 1e300, math.inf])
def test_log_chi2_sf_is_0_for_degrees_of_freedom_beyond_all_statistics(dof):
    """More degrees of freedom than any statistic can reach give p = 1, not NaN."""
    assert log_chi2_sf(5_000.0, dof) == pytest.approx(0.0, abs=1e-15)


# --- subsets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_pool", range(7))
def test_next_subset_yields_all_subsets_in_lexicographic_order(n_pool):
    """Subsets of every size are listed in the order of itertools.combinations."""
    for size in range(n_pool + 1):
        chosen = np.empty(size, dtype=np.int64)
        first_subset(size, chosen)
        seen = [tuple(chosen.tolist())]
        while next_subset(size, n_pool, chosen):
            seen.append(tuple(chosen.tolist()))
        assert seen == list(combinations(range(n_pool), size))


def test_fill_pool_lists_other_neighbours_ascending():
    """The pool has the neighbours of a node in ascending order, without the partner and the node itself."""
    adjacency = np.array([[0, 1, 0, 1, 1], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 1, 0]], bool)
    pool = np.full(5, -1, dtype=np.int32)
    lists = neighbor_lists(adjacency)
    assert fill_pool(*lists, 0, 3, pool) == 2
    assert pool[:2].tolist() == [1, 4]
    assert fill_pool(*lists, 2, 3, pool) == 0


def test_a_set_is_taken_from_its_pool_and_known_if_a_row_covers_it():
    """A set is filled from its pool; `covering_pools` sets a bit for each row that contains the set."""
    cond = np.empty(2, dtype=np.int32)
    fill_set(np.array([3, 5, 8], dtype=np.int32), np.array([0, 2]), cond)
    assert cond.tolist() == [3, 8]
    rows = np.array([np.isin(np.arange(9), members) for members in ([3, 8], [3, 5], [1, 3, 8])])
    assert covering_pools(cond, rows) == 0b101
    assert covering_pools(np.array([5, 8], dtype=np.int32), rows) == 0
    assert covering_pools(np.empty(0, dtype=np.int32), rows) == 0b111
    assert any_pool_has(0b101, rows, 1)
    assert not any_pool_has(0b011, rows, 1)


# --- contingency tables ---------------------------------------------------------------------------------------------


def xlogx(top: int) -> np.ndarray:
    counts = np.arange(top + 1, dtype=np.float64)
    counts[1:] *= np.log(counts[1:])
    return counts


def twice(answer):
    """Return (G², dof) for (G²/2, dof)."""
    return 2.0 * answer[0], answer[1]


def both_g2(codes, arity, x, y, cond, weights=ONES):
    """Return (G², adjusted dof) of both kernels, from a dense table and by hashing."""
    z = np.empty(codes.shape[1], dtype=np.int64)
    cond = np.array(cond, dtype=np.int32)
    total = int(weights.sum()) if len(weights) else codes.shape[1]
    answers = []
    for kernel in (dense_g2, sparse_g2):
        q = fill_strata(codes, arity, cond, len(cond), z)
        if kernel is dense_g2 and q * arity[x] * arity[y] > 1 << 18:
            continue  # larger tables are never filled
        half, dof = kernel(codes[x], codes[y], arity[x], arity[y], weights, z, q, xlogx(total))
        answers.append((2.0 * half, dof))
    return answers


@st.composite
def tables(draw):
    """Draw the codes of four variables with few or many levels and rows, unseen levels, constants and weights."""
    arity = np.array(draw(st.lists(st.sampled_from([1, 2, 2, 3, 5, 11, 40, 300]), min_size=4, max_size=4)))
    n = draw(st.sampled_from([1, 2, 3, 7, 60, 400]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    seen = [draw(st.integers(1, int(r))) for r in arity]
    codes = np.array([rng.integers(0, r, n) for r in seen])
    if draw(st.booleans()):
        codes[1] = codes[0] % arity[1]
    weights = rng.integers(0, 4, n) if draw(st.booleans()) else ONES
    return codes.astype(np.uint8 if arity.max() <= 256 else np.uint16), arity, weights


@settings(max_examples=120, deadline=None)
@given(tables(), st.sampled_from([(), (2,), (2, 3)]))
def test_g2_dense_sparse_and_naive_agree(table, cond):
    """Tables, hashing and dictionaries give the same statistic and adjusted degrees of freedom."""
    codes, arity, weights = table
    expected, dof = naive_tests.g2(codes, 0, 1, cond, weights if len(weights) else None)
    for statistic, seen_dof in both_g2(codes, arity, 0, 1, cond, weights):
        assert statistic == pytest.approx(expected, rel=1e-9, abs=1e-8)
        assert seen_dof == dof


@pytest.mark.parametrize("arity", [(2, 2, 2), (3, 4, 5), (200, 300, 2), (300, 300, 300), (1, 5, 3), (2, 2, 1)], ids=str)
@pytest.mark.parametrize("n", [0, 1, 2, 50, 3_000])
def test_g2_agrees_with_naive_for_tables_small_and_huge(arity, n):
    """The values are right from 8 cells to 27 million, and from no row to thousands."""
    rng = np.random.default_rng(n)
    codes = np.array([rng.integers(0, r, n) for r in arity], dtype=np.uint16).reshape(3, n)
    arity = np.array(arity)
    z = np.empty(n, dtype=np.int64)
    expected, dof = naive_tests.g2(codes, 0, 1, (2,))
    cond = np.array([2], dtype=np.int32)
    statistic, adjusted = twice(scalar_g2(codes, arity, ONES, 0, 1, cond, 1, xlogx(n), z))
    assert statistic == pytest.approx(expected, rel=1e-9, abs=1e-8)
    assert adjusted == dof


def test_g2_does_not_depend_on_who_asks():
    """Swapping x and y does not change a bit of G², by planes and by codes."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 7, (3, 999)).astype(np.uint8)
    for arity in ([7, 7, 7], [200, 200, 7]):
        test = G2(Dataset.from_codes(codes, arity, ["x", "y", "z"]))
        forward = test.test(0, 1, (2,))
        assert forward == test.test(1, 0, (2,))
        assert forward.statistic > 0.0


def test_g2_is_never_negative():
    """Exactly independent columns leave rounding errors of either sign, which are clamped at 0."""
    codes = np.array([[a for a in range(7) for _ in range(11)], [b for _ in range(7) for b in range(11)]], np.uint8)
    for arity in ([7, 11], [70, 110]):
        result = G2(Dataset.from_codes(codes, arity, ["x", "y"])).test(0, 1)
        assert 0.0 <= result.statistic < 1e-9
        assert result.dof == 60


def test_g2_counts_beyond_the_logarithm_table():
    """Counts larger than the table of c ln c give the same result."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 2, (2, 40)).astype(np.uint8)
    weights = rng.integers(0, 1_000, 40)
    z = np.empty(40, dtype=np.int64)
    empty = np.empty(0, np.int32)
    arity = np.array([2, 2])
    short = twice(scalar_g2(codes, arity, weights, 0, 1, empty, 0, xlogx(1), z))
    full = twice(scalar_g2(codes, arity, weights, 0, 1, empty, 0, xlogx(int(weights.sum())), z))
    assert short == pytest.approx(full, rel=1e-12)


@pytest.mark.parametrize("p", [4, 66, 1_100], ids=["4", "2^64", "2^1100"])
def test_g2_survives_any_product_of_arities(p):
    """Given all other columns, the strata are relabelled before their index overflows."""
    rng = np.random.default_rng(p)
    codes = rng.integers(0, 2, (p, 30)).astype(np.uint8)
    codes[2:] = codes[2]  # only two strata exist
    arity = np.full(p, 2)
    z = np.empty(30, dtype=np.int64)
    cond = np.arange(2, p, dtype=np.int32)
    expected, dof = naive_tests.g2(codes, 0, 1, (2,))
    statistic, adjusted = twice(scalar_g2(codes, arity, ONES, 0, 1, cond, p - 2, xlogx(30), z))
    assert statistic == pytest.approx(expected, rel=1e-9, abs=1e-8)
    assert adjusted == dof
    plain = G2(Dataset.from_codes(codes, arity, [f"v{k}" for k in range(p)]), dof="plain").test(0, 1, cond).dof
    assert plain == (2.0 ** (p - 2) if p < 1_000 else math.inf)
    assert n_cells(arity, 0, 1, cond, p - 2) == 4 * plain


@given(st.lists(st.integers(0, 2**62), min_size=0, max_size=40), st.sampled_from([1, 2**31 - 1, 2**40]))
def test_number_numbers_keys_in_order_of_appearance(keys, stride):
    """Equal keys get equal numbers in order of appearance, even for keys a stride apart."""
    keys = [key // stride * stride for key in keys] + [stride * k for k in range(20)]
    numbers = np.array(keys, dtype=np.int64)
    first_seen = list(dict.fromkeys(keys))
    assert number_keys(numbers) == len(first_seen)
    assert numbers.tolist() == [first_seen.index(key) for key in keys]


@pytest.mark.parametrize("distinct", [FIRST_ROOM // 2, FIRST_ROOM // 2 + 1, 3 * FIRST_ROOM])
@pytest.mark.compiled
def test_number_keys_in_a_table_that_grows(distinct):
    """Keys keep their numbers when the hash table grows."""
    own = np.random.default_rng(distinct).permutation(distinct)
    numbers = np.concatenate([own, own[::-1]]) * 2**20
    assert number_keys(numbers) == distinct
    assert numbers.tolist() == [*range(distinct), *reversed(range(distinct))]
