"""Tests of G² with a trend test between columns with ordered levels."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import chi2

from learners import G2, DataError, Dataset, OrderedG2, learn, pc
from learners.explaining.explanation import explanation
from learners.independence.selection import ci_test_for
from learners.kernels.ci.permuted_x2 import fitted_chi2, permuted_x2
from tests import naive_tests

NAMES = ("a", "b", "c", "d", "e")
NAMES_OF_SETS = tuple("xyabcd")
NONE = np.empty(0, dtype=np.int64)


def table(seed: int, n: int = 120, missing: float = 0.0) -> Dataset:
    """Return five columns of 2 to 4 levels that each depend on the previous ones."""
    rng = np.random.default_rng(seed)
    arity = [3, 4, 2, 3, 4]
    total, codes = rng.normal(size=n), []
    for r in arity:
        codes.append(np.clip(np.round(total + rng.normal(size=n) + r / 2 - 0.5), 0, r - 1))
    codes = np.array(codes, dtype=np.int64)
    if missing:
        codes[rng.random(codes.shape) < missing] = -1
    return Dataset.from_codes(codes, arity, NAMES)


@pytest.mark.parametrize("cond", [(), (2,), (1, 3)])
@pytest.mark.parametrize("weighed", ["", "counts", "survey", "worth"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_the_smaller_weighted_p_of_both_counts(cond, weighed, missing):
    """The trend takes 2/3 of alpha, the test of the table 1/3; rows with a missing cell do not count."""
    data = table(3, missing=missing)
    rng = np.random.default_rng(4)
    if weighed in ("counts", "survey"):
        weights = rng.integers(1, 4, data.n_rows)
        data = data.with_weights(weights if weighed == "counts" else weights / 2.5)
    elif weighed == "worth":
        data = data.with_independence(0.5)
    shares = np.ones(data.n_rows) if data.shares is None else data.shares
    used = [0, 4, *cond]
    rows = np.flatnonzero(np.logical_and.reduce([data.is_there(k) for k in used]))
    # Midranks use all rows that have the column, so the reference gets rows without missing cells in the others.
    expected = naive_tests.linear_by_linear(data.codes.T[rows].tolist(), shares[rows].tolist(), 0, 4, cond)
    test, plain = OrderedG2(data.with_ordered_levels(NAMES)), G2(data).test(0, 4, cond)
    found = test.test(0, 4, cond)
    of_table = plain.log_p, plain.statistic, plain.dof
    if weighed in ("", "counts"):
        whole = np.ascontiguousarray(data.codes[:, rows].repeat(shares[rows].astype(int), axis=1))
        of_table = fitted_chi2(*permuted_x2(whole, data.arity, data.arity, NONE, 0, 4, np.array(cond, np.int32))[:3])
    if not missing:
        smaller = min(float(chi2.logsf(*expected)) - math.log(2 / 3), of_table[0] - math.log(1 / 3))
        assert found.log_p == pytest.approx(min(smaller, 0.0), rel=1e-6)
    if found.dof == 1:
        assert found.statistic == pytest.approx(expected[0], rel=0.1 if missing else 1e-6)
    else:
        assert (found.statistic, found.dof) == pytest.approx(of_table[1:])
    assert found.n == plain.n
    assert test.test(4, 0, cond) == found


def test_pairs_without_an_order_have_g2_alone():
    """Pairs without an order have only G²; an ordered and a nominal column have a trend only if that one is binary."""
    data = table(5)
    test, plain = OrderedG2(data.with_ordered_levels(["a", "b"])), G2(data)
    for pair in ((0, 3), (2, 3), (3, 4)):
        assert test.test(*pair) == plain.test(*pair)
    for pair in ((0, 1), (0, 2)):
        assert test.test(*pair) != plain.test(*pair)


def test_the_trend_decides_where_the_power_rule_forbids_g2():
    data = table(7)
    plain = G2(data, rows_per_cell=100.0).test(0, 1)
    found = OrderedG2(data.with_ordered_levels(NAMES), rows_per_cell=100.0).test(0, 1)
    expected = naive_tests.linear_by_linear(data.codes.T.tolist(), [1.0] * data.n, 0, 1, ())
    assert not plain.tested
    assert found.tested
    assert found.log_p == pytest.approx(float(chi2.logsf(*expected)))


def test_reversed_levels_change_nothing():
    data = table(6)
    back = Dataset.from_codes((np.array([[3], [4], [2], [3], [4]]) - 1 - data.codes).astype(int), data.arity, NAMES)
    for cond in ((), (1,), (1, 2)):
        one, other = (OrderedG2(one.with_ordered_levels(NAMES)).test(0, 4, cond) for one in (data, back))
        assert one.log_p == pytest.approx(other.log_p)


def test_a_trend_without_variation_is_independence():
    data = Dataset.from_codes(np.array([[0, 1, 2, 0], [1, 1, 1, 1], [0, 1, 2, 3]]), [3, 3, 4], list("xyz"))
    test = OrderedG2(data.with_ordered_levels(data.names))
    assert test.test(0, 1).p_value == 1.0
    assert test.test(0, 1, (2,)).p_value == 1.0


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("skewed", [False, True])
@pytest.mark.parametrize("levels", [3, 6])
def test_type_one_error_holds_for_sets_of_any_size(levels, skewed):
    """At 5 %, at most 5 % and two standard errors of 600 independent pairs are rejected, for sets of 0 to 4 columns.

    Each size has 120 tables (seed 910045) of 100 or 300 rows, in which both columns depend on the whole set. G² rejects
    more than 30 % of them.
    """
    share = 0.55 ** np.arange(levels) if skewed else np.ones(levels)
    ends = np.cumsum(share / share.sum())[:-1]

    def cut(values: np.ndarray) -> np.ndarray:
        return np.searchsorted(np.quantile(values, ends), values)

    rejected, of_g2 = 0, 0
    for size, seed in product(range(5), range(120)):
        rng, given = np.random.default_rng([910_045, levels, skewed, size, seed]), []
        n = (100, 300)[seed % 2]
        for _ in range(size):
            given.append(cut(rng.normal(size=n) + 0.3 * sum(given)))
        codes = np.array([*(cut(rng.normal(size=n) + 0.5 * sum(given)) for _ in range(2)), *given])
        data = Dataset.from_codes(codes, [levels] * len(codes), NAMES_OF_SETS[: len(codes)])
        test, cond = OrderedG2(data.with_ordered_levels(data.names)), range(2, len(codes))
        rejected += test.test(0, 1, cond).p_value <= 0.05
        of_g2 += G2(data).test(0, 1, cond).p_value <= 0.05
    assert rejected <= 600 * 0.05 + 2 * math.sqrt(600 * 0.05 * 0.95)
    assert of_g2 > (60 if skewed else 180)


def test_a_trend_is_found_that_g2_misses():
    data = table(8, n=60).with_ordered_levels(NAMES)
    ordered = pc(OrderedG2(data), alpha=0.01).graph.n_edges
    assert ordered > pc(G2(data), alpha=0.01).graph.n_edges


def test_with_many_rows_learners_use_g2_alone():
    """With more than 1,000 rows, learners use G² alone and find the same edges as for plain levels."""
    for n, kind in ((1_000, OrderedG2), (1_001, G2)):
        assert type(ci_test_for(table(9, n=n).with_ordered_levels(NAMES))) is kind
    data = table(9, n=1_001)
    plain, ordered = learn("pc", data), learn("pc", data.with_ordered_levels(NAMES))
    assert ordered.rows.ordered is None
    assert plain.graph == ordered.graph


def test_learners_use_the_order_by_default():
    """By default learners use the trend test for ordered levels; the order of the columns has no effect."""
    data = table(9, n=400)
    plain, ordered = learn("pc", data), learn("pc", data.with_ordered_levels(NAMES))
    assert plain.rows.ordered is None
    assert ordered.rows.ordered.all()
    assert (ordered.trace.dof == 1).sum() > (plain.trace.dof == 1).sum()
    said = [
        [" ".join(explanation(one, pair).sentences) for pair in combinations(range(5), 2)] for one in (plain, ordered)
    ]
    assert not any("M² = " in text for text in said[0])
    assert any("M² = " in text and "dof 1" in text for text in said[1])
    order = [4, 2, 0, 1, 3]
    turned = learn("pc", data.with_ordered_levels(NAMES).reordered(order))
    assert (turned.graph.amat == ordered.graph.amat[np.ix_(order, order)]).all()


def test_only_categorical_columns_are_ordered():
    data = Dataset.from_values(np.arange(8.0).reshape(4, 2), ["u", "v"])
    with pytest.raises(DataError, match="'u' must have levels"):
        data.with_ordered_levels(["u"])
