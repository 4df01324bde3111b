"""Pearson's X² against all permutations of its rows."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import chi2, norm

from learners.kernels.ci.permuted_x2 import MAX_DOF, fitted_chi2, permuted_x2

ONES = np.empty(0, dtype=np.int64)
STRATA = {
    "two by two": [("0001", "0111")],
    "three rows": [("001", "011")],
    "two rows": [("01", "10")],
    "one row": [("0", "1")],
    "all different": [("0123", "0011")],
    "one level": [("0000", "0123")],
    "five rows": [("00112", "01122")],
    "six rows": [("000112", "011122")],
    "seven rows": [("0001122", "0111112")],
    "skewed": [("0000001", "0000122")],
    "several": [("00112", "01122"), ("0", "2"), ("001", "120"), ("01", "21"), ("0012", "1112")],
}


def scaled_x2(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """Return (n - 1)/n X² from its cells."""
    n, cells, rows, columns = len(a), Counter(zip(a, b, strict=True)), Counter(a), Counter(b)
    expected = {(i, j): rows[i] * columns[j] / n for i in rows for j in columns}
    return (n - 1) / n * sum((cells[cell] - e) ** 2 / e for cell, e in expected.items())


def moments_of_all(strata: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> tuple[float, float, float]:
    """Return the excess over the mean of all permutations, the variance and the third central moment."""
    excess, variance, skew = 0.0, 0.0, 0.0
    for a, b in strata:
        values = np.array([scaled_x2(a, other) for other in permutations(b)])
        excess += scaled_x2(a, b) - values.mean()
        variance += values.var()
        skew += ((values - values.mean()) ** 3).mean()
    return excess, variance, skew


def levels_of(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


@pytest.mark.parametrize("name", STRATA)
def test_moments_are_those_of_all_permutations(name):
    """Excess, variance and third moment equal those of all orders of the rows; rows can come in any order."""
    strata = [(levels_of(a), levels_of(b)) for a, b in STRATA[name]]
    table = np.array([(i, j, s) for s, (a, b) in enumerate(strata) for i, j in zip(a, b, strict=True)], dtype=np.uint8)
    codes = np.ascontiguousarray(np.random.default_rng(0).permutation(table).T)
    arity = np.array([4, 4, len(strata)])
    cond = np.array([2], dtype=np.int32)
    *found, rows = permuted_x2(codes, arity, arity, ONES, 0, 1, cond)
    np.testing.assert_allclose(found, moments_of_all(strata), atol=1e-9)
    assert rows == len(table)
    np.testing.assert_allclose(permuted_x2(codes, arity, arity, ONES, 1, 0, cond)[:3], found, atol=1e-9)


def test_weights_are_equal_rows_and_missing_cells_leave_their_row_out():
    rng = np.random.default_rng(1)
    codes, arity = rng.integers(0, 3, (3, 60)).astype(np.uint8), np.array([3, 3, 3])
    weights, cond = rng.integers(1, 4, 60), np.array([2], dtype=np.int32)
    repeated = np.ascontiguousarray(codes.repeat(weights, axis=1))
    expected = permuted_x2(repeated, arity, arity, ONES, 0, 1, cond)
    np.testing.assert_allclose(permuted_x2(codes, arity, arity, weights, 0, 1, cond), expected, rtol=1e-9)
    gone = codes.copy()
    gone[rng.integers(0, 3, 20), np.arange(20)] = 3
    expected = permuted_x2(np.ascontiguousarray(codes[:, 20:]), arity, arity, ONES, 0, 1, cond)
    np.testing.assert_allclose(permuted_x2(gone, arity, arity + 1, ONES, 0, 1, cond), expected, rtol=1e-9)


def test_many_rows_have_the_chi2_distribution():
    """With 20,000 rows the variance is twice and the third moment eight times the degrees of freedom, within 1 %."""
    codes = np.random.default_rng(2).integers(0, 4, (2, 20_000)).astype(np.uint8)
    arity = np.array([4, 4])
    _, variance, skew, _ = permuted_x2(codes, arity, arity, ONES, 0, 1, np.empty(0, dtype=np.int32))
    assert variance == pytest.approx(18.0, rel=0.01)
    assert skew == pytest.approx(72.0, rel=0.01)


def test_p_is_that_of_the_statistic_and_its_degrees_of_freedom():
    for excess, variance, skew in product((-2.0, 0.0, 1.5, 30.0), (0.5, 9.0), (0.1, 40.0)):
        log_p, statistic, dof = fitted_chi2(excess, variance, skew)
        assert log_p == pytest.approx(chi2.logsf(statistic, dof), abs=1e-9)
        assert math.sqrt(8.0 / dof) == pytest.approx(skew / variance**1.5)
    assert fitted_chi2(1.0, 0.0, 0.0) == (0.0, 0.0, 0.0)
    for skew in (0.0, -1.0):  # the normal distribution, whose upper tail is the longer one if the skew is negative
        log_p, _, dof = fitted_chi2(3.0, 4.0, skew)
        assert (log_p, dof) == (pytest.approx(norm.logsf(1.5)), MAX_DOF)
