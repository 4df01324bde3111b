"""Tests of the test for curved relations."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.polynomial import legendre
from scipy.stats import chi2, rankdata

from benchmarks.basis_functions import independent_pair
from learners import BasisTest, Dataset, FisherZ, learn
from learners.common.errors import DataError
from learners.completion.completed import with_completion
from learners.families.catalogue import LEARNERS
from learners.independence.ci_test import CITest
from tests import naive_mixed
from tests.learners.independence.test_degenerate_gaussian import walks

WITH_CURVES = [
    key
    for key, learner in LEARNERS.items()
    if any(one.name == "test" and "basis" in one.choices for one in learner.parameters_for("continuous"))
]


def table(seed: int, n: int = 300) -> Dataset:
    """Return four numbers of curved relations and two categorical columns that depend on them."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, n))
    c = a**2 + np.sin(2 * b) + rng.normal(size=n)
    d = np.exp(c / 3) + 0.5 * rng.normal(size=n)
    levels = [pd.Categorical.from_codes(np.digitize(v + rng.normal(size=n), [-0.5, 0.7]), list("uvw")) for v in (a, d)]
    return Dataset.from_frame(pd.DataFrame({"a": a, "e": levels[0], "b": b, "c": c, "d": d, "f": levels[1]}))


DATA = table(1)


def _columns(data: Dataset, j: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the line, the curves and the columns that are adjusted for, NaN where a cell is missing."""
    cells = data.to_frame().iloc[:, j]
    there = cells.notna().to_numpy()
    if data.kinds[j] == "categorical":
        codes = cells.cat.codes.to_numpy()
        line = np.array([codes == level for level in range(1, len(cells.cat.categories))], dtype=float).T
        line[~there] = np.nan
        return line, line[:, :0], line
    values = cells.to_numpy(float)
    z = (values - np.nanmean(values)) / np.nanstd(values)
    near = np.clip(z, -4, 4)
    ranks = np.full(len(values), np.nan)
    ranks[there] = (2 * rankdata(values[there]) - 1) / there.sum() - 1
    p1, p2, p3 = (legendre.Legendre.basis(k)(ranks) for k in (1, 2, 3))
    return z[:, None], np.column_stack([p2, p3]), np.column_stack([z, near**2, near**3, p1, p2, p3])


def _log_ratio(x: np.ndarray, y: np.ndarray, given: np.ndarray) -> float:
    """Return ln Λ of residuals: |S of (x, y)| / (|S of x| |S of y|)."""
    given = np.column_stack([np.ones(len(x)), given])
    basis, sizes, _ = np.linalg.svd(given, full_matrices=False)
    basis = basis[:, sizes > 1e-9 * sizes[0]]
    rx, ry = (v - basis @ (basis.T @ v) for v in (x, y))
    both = np.column_stack([rx, ry])
    logs = [np.linalg.slogdet(v.T @ v)[1] for v in (both, rx, ry)]
    return logs[0] - logs[1] - logs[2]


def naive(data: Dataset, x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float, int]:
    """Return (statistic, degrees of freedom, rows)."""
    own = [_columns(data, j) for j in (x, y, *cond)]
    rows = ~np.isnan(np.column_stack([part[0] for part in own])).any(axis=1)
    (line_x, curves_x, _), (line_y, curves_y, _) = ([v[rows] for v in part] for part in own[:2])
    n = int(rows.sum())
    given = np.column_stack([np.empty((n, 0)), *(part[2][rows] for part in own[2:])])
    statistic, dof = 0.0, 0.0
    for one, other, fixed in (
        (line_x, line_y, given),
        (line_x, curves_y, np.column_stack([given, line_y])),
        (line_y, curves_x, np.column_stack([given, line_x])),
    ):
        if other.shape[1]:
            m = n - 1 - fixed.shape[1] - (one.shape[1] + other.shape[1] + 1) / 2
            statistic -= m * _log_ratio(one, other, fixed)
            dof += one.shape[1] * other.shape[1]
    return statistic, dof, n


@pytest.mark.parametrize("share", [0.0, 0.1])
@pytest.mark.parametrize(
    ("x", "y", "cond"), [(0, 3, ()), (0, 2, (3,)), (0, 4, (3, 2)), (1, 3, (0,)), (1, 5, (4, 0)), (0, 2, (5,))]
)
def test_statistic_is_the_sum_of_three_ratios(x, y, cond, share):
    data = naive_mixed.with_holes(DATA, share, seed=3) if share else DATA
    found = BasisTest(data).test(x, y, cond)
    statistic, dof, n = naive(data, x, y, cond)
    assert (found.dof, found.n or data.n) == (dof, n)
    assert found.statistic == pytest.approx(statistic, rel=1e-6)
    assert found.p_value == pytest.approx(chi2.sf(statistic, dof), rel=1e-4)
    assert BasisTest(data).test(y, x, cond) == found


@pytest.mark.deep
def test_curves_are_found_and_common_causes_are_adjusted_for():
    """Fisher's z misses a square and joins two effects of curved causes; this test does neither."""
    x, noise = np.linspace(-1, 1, 500), np.random.default_rng(0).normal(0, 0.1, 500)
    square = Dataset.from_values(np.column_stack([x, x**2 + noise]), ["x", "y"])
    assert FisherZ(square).test(0, 1).p_value > 0.05
    assert BasisTest(square).test(0, 1).log_p < -50
    for curve in ("line", "square", "sine"):
        p = [BasisTest(independent_pair(500, 2, curve, 920_001 + k)).test(0, 1, (2, 3)).p_value for k in range(40)]
        assert np.mean(np.array(p) < 0.05) <= 0.2
    assert FisherZ(independent_pair(500, 2, "square", 920_001)).test(0, 1, (2, 3)).log_p < -20


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_no_unit_changes_the_result(unit):
    values = DATA.select([0, 2, 3, 4])
    scaled = Dataset.from_values(values.values * [unit, 1.0, unit, 1.0], values.names)
    for x, y, cond in ((0, 2, ()), (0, 3, (2,))):
        found, expected = (BasisTest(data).test(x, y, cond).statistic for data in (scaled, values))
        assert found == pytest.approx(expected, rel=1e-6)


def test_rows_with_counts_have_the_moments_of_repeated_rows():
    """The statistic is that of the repeated rows but for the number of rows in Bartlett's factor."""
    counts = np.random.default_rng(2).integers(1, 4, DATA.n_rows)
    weighed, repeated = replace(DATA, weights=counts), DATA.take(np.repeat(np.arange(DATA.n_rows), counts))
    for x, y, cond in ((0, 3, ()), (1, 3, (2, 0))):
        found, expected = (BasisTest(data).test(x, y, cond) for data in (weighed, repeated))
        assert found.dof == expected.dof
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-7)


def test_columns_without_curves():
    """A binary number has no curve, a constant is independent of all, and a copy is never tested as independent."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=200)
    values = np.column_stack([x, (x > 0) + 0.0, np.full(200, 3.0), x])
    test = BasisTest(Dataset.from_values(values, list("xbck")))
    assert test.test(0, 1).dof == 3.0  # the lines, and the two curves of x
    assert (test.test(0, 2).dof, test.test(0, 2).p_value) == (0.0, 1.0)
    assert test.test(0, 3).log_p < -100
    assert test.test(1, 2, (0,)).p_value == 1.0


@pytest.mark.compiled
def test_completed_cells_are_averaged_over_the_drawn_tables():
    """Curved relations are found in imputed tables; on complete rows, the statistic is that without imputation."""
    holes = with_completion(naive_mixed.with_holes(DATA, 0.1, seed=3))
    assert BasisTest(holes).test(0, 3).log_p < -20
    whole = holes.take(np.flatnonzero([all(holes.is_there(j)[i] for j in range(6)) for i in range(holes.n_rows)]))
    plain = Dataset.from_frame(whole.to_frame())
    assert BasisTest(whole).test(0, 3, (2,)).statistic == pytest.approx(BasisTest(plain).test(0, 3, (2,)).statistic)


def test_too_many_columns_with_missing_cells_are_refused_with_a_way_out():
    values = np.random.default_rng(0).normal(size=(60, 80))
    values[0, 0] = np.nan
    with pytest.raises(DataError, match="basis functions make 800 columns of 60 rows.*let missing cells be imputed"):
        BasisTest(Dataset.from_values(values, [f"v{k}" for k in range(80)]))


@pytest.mark.gate_cases(3)
@pytest.mark.compiled
@pytest.mark.parametrize("share", [0.0, 0.1])
@pytest.mark.parametrize("which", [1, 3, 5])
@pytest.mark.parametrize("threads", [1, 2])
def test_set_searches_equal_single_tests(share, which, threads):
    """Set searches give the same sets, counts and hardest tests as single tests, for any number of threads."""
    data = naive_mixed.with_holes(DATA, share, seed=9)
    asked = walks(6)[which]
    test, slow = BasisTest(data, threads=threads), BasisTest(data)
    found, expected = test.separate(asked, 0.05), CITest.separate(slow, asked, 0.05)
    for name in ("n_tests", "cond", "log_p", "statistic"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert (test.n_tests, test.rows_used) == (slow.n_tests, slow.rows_used)


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("key", WITH_CURVES)
def test_every_learner_of_tests_takes_it(key):
    """Every learner with tests of numbers takes the test for continuous and mixed tables, with missing cells."""
    numbers = DATA.select([0, 2, 3, 4])
    for data in (numbers, naive_mixed.with_holes(DATA, 0.05, seed=6)):
        if LEARNERS[key].refusal(data) is None:
            result = learn(key, data, test="basis")
            assert result.params["test"] == "basis"
            assert all(math.isnan(event.dof) or event.dof >= 1 for event in result.trace if event.n_tests)


def test_every_learner_with_fishers_z_offers_it():
    assert len(WITH_CURVES) > 10
    assert {"pc", "mmpc", "h2pc", "ppc", "path", "fci", "rai"} <= set(WITH_CURVES)
