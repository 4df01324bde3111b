"""Tests of contingency tables from bit planes against dictionaries, for each counting method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.common.progress import silent
from learners.data.bit_planes import MAX_PAIRED_LEVELS, MAX_STATES, bit_planes, level_counts, pair_counts
from learners.data.dataset import Dataset
from learners.data.determination import pair_counts_by_product
from learners.independence import G2, LevelSearch
from learners.kernels.counting.contingency import count_levels
from learners.kernels.counting.cost_model import MAX_SHARED, planes_win
from learners.kernels.counting.popcount import and_into, count, count_and, count_grid, fill_rows, first_bit
from learners.kernels.counting.strata import planes_g2
from tests import naive_tests

NAMES = list("abcde")


@st.composite
def tables(draw) -> Dataset:
    """Draw five variables of 1 to 9 levels.

    The columns are skewed, copied or uniform, with unseen levels; the numbers of rows are close to whole words.
    """
    arity = draw(st.lists(st.integers(1, 9), min_size=5, max_size=5))
    n = draw(st.sampled_from([1, 2, 63, 64, 65, 130, 700]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = np.array([np.minimum(rng.geometric(draw(st.sampled_from([0.3, 0.7, 0.98])), n) - 1, r - 1) for r in arity])
    if draw(st.booleans()):
        codes[2] = codes[0] % arity[2]
    return Dataset.from_codes(codes, arity, NAMES)


@pytest.mark.parametrize("paired", [False, True], ids=["alone", "pairs known"])
@settings(max_examples=80, deadline=None)
@given(tables(), st.sampled_from([(), (2,), (2, 3), (4, 2, 3)]))
def test_planes_g2_agrees_with_naive(paired, data, cond):
    """Statistic and adjusted dof equal the reference, with and without the tables of all pairs."""
    test = G2(data, threads=1)
    if paired:
        test._prepare("", silent)
    scratch = test._scratch(len(cond))
    half, dof = planes_g2(test._sample, 0, 1, np.array(cond, dtype=np.int32), len(cond), scratch)
    expected, expected_dof = naive_tests.g2(data.codes, 0, 1, cond)
    assert 2.0 * half == pytest.approx(expected, rel=1e-9, abs=1e-8)
    assert dof == expected_dof


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_rows_of_a_mask(bits):
    """`fill_rows` lists all set bits in ascending order across words, and `first_bit` the first."""
    mask = np.zeros((len(bits) + 63) // 64, dtype=np.uint64)
    for t in np.flatnonzero(bits).tolist():
        mask[t >> 6] |= np.uint64(1) << np.uint64(t & 63)
    rows = np.empty(sum(bits), dtype=np.int64)
    fill_rows(mask, rows)
    assert rows.tolist() == np.flatnonzero(bits).tolist()
    if any(bits):
        assert first_bit(mask) == bits.index(True)


@settings(max_examples=30, deadline=None)
@given(tables())
def test_pairs_are_the_joint_counts_of_states(data):
    """Each entry of `pairs` counts the rows of two states; `seen` and `joint` are sums of such counts."""
    test = G2(data, threads=1)
    test._prepare("", silent)
    sample = test._sample
    one_hot = np.vstack([data.codes[v] == s for v in range(5) for s in range(data.arity[v])]).astype(np.int64)
    joint = one_hot @ one_hot.T
    for x in range(5):
        for y in range(5):
            if x == y:
                continue
            rows, columns = slice(*sample.first[x : x + 2]), slice(*sample.first[y : y + 2])
            block = joint[rows, columns]
            np.testing.assert_array_equal(sample.pairs[rows, columns], block)
            np.testing.assert_array_equal(sample.seen[x, columns], (block > 0).sum(axis=0))
            positive = block[block > 0]
            assert sample.joint[x, y] == pytest.approx((positive * np.log(positive)).sum(), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_set_searches_by_planes_and_by_codes_agree(size):
    """Weighted rows have no planes, but their search gives the same sets and degrees of freedom."""
    rng = np.random.default_rng(size)
    codes = rng.integers(0, 3, (7, 400))
    codes[1] = np.where(rng.random(400) < 0.7, codes[0], codes[1])
    codes[2] = np.where(rng.random(400) < 0.7, codes[1], codes[2])
    data = Dataset.from_codes(codes, [3] * 7, list("abcdefg"))
    edges = np.argwhere(np.triu(np.ones((7, 7), dtype=bool), 1))
    everyone = ~np.eye(7, dtype=bool)
    walks = LevelSearch(edges, everyone, size)
    ours = G2(data).separate(walks, 0.05)
    theirs = G2(data.merged()).separate(walks, 0.05)
    np.testing.assert_allclose(ours.log_p, theirs.log_p, rtol=1e-9)
    for name in ("dof", "cond", "n_tests", "tested"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("dtype_arity", [2, 3, MAX_STATES, 300], ids=["2", "3", "most", "beside a wide column"])
def test_planes_hold_one_bit_a_row_and_state(n, dtype_arity):
    """Each plane has one bit per row, also in the last word and for unseen states; bits after the last row are 0."""
    codes = np.random.default_rng(n).integers(0, dtype_arity, (2, n))
    codes[1] %= 2
    planes = bit_planes(Dataset.from_codes(codes, [dtype_arity, 3], ["a", "b"]), threads=1)
    bits = np.unpackbits(planes.planes.view(np.uint8), axis=1, bitorder="little")
    expected = [codes[v] == s for v, r in ((0, dtype_arity), (1, 3)) if r <= MAX_STATES for s in range(r)]
    assert np.array_equal(bits[:, :n], expected)
    assert not bits[:, n:].any()
    assert np.array_equal(planes.counts, bits.sum(axis=1))


def test_planes_are_left_out_where_they_would_not_pay():
    """Columns with too many states and tables with weights have no planes, and their codes are counted."""
    data = Dataset.from_codes([[0, 1], [0, 40], [1, 0]], [2, MAX_STATES + 9, 2], ["a", "b", "c"])
    planes = bit_planes(data)
    assert np.diff(planes.first).tolist() == [2, 0, 2]
    assert len(bit_planes(data.with_weights([1, 1])).planes) == 0
    assert bit_planes(data) is planes
    arity, none = data.arity, np.empty(0, dtype=np.int32)
    assert planes_win(arity, planes.first, 79, False, 5_000, 0, 2, none, 0)
    assert not planes_win(arity, planes.first, 79, False, 5_000, 0, 1, none, 0)
    assert not planes_win(arity, planes.first, 79, False, 5_000, 0, 2, np.array([1], dtype=np.int32), 1)
    wide = np.array([MAX_SHARED + 2, 2])
    assert not planes_win(wide, np.array([0, wide[0], wide[0] + 2]), 79, False, 5_000, 0, 1, none, 0)


def test_a_large_table_of_states_is_counted_from_the_codes():
    """With many strata and few rows, codes are counted, since one pass over the rows is cheaper."""
    arity, first = np.full(6, 8), np.arange(7) * 8
    cond = np.array([2, 3, 4, 5], dtype=np.int32)
    assert not planes_win(arity, first, 8, True, 500, 0, 1, cond, 4)
    assert planes_win(np.full(6, 2), np.arange(7) * 2, 400, True, 25_000, 0, 1, cond[:2], 2)


def test_popcounts_count_bits():
    """The popcounts of one array and of the AND of two arrays equal Python's."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2**63, (2, 9)).astype(np.uint64)
    out = np.zeros(9, dtype=np.uint64)
    assert count(a) == sum(int(word).bit_count() for word in a)
    assert count_and(a, b) == and_into(a, b, out) == sum(int(word).bit_count() for word in a & b)
    np.testing.assert_array_equal(out, a & b)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 4), (3, 2), (4, 1), (5, 3), (2, 0)])
def test_a_grid_of_popcounts_equals_single_popcounts(m, n):
    """All entries of a grid of popcounts are right, also those of an odd last row; rows are processed in pairs."""
    rng = np.random.default_rng(m + 8 * n)
    a, b = (rng.integers(0, 2**63, (rows, 9)).astype(np.uint64) for rows in (m, n))
    out = np.full((m, n + 1), -1)
    count_grid(a, b, out)
    assert out[:, :n].tolist() == [[sum(int(word).bit_count() for word in one & other) for other in b] for one in a]
    assert (out[:, n] == -1).all()


@pytest.mark.parametrize("n", [1, 64, 65, 500])
@pytest.mark.parametrize("arity", [[2, 3], [1, 2, 5, 16], [MAX_PAIRED_LEVELS - 1, 2]], ids=str)
def test_pairs_of_levels_are_counted_as_by_a_product(n, arity):
    """Planes and a product of matrices count the same pairs of levels, also where cells are missing."""
    rng = np.random.default_rng(n)
    codes = np.array([rng.integers(0, r + 1, n) for r in arity])
    counts = pair_counts(codes.astype(np.uint8), np.array(arity))
    assert np.array_equal(counts, pair_counts_by_product(codes.astype(np.uint8), np.array(arity)))
    levels = [(v, s) for v, r in enumerate(arity) for s in range(r)]
    expected = [[int(((codes[v] == s) & (codes[w] == t)).sum()) for w, t in levels[:20]] for v, s in levels[:20]]
    assert counts[:20, :20].tolist() == expected


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 99])
def test_levels_are_counted(n):
    """Each code of each column is counted, whichever number of rows is left after the last four."""
    arity = np.array([3, 1, 7])
    codes = np.random.default_rng(n).integers(0, arity[:, None], (3, n)).astype(np.uint16)
    first = np.concatenate([[0], np.cumsum(arity)])
    counts = np.zeros(int(first[-1]), dtype=np.int64)
    count_levels(codes, first, counts)
    expected = [np.bincount(row, minlength=r) for row, r in zip(codes, arity, strict=True)]
    assert counts.tolist() == np.concatenate(expected).tolist()


@pytest.mark.parametrize("levels", [4, MAX_STATES + 1], ids=["all have planes", "one has none"])
@pytest.mark.parametrize("share", [0.0, 0.2], ids=["complete", "with missing cells"])
def test_rows_in_each_level_are_the_same_from_planes_and_from_codes(levels, share):
    """Planes that a test has built change no count."""
    rng = np.random.default_rng(levels)
    arity = np.array([2, levels, 3, 1, 5])
    codes = np.where(rng.random((5, 300)) < share, -1, rng.integers(0, arity[:, None], (5, 300)))
    data = Dataset.from_codes(codes, arity, NAMES)
    found = []
    for prepare in (lambda: None, lambda: bit_planes(data)):
        prepare()
        counts, first = level_counts(data)
        found.append([counts[at : at + r].tolist() for at, r in zip(first, arity, strict=True)])
    expected = [np.bincount(row[row >= 0], minlength=r).tolist() for row, r in zip(codes, arity, strict=True)]
    assert found == [expected, expected]


@pytest.mark.parametrize("share", [0.0, 0.2], ids=["complete", "with missing cells"])
def test_pairs_of_levels_are_the_same_from_planes_and_by_product(share):
    """Columns with and without missing cells count as a product of indicators does."""
    rng = np.random.default_rng(7)
    arity = np.array([2, 4, 3, 1, 5])
    there = rng.random((5, 130)) >= share * np.array([[0], [1], [0], [1], [1]])
    codes = np.where(there, rng.integers(0, arity[:, None], (5, 130)), arity[:, None]).astype(np.uint8)
    assert pair_counts(codes, arity).tolist() == pair_counts_by_product(codes, arity).tolist()
