"""Tests of exponentials and logarithms against those of NumPy."""

import numpy as np

from learners.kernels.exp_log import MAX_EXPONENT, exp_all, log_all


def of_all(kernel, values):
    reported = values.copy()
    kernel(reported, len(reported), np.empty(len(reported)))
    return reported


def test_exponentials_are_numpys():
    """The exponentials equal NumPy's up to rounding over the whole range; exp(0) is exactly 1."""
    values = np.concatenate(
        [np.linspace(-MAX_EXPONENT, MAX_EXPONENT, 401), np.random.default_rng(1).normal(size=400) * 3]
    )
    np.testing.assert_allclose(of_all(exp_all, values), np.exp(values), rtol=1e-15)
    assert of_all(exp_all, np.zeros(1)) == 1.0


def test_logarithms_are_numpys():
    """The logarithms equal NumPy's, also near 1; log(1) is exactly 0, and entries beyond `n` are not written."""
    values = np.concatenate([np.geomspace(1e-299, 1e299, 401), 1.0 + np.geomspace(1e-15, 1, 400)])
    np.testing.assert_allclose(of_all(log_all, values), np.log(values), rtol=1e-15)
    several = np.array([1.0, 2.0, 5.0])
    log_all(several, 2, np.empty(2))
    assert several.tolist() == [0.0, np.log(2.0), 5.0]
