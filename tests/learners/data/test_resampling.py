"""Tests of resamples: their size, their seed, and equality with repeated rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from learners import G2, DataError, Dataset
from learners.data.resampling import held_out, resample_weights, resampled
from learners.evaluation import comparison
from learners.kernels.ci.any_test import decide
from tests.references import dataset as reference_sample


@pytest.mark.parametrize("merged", [False, True], ids=["rows", "merged rows"])
def test_weights_are_draws_with_replacement(merged):
    """Resampling weights sum to n, have binomial variance, and depend on seed and path."""
    data = reference_sample("asia_n2000")
    data = data.merged() if merged else data
    once = np.ones(data.n_rows) if data.weights is None else data.weights
    drawn = np.array([resample_weights(data, seed, (1, 2)) for seed in range(400)])
    assert (drawn.sum(axis=1) == data.n).all()
    expected = once * (1 - once / data.n)
    assert drawn.mean(axis=0) == pytest.approx(once, abs=5 * np.sqrt(expected.max() / 400))
    assert drawn.var(axis=0).mean() == pytest.approx(expected.mean(), rel=0.15)
    np.testing.assert_array_equal(resample_weights(data, 3, (1, 2)), drawn[3])
    assert not np.array_equal(resample_weights(data, 3, (1, 3)), drawn[3])


@pytest.mark.parametrize("n", [300, 2_000], ids=["codes", "planes"])
@pytest.mark.parametrize("merged", [False, True], ids=["rows", "merged rows"])
def test_tests_of_a_resample_are_those_of_its_rows(n, merged):
    """G² given up to two variables equals that of the repeated rows, with and without bit planes, for a few nodes."""
    data = reference_sample("child_n2000")
    data = Dataset.from_codes(data.codes[:, :n], data.arity, data.names)
    data = data.merged() if merged else data
    weights = resample_weights(data, 5)
    nodes = np.array([0, 3, 4, 7, 11, 12])
    made = G2(data, dof="plain").resampled(weights, nodes)
    written = G2(Dataset.from_codes(np.repeat(data.codes, weights, axis=1), data.arity, data.names), dof="plain")
    scratch = made.scratch(2)
    rng = np.random.default_rng(0)
    for size in (0, 1, 2):
        for _ in range(20):
            x, y, *cond = rng.choice(nodes, 2 + size, replace=False).tolist()
            one = written.test(x, y, cond)
            statistic, dof, tested = decide(made.sample, x, y, np.array(cond, dtype=np.int32), size, scratch)
            assert tested
            assert dof == one.dof
            assert statistic == pytest.approx(one.statistic, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", ["rows", "merged rows", "continuous"])
def test_resampled_data_set_is_its_weights_written_out(kind):
    """A resampled data set has the columns and n of the repeated rows; merged rows keep their weights."""
    data = reference_sample("gauss_p12_n500" if kind == "continuous" else "asia_n2000")
    data = data.merged() if kind == "merged rows" else data
    again = resampled(data, 7, (4,))
    assert again.n == data.n
    assert again.names == data.names
    weights = resample_weights(data.compact() if data.codes is not None else data, 7, (4,))
    if kind == "continuous":
        np.testing.assert_array_equal(again.values, np.repeat(data.values, weights, axis=0))
    elif kind == "rows":
        np.testing.assert_array_equal(again.codes, np.repeat(data.codes, weights, axis=1))
    else:
        np.testing.assert_array_equal(again.weights, weights)


@pytest.mark.parametrize("kind", ["categorical", "continuous"])
@pytest.mark.parametrize("weighed", ["", "counts", "survey"])
def test_groups_are_drawn_whole(kind, weighed):
    """A resample has the original number of groups; the rows of a group are drawn together and keep their weights."""
    rng = np.random.default_rng(1)
    groups = rng.integers(0, 12, 90)
    codes, values = rng.integers(0, 3, (3, 90)), rng.normal(size=(90, 3))
    own = Dataset.from_codes(codes, [3] * 3, list("abc")) if kind == "categorical" else None
    data = (own or Dataset.from_values(values, list("abc"))).with_groups(groups)
    if weighed:
        weights = rng.integers(1, 4, 90)
        data = data.with_weights(weights if weighed == "counts" else weights / 2.5)
    for t in range(5):
        times = resample_weights(data, 7, (t,))
        if weighed == "counts" and kind == "categorical":
            assert (times % data.weights == 0).all()
            times = times // data.weights
        by_group = [np.unique(times[data.groups == g]) for g in np.unique(data.groups)]
        assert all(len(own) == 1 for own in by_group)
        assert sum(int(own[0]) for own in by_group) == len(by_group)
        again = resampled(data, 7, (t,))
        assert again.surveyed == (weighed == "survey")
        assert again.n_rows == (90 if kind == "categorical" and weighed == "counts" else times.sum())
    part = data.take(np.flatnonzero(data.groups > 5))
    assert resample_weights(part, 1).any()
    assert data.with_groups(None).groups is None
    with pytest.raises(DataError, match="one for each row"):
        data.with_groups([0])


def test_the_spread_of_a_mean_is_that_of_groups():
    """The mean of 60 groups of ten equal rows has the standard error of 60 rows, not of 600 (seed 3, 400 resamples)."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(60), 10)
    values = rng.normal(size=60)[groups]
    data = Dataset.from_values(np.column_stack([values, values]), ["a", "b"])
    spread = [
        np.std([resampled(own, 5, (t,)).values[:, 0].mean() for t in range(400)])
        for own in (data, data.with_groups(groups))
    ]
    expected = values.std() / np.sqrt([600, 60])
    assert spread == pytest.approx(expected, rel=0.1)


def test_groups_of_stacked_tables_are_drawn_from_one_of_them():
    codes = np.tile(np.arange(12) % 3, (2, 3))
    data = replace(Dataset.from_codes(codes, [3, 3], ["a", "b"]), copies=3)
    data = data.with_groups(np.tile(np.arange(12) // 4, 3))
    for t in range(5):
        times = resample_weights(data, 2, (t,))
        assert times.sum() == 12
        assert (np.ptp(times.reshape(3, 3, 4), axis=2) == 0).all()


def test_notebooks_of_version_1_0_find_held_out_where_it_was():
    assert comparison.held_out is held_out
