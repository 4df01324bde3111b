"""Tests of the regression test: a reference implementation, fallbacks, calibration, separation, set searches."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import type_one
from learners import G2, Dataset, DegenerateGaussian, Regression, learn
from learners.independence.ci_test import CITest
from learners.kernels.ci import regression
from learners.registry import LEARNERS
from learners.settings.reference import defaults_of
from learners.settings.shared import TEST_OF_BOTH
from tests import naive_mixed
from tests.learners.independence.test_degenerate_gaussian import questions, walks

DATA = naive_mixed.mixed_rows(7, 400, seed=1)
CATEGORICAL = [k for k in range(7) if DATA.kinds[k] == "categorical"]
TAKE_IT = [key for key, one in LEARNERS.items() if TEST_OF_BOTH in one.settings]


def with_a_number(most: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return every pair of categorical variables with every set that has a continuous member."""
    return [
        (x, y, cond)
        for x, y, cond in questions(7, most)
        if {x, y} <= set(CATEGORICAL) and not set(cond) <= set(CATEGORICAL)
    ]


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("share", [0.0, 0.1, [0.2, 0, 0, 0.3, 0, 0, 0]], ids=str)
def test_agrees_with_an_optimiser(share):
    """The statistic equals the likelihood ratio of two fits on the complete rows, found by a general optimiser."""
    data = naive_mixed.with_holes(DATA, share, seed=2)
    test, plain = Regression(data), DegenerateGaussian(data)
    for x, y, cond in with_a_number(3):
        result, (statistic, n) = test.test(x, y, cond), naive_mixed.logistic_ratio(data, x, y, cond)
        assert result.n == (None if share == 0.0 else n)
        assert result.statistic == pytest.approx(statistic, rel=1e-4, abs=1e-4)
        assert result.dof == plain.test(x, y, cond).dof
        assert result.p_value == pytest.approx(naive_mixed.chi2_sf(result.statistic, result.dof), rel=1e-7)


def test_numbers_are_left_to_linear_regression_and_tables_to_g2():
    """A continuous x or y gives the result of `dg`; categorical columns give G² if there are 100 rows per cell."""
    many = naive_mixed.mixed_rows(7, 1_300, seed=1)
    test, plain, counts = Regression(many), DegenerateGaussian(many), G2(many.select(CATEGORICAL))
    for x, y, cond in questions(7, 2):
        if not {x, y} <= set(CATEGORICAL):
            assert repr(test.test(x, y, cond)) == repr(plain.test(x, y, cond))  # repr compares NaN as equal
        elif not cond:
            own = counts.test(CATEGORICAL.index(x), CATEGORICAL.index(y))
            assert test.test(x, y).statistic == pytest.approx(own.statistic, rel=1e-9)
    few = DATA.take(range(90))
    assert Regression(few).test(3, 5).statistic == pytest.approx(naive_mixed.logistic_ratio(few, 3, 5, ())[0], rel=1e-4)


def test_few_rows_a_coefficient_are_left_to_linear_regression():
    """With fewer than ten rows per coefficient, here 80 for eight, the test falls back to `dg`."""
    for n, same in ((79, True), (80, False)):
        rows = DATA.take(range(n))
        assert (Regression(rows).test(3, 5).statistic == DegenerateGaussian(rows).test(3, 5).statistic) == same


def test_a_fit_that_all_share_is_the_fit_that_each_makes():
    """A cached fit gives the same result to the last bit and is computed only once."""
    test = Regression(DATA)
    scratch = test._full_scratch(2)
    cond = np.array([0, 2], dtype=np.int32)
    kept = regression.decide_regression(test._full, 1, 3, cond, 2, scratch)
    assert regression.decide_regression(test._full, 1, 3, cond, 2, scratch) == kept
    assert regression.decide_regression(test._full, 1, 5, cond, 2, scratch)[0] == test.test(1, 5, (0, 2)).statistic
    assert (scratch.fits.keys[:, 0] >= 0).sum() == 1


@pytest.mark.parametrize(("x", "y"), [("two", "three"), ("three", "four"), ("two", "number")])
def test_perfect_prediction_ends_the_regression_and_is_reported(x, y):
    """If a column determines a level, the statistic stays finite and a warning is added."""
    rng = np.random.default_rng(3)
    z = rng.normal(size=200)
    cut = {name: np.searchsorted(np.linspace(-1, 1, r - 1), z) for name, r in (("two", 2), ("three", 3), ("four", 4))}
    frame = pd.DataFrame({name: pd.Categorical(codes) for name, codes in cut.items()} | {"number": z, "other": z**2})
    data = Dataset.from_frame(frame)
    test = Regression(data)
    assert test.warnings == ()
    given = test.test(data.index(x), data.index(y), (data.index("other"),))
    assert np.isfinite(given.statistic)
    assert given.p_value < 1e-9
    known = test.test(data.index("two"), data.index("four"), (data.index("number"),))
    assert known.p_value > 0.05
    assert "did not converge" in test.warnings[0]
    result = learn("pc", data, alpha=0.01, test="regression")
    assert any("did not converge" in sentence for sentence in result.warnings)


def test_log_odds_that_no_row_has_are_not_taken_for_sure():
    rng = np.random.default_rng(3)
    z = np.concatenate([rng.normal(size=600), rng.uniform(2.3, 3.7, 206)])  # 206 rows do not fill the last lane
    y = np.where(rng.random(len(z)) < 1 / (1 + np.exp(-6 * (z - 3))), "a", "b").astype(object)
    y[:600] = None  # no row with an average z remains, which would determine the intercept
    other = np.where(rng.random(len(z)) < 0.5, "u", "v")
    test = Regression(Dataset.from_frame(pd.DataFrame({"y": y, "other": other, "z": z})))
    assert test.test(0, 1, (2,)).statistic > 0
    assert not test.warnings


def test_levels_that_do_not_vary_leave_nothing_to_see():
    """Constant variables, and variables determined by the set, have no degrees of freedom and p = 1."""
    frame = DATA.to_frame()
    frame["copy"] = frame["v1"].astype(str).map({"L0": 0.0, "L1": 1.0})
    frame["one"] = pd.Categorical(["x"] * len(frame))
    data = Dataset.from_frame(frame)
    test = Regression(data)
    for x, y, cond in (("one", "v3", ("v0",)), ("v1", "v3", ("copy",))):
        result = test.test(data.index(x), data.index(y), [data.index(name) for name in cond])
        assert (result.dof, result.p_value) == (0, 1.0)
    result = Regression(DATA.take(range(6))).test(1, 3, (0, 2, 4, 6))
    assert (result.tested, result.p_value) == (False, 1.0)


def test_many_levels_are_left_to_the_embedding():
    """Columns with so many levels that a fit needs hundreds of coefficients are tested by `dg`."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 30, (2, 900))
    frame = pd.DataFrame({"a": pd.Categorical(codes[0]), "b": pd.Categorical(codes[1]), "z": rng.normal(size=900)})
    data = Dataset.from_frame(frame)
    assert Regression(data).test(0, 1, (2,)) == DegenerateGaussian(data).test(0, 1, (2,))


@pytest.mark.compiled
def test_a_curved_link_to_a_common_cause_is_seen_through():
    """Regression keeps the level for a nonlinear effect of a common cause, where `dg` rejects far more than 5 %."""
    rejected = {Regression: 0, DegenerateGaussian: 0}
    for seed in range(100):
        rng = np.random.default_rng([5, seed])
        z = rng.normal(size=1_000)
        pair = [rng.random(1_000) < 1 / (1 + np.exp(-3 * z)) for _ in range(2)]
        data = Dataset.from_frame(pd.DataFrame({"x": pair[0], "y": pair[1], "z": z}))
        for make in rejected:
            rejected[make] += make(data).test(0, 1, (2,)).p_value < 0.05
    assert rejected[Regression] <= 12
    assert rejected[DegenerateGaussian] >= 25


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize(("size", "n"), [(0, 100), (2, 100), (4, 300)])
def test_type_one_errors_are_near_the_level(size, n, monkeypatch):
    """The share of false rejections is near 5 %, on fewer tables than in the benchmark."""
    monkeypatch.setattr(type_one, "TABLES", 10)
    for share in type_one.share_rejected(Regression, size, n).values():
        assert 0.025 < share < 0.085


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("share", [0.0, 0.2])
@pytest.mark.parametrize("which", [1, 3, 5])
@pytest.mark.parametrize("threads", [1, 2])
def test_set_searches_equal_single_tests(share, which, threads):
    """Set searches give the same sets, counts and hardest tests as single tests, for any number of threads."""
    data = naive_mixed.with_holes(naive_mixed.mixed_rows(7, 120, seed=9), share, seed=9)
    asked = walks(7)[which]
    test, slow = Regression(data, threads=threads), Regression(data)
    found, expected = test.separate(asked, 0.05), CITest.separate(slow, asked, 0.05)
    for name in ("n_tests", "cond", "log_p", "statistic"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert (test.n_tests, test.rows_used, test.warnings) == (slow.n_tests, slow.rows_used, slow.warnings)


@pytest.mark.compiled
@pytest.mark.parametrize("key", TAKE_IT)
def test_every_learner_of_mixed_tests_takes_regression(key):
    """Every learner for mixed data accepts the test by regression and records it; the default is `dg`."""
    data = naive_mixed.with_holes(DATA, 0.05, seed=6)
    assert learn(key, data, test="regression").params["test"] == "regression"
    assert next(one for one in LEARNERS[key].parameters_for("mixed") if one.name == "test").default == "dg"


def test_every_constraint_based_learner_of_mixed_tables_offers_regression():
    """Every learner of mixed data that chooses its test by column types offers the test by regression."""
    asks = [
        key
        for key, one in LEARNERS.items()
        if "mixed" in one.kinds and any("test" in defaults_of(need) for need in one.needs)
    ]
    assert asks == TAKE_IT
    assert len(asks) > 10
