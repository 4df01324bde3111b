"""Tests of resamples: their size, their seed, and equality with repeated rows."""

from __future__ import annotations

import numpy as np
import pytest

from learners import G2, Dataset
from learners.data.resampling import resample_weights, resampled
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
    """G² given up to two others is compared, with and without bit planes, on a subset of nodes."""
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
    """Columns and n are equal; merged rows keep weights."""
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
