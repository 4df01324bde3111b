"""Tests of the degenerate Gaussian test on resamples."""

import numpy as np
import pytest

from learners import G2, DataError, DegenerateGaussian, ResampledGaussian, learn
from learners.completion.completed import with_completion
from learners.data.embedded_rows import EmbeddedRows, drawn_cells
from learners.data.embedding import embedded_columns
from learners.data.resampling import once, resample_weights
from learners.families.brai.brai import brai
from learners.families.brai.rai import rai
from learners.kernels.ci.any_test import decide
from learners.scores.selection import tree_score_for
from tests import naive_mixed

MIXED = naive_mixed.mixed_rows(6, 200, seed=5)
LACKING = naive_mixed.with_holes(MIXED, 0.1, seed=2)
NUMBERS = MIXED.select([k for k in range(6) if MIXED.kinds[k] == "continuous"])


def test_correlations_are_those_of_the_repeated_rows():
    """Correlations of the chosen variables are those of the repeated rows; all others stay 0."""
    weights = resample_weights(MIXED, 3, (1, 2))
    nodes = np.array([4, 1, 3])
    rows = EmbeddedRows(MIXED)
    corr = rows.correlations(weights, nodes)
    own = np.concatenate([np.arange(rows.first[v], rows.first[v + 1]) for v in sorted(nodes)])
    columns = embedded_columns(MIXED)[0][:, own]
    np.testing.assert_allclose(corr[np.ix_(own, own)], np.corrcoef(np.repeat(columns, weights, axis=0).T), atol=1e-10)
    others = np.setdiff1d(np.arange(len(corr)), own)
    assert not corr[others].any()
    assert not corr[:, others].any()


def test_a_test_on_a_resample_is_that_of_the_repeated_rows():
    weights = resample_weights(MIXED, 4)
    test = ResampledGaussian(MIXED)
    kernel = test.resampled(weights, np.arange(6))
    repeated = DegenerateGaussian(MIXED.take(np.repeat(np.arange(MIXED.n_rows), weights)))
    one = DegenerateGaussian.from_correlations(
        kernel.sample.corr, kernel.sample.first, [False] * 6, MIXED.n, MIXED.names
    )
    for x, y, cond in [(0, 1, ()), (1, 3, (0,)), (1, 5, (2, 3)), (3, 4, (0, 1, 2))]:
        expected, found = repeated.test(x, y, cond), one.test(x, y, cond)
        assert found.dof == expected.dof
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-8)


WEIGHTS = {
    "none": lambda data: data,
    "counts": lambda data: data.with_weights(np.arange(data.n_rows) % 3 + 1),
    "survey": lambda data: data.with_weights(np.linspace(0.2, 3.0, data.n_rows)),
    "dependent rows": lambda data: data.with_independence(0.4),
}


@pytest.mark.parametrize("weighted", WEIGHTS)
@pytest.mark.parametrize("kind", ["categorical", "mixed"])
def test_all_rows_drawn_once_give_the_test_of_the_data(kind, weighted):
    """Drawing each row once gives the test of the data, also with counts, survey weights and dependent rows."""
    data = MIXED if kind == "mixed" else MIXED.select([k for k in range(6) if MIXED.kinds[k] == "categorical"])
    data = WEIGHTS[weighted](data)
    test = ResampledGaussian(data) if kind == "mixed" else G2(data)
    drawn = test.resampled(once(data), np.arange(data.p))
    whole = test.in_kernels()
    for x, y, size in [(0, 1, 0), (0, 1, 1), (1, 2, 1)]:
        cond = np.setdiff1d(np.arange(data.p), [x, y])[:size].astype(np.int32)
        found, expected = (decide(one.sample, x, y, cond, size, one.scratch(size)) for one in (drawn, whole))
        assert found == pytest.approx(expected, rel=1e-9)


def test_a_constant_column_of_a_resample_depends_on_nothing():
    weights = np.zeros(MIXED.n_rows, dtype=np.int64)
    weights[:2] = 100
    corr = EmbeddedRows(MIXED).correlations(weights, np.arange(6))
    assert np.isfinite(corr).all()
    assert set(np.diag(corr)) <= {0.0, 1.0}


def test_missing_cells_are_drawn_given_the_others():
    """Only missing cells are drawn; with many rows their correlations are those of the distribution."""
    rng = np.random.default_rng(1)
    corr = np.array([[1.0, 0.7, 0.3], [0.7, 1.0, 0.5], [0.3, 0.5, 1.0]])
    columns = rng.multivariate_normal(np.zeros(3), corr, size=20_000)
    lacking = columns.copy()
    lacking[rng.random(columns.shape) < 0.2] = np.nan
    filled = drawn_cells(lacking, corr, np.random.default_rng(2))
    there = ~np.isnan(lacking)
    np.testing.assert_array_equal(filled[there], columns[there])
    np.testing.assert_allclose(np.corrcoef(filled.T), corr, atol=0.03)
    np.testing.assert_array_equal(filled, drawn_cells(lacking, corr, np.random.default_rng(2)))


@pytest.mark.parametrize("data", [NUMBERS, MIXED, with_completion(LACKING)], ids=["numbers", "mixed", "completed"])
def test_one_sample_that_is_the_data_gives_rai(data):
    """With s = 1 and without resampling, B-RAI gives the result of RAI for any column types."""
    whole = brai(ResampledGaussian(data), tree_score_for(data), s=1, roots=1, resampling=False)
    assert whole.graph == rai(ResampledGaussian(data), alpha=0.01, pools="neighbours", collider_check="strict").graph


@pytest.mark.parametrize("data", [NUMBERS, MIXED, LACKING], ids=["numbers", "mixed", "missing"])
def test_probabilities_are_reproducible(data):
    one, other = (learn("brai", data, roots=3, seed=2) for _ in range(2))
    np.testing.assert_array_equal(one.posterior.adjacent, other.posterior.adjacent)
    assert ((one.posterior.adjacent >= 0) & (one.posterior.adjacent <= 1 + 1e-12)).all()


def test_missing_cells_must_be_completed():
    with pytest.raises(DataError, match="need every cell"):
        ResampledGaussian(LACKING)
