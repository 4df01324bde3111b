"""Tests of all counting methods against dictionaries: 1 to 300 levels, 0 to a million rows, weights, empty strata."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import BIC, BDeu, Dataset
from learners.common.progress import silent
from learners.data.bit_planes import MAX_STATES
from learners.independence import G2, LevelSearch
from learners.kernels.ci.evidence import log_p_of
from learners.kernels.counting.contingency import dense_g2, fill_strata, scalar_g2, sparse_g2
from learners.kernels.counting.cost_model import MAX_SHARED
from learners.kernels.counting.strata import planes_g2
from learners.kernels.scores.configurations import label_rows
from learners.kernels.scores.families import score_families
from tests import naive_scores, naive_tests

ONES = np.empty(0, dtype=np.int64)
SETS = [(), (2,), (3, 2), (2, 3, 4)]
MILLION = 1_000_000


def column(style: str, r: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw codes below r: uniform, skewed to the first level, constant, or only the first and last level."""
    if style == "even":
        return rng.integers(0, r, n)
    if style == "skewed":
        return np.minimum(rng.geometric(0.9, n) - 1, r - 1)
    if style == "constant":
        return np.full(n, int(rng.integers(r)))
    return rng.choice([0, r - 1], n)


@st.composite
def samples(draw, most_levels: int = 300, rows: tuple[int, ...] = (0, 1, 2, 63, 64, 65, 257)) -> Dataset:
    """Draw five columns of any arity and style.

    The second column may be a copy of the first; the rows may have weights, of which some are zero or huge.
    """
    levels = st.one_of(st.integers(1, 4), st.integers(1, most_levels))
    arity = draw(st.lists(levels, min_size=5, max_size=5))
    n = draw(st.sampled_from(rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    style = st.sampled_from(["even", "skewed", "constant", "ends"])
    codes = np.array([column(draw(style), r, n, rng) for r in arity]).reshape(5, n)
    if draw(st.booleans()):
        codes[1] = codes[0] % arity[1]
    top = draw(st.sampled_from([None, 1, 3, 10**9]))
    weights = None if top is None else rng.integers(0, top + 1, n)
    return Dataset.from_codes(codes, arity, list("abcde"), weights=weights)


def x_log_x(top: int) -> np.ndarray:
    counts = np.arange(min(top, 1 << 20) + 1, dtype=np.float64)
    counts[1:] *= np.log(counts[1:])
    return counts


def members(cond: tuple[int, ...]) -> np.ndarray:
    return np.array(cond, dtype=np.int32)


def distinct(data: Dataset) -> tuple[np.ndarray, list[int]]:
    """Return the distinct rows as columns, and their frequencies.

    The reference implementation is too slow for a million rows.
    """
    times: dict[tuple[int, ...], int] = {}
    weights = [1] * data.n_rows if data.weights is None else data.weights.tolist()
    for row, weight in zip(zip(*data.codes.tolist(), strict=True), weights, strict=True):
        times[row] = times.get(row, 0) + weight
    return np.array(list(times), dtype=np.int64).reshape(-1, data.p).T, list(times.values())


def agrees(answer: tuple[float, int], expected: tuple[float, int], n: int) -> bool:
    """Return True if (G²/2, dof) agrees with the expected (G², dof).

    Sums of c ln c over n rows have a rounding error of about 1e-15 n ln n.
    """
    rounding = 1e-8 + 1e-13 * n * math.log(n + 1)
    return answer[1] == expected[1] and 2.0 * answer[0] == pytest.approx(expected[0], rel=1e-9, abs=rounding)


def by_codes(data: Dataset, cond: tuple[int, ...]) -> list[tuple[float, int]]:
    """Return (G²/2, dof) of the first two columns from a dense table, from hashing, and from the automatic choice."""
    weights = ONES if data.weights is None else data.weights
    z, xlogx, codes, arity = np.empty(data.n_rows, dtype=np.int64), x_log_x(data.n), data.codes, data.arity
    answers = [scalar_g2(codes, arity, weights, 0, 1, members(cond), len(cond), xlogx, z)]
    for kernel in (dense_g2, sparse_g2):
        q = fill_strata(codes, arity, members(cond), len(cond), z)
        if kernel is sparse_g2 or q * arity[0] * arity[1] <= 1 << 18:
            answers.append(kernel(codes[0], codes[1], arity[0], arity[1], weights, z, q, xlogx))
    return answers


def by_planes(data: Dataset, cond: tuple[int, ...], *, paired: bool) -> tuple[float, int]:
    """Return (G²/2, dof) of the first two columns from bit planes, ignoring the cost model."""
    test = G2(data, threads=1)
    if paired:
        test._prepare("", silent)
    return planes_g2(test._sample, 0, 1, members(cond), len(cond), test._scratch(len(cond)))


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(samples(), st.sampled_from(SETS))
def test_tables_from_codes_equal_their_reference(data, cond):
    """The counts are right from dense, hashed and chosen tables, with weights that sum to billions and without rows."""
    expected = naive_tests.g2(data.codes, 0, 1, cond, data.weights)
    for answer in by_codes(data, cond):
        assert agrees(answer, expected, data.n)


@settings(max_examples=60, deadline=None)
@given(samples(most_levels=5, rows=(1, 511, 512, 513, 2_000)), st.sampled_from(SETS))
def test_tables_counted_block_by_block_give_the_same_digits(data, cond):
    """Whether small tables are counted in parts or not, G² is that of one pass over the rows, bit for bit."""
    data = data.with_weights(None)
    chosen, dense, _ = by_codes(data, cond)
    assert chosen == dense


@pytest.mark.parametrize("paired", [False, True], ids=["alone", "pairs known"])
@settings(max_examples=80, deadline=None)
@given(samples(most_levels=MAX_STATES, rows=(1, 2, 63, 64, 65, 257)), st.sampled_from(SETS))
def test_tables_from_planes_equal_their_reference(paired, data, cond):
    """The counts are right up to the largest number of states with planes and of shared masks."""
    data = data.with_weights(None)
    if (data.arity[0] - 1) * (data.arity[1] - 1) > MAX_SHARED:
        data = Dataset.from_codes(data.codes % 9, np.minimum(data.arity, 9), data.names)
    expected = naive_tests.g2(data.codes, 0, 1, cond)
    assert agrees(by_planes(data, cond, paired=paired), expected, data.n)


@pytest.mark.parametrize("wide", [0, 1, 4], ids=["first", "between", "last"])
def test_a_column_without_planes_does_not_affect_other_pairs(wide):
    """A column without planes has no rows in the table of pairs, whatever its position."""
    rng = np.random.default_rng(wide)
    arity = np.where(np.arange(5) == wide, MAX_STATES + 1, 3)
    data = Dataset.from_codes([rng.integers(0, r, 200) for r in arity], arity, list("abcde"))
    test, nobody = G2(data), np.zeros((5, 5), dtype=bool)
    for x, y, z in permutations([k for k in range(5) if k != wide], 3):
        near = nobody.copy()
        near[x, z] = True
        for cond in [(), (z,)]:
            outcome = test.separate(LevelSearch(np.array([[x, y]]), near, len(cond)), 0.05)
            expected, dof = naive_tests.g2(data.codes, x, y, cond)
            assert outcome.statistic[0] == pytest.approx(expected, rel=1e-9)
            assert outcome.dof[0] == dof


@settings(max_examples=60, deadline=None)
@given(samples(), st.sampled_from([0, 1, 2]), st.sampled_from(["adjusted", "plain"]))
def test_set_searches_over_mixed_columns_equal_single_tests(data, size, dof):
    """The hardest set of each search is right if some columns have planes and others do not."""
    if data.n == 0:
        return
    edges = np.array([(x, y) for x in range(5) for y in range(x + 1, 5)])
    test = G2(data, dof=dof, threads=1)
    outcome = test.separate(LevelSearch(edges, ~np.eye(5, dtype=bool), size), 0.05)
    for e, (x, y) in enumerate(edges.tolist()):
        cond = tuple(outcome.cond[e].tolist())
        statistic, adjusted = naive_tests.g2(data.codes, x, y, cond, data.weights)
        expected = naive_tests.plain_dof(data.arity, x, y, cond) if dof == "plain" else adjusted
        assert outcome.dof[e] == expected
        rounding = 1e-8 + 1e-13 * data.n * math.log(data.n + 1)
        assert outcome.statistic[e] == pytest.approx(statistic, rel=1e-9, abs=rounding)
        # Near 0, a rounding error of the statistic changes ln p by its root, so each has the p of its own statistic.
        alone = G2(data, dof=dof).test(x, y, cond)
        assert alone.statistic == pytest.approx(outcome.statistic[e], rel=1e-9, abs=rounding)
        for value, log_p in ((outcome.statistic[e], outcome.log_p[e]), (alone.statistic, alone.log_p)):
            assert log_p == pytest.approx(log_p_of(value, expected, True), rel=1e-9, abs=1e-12)  # noqa: FBT003


@settings(max_examples=60, deadline=None)
@given(samples(), st.sampled_from([0.0, 1.0]), st.sampled_from([(), (1,), (4, 3)]))
def test_scores_of_families_equal_their_reference(data, ess, parents):
    """BIC and BDeu are right for single families and for families with a candidate, however the strata are counted."""
    if data.n == 0:
        return
    score = BDeu(data, ess=ess) if ess else BIC(data)
    out = np.empty(2)
    score_families(score.sample, 0, np.array(parents, dtype=np.int64), np.array([-1, 2]), out)
    weights = np.ones(data.n_rows, dtype=int) if data.weights is None else data.weights
    penalty = 0.0 if ess else 0.5 * math.log(data.n)
    for value, family in zip(out.tolist(), [parents, (*parents, 2)], strict=True):
        expected = naive_scores.discrete_score(data.codes, data.arity, weights, 0, family, ess=ess, penalty=penalty)
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-8 + 1e-13 * data.n * math.log(data.n + 1))


@settings(max_examples=60, deadline=None)
@given(samples(), st.permutations([0, 1, 2, 3, 4]))
def test_rows_share_a_label_iff_they_share_a_configuration(data, parents):
    """Labels are 0 .. q - 1, even if the product of the arities overflows an integer."""
    label = np.empty(data.n_rows, dtype=np.int64)
    q = label_rows(data.codes, data.arity, np.array(parents, dtype=np.int64), label)
    rows = list(zip(*data.codes.tolist(), strict=True))
    if rows:
        assert set(label.tolist()) == set(range(q))
    assert len(set(zip(label.tolist(), rows, strict=True))) == len(set(rows)) == len(set(label.tolist()))


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize(
    ("arity", "cond"),
    [
        ((2, 3, 2, 4, 2), (2, 3)),
        ((4, 4, 4, 4, 4), (2, 3, 4)),
        ((3, 2, 5, 1, 1), (2, 3)),
        ((7, 9, 30, 2, 2), (2,)),
        ((300, 300, 1, 1, 1), ()),
        ((40, 300, 120, 2, 2), (2,)),
        ((300, 200, 300, 250, 2), (2, 3)),
    ],
    ids=str,
)
def test_counts_of_a_million_rows_equal_their_reference(arity, cond, weighted):
    """The counts of a million rows are right by codes, by planes if available, and by the automatic choice."""
    rng = np.random.default_rng(len(cond))
    pool = np.array([rng.integers(0, r, 5_000) for r in arity])
    pool[1] = np.where(rng.random(5_000) < 0.3, pool[0] % arity[1], pool[1])
    codes = pool[:, rng.integers(0, 5_000, MILLION)]
    weights = rng.integers(0, 3, MILLION) if weighted else None
    data = Dataset.from_codes(codes, arity, list("abcde"), weights=weights)
    rows, times = distinct(data)
    expected = naive_tests.g2(rows, 0, 1, cond, times)
    answers = by_codes(data, cond)
    if not weighted and (arity[0] - 1) * (arity[1] - 1) <= MAX_SHARED:
        answers += [by_planes(data, cond, paired=False), by_planes(data, cond, paired=True)]
    for answer in answers:
        assert agrees(answer, expected, data.n)
    result = G2(data).test(0, 1, cond)
    assert agrees((result.statistic / 2.0, result.dof), expected, data.n)
    for score, ess in ((BIC(data), 0.0), (BDeu(data), 1.0)):
        penalty = 0.0 if ess else 0.5 * math.log(data.n)
        family = naive_scores.discrete_score(rows, arity, times, 0, cond, ess=ess, penalty=penalty)
        assert score.local(0, cond) == pytest.approx(family, rel=1e-9)
