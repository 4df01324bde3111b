"""Tests of sums of products of columns against those of NumPy."""

import numpy as np
import pytest

from learners.kernels.tiles import BLOCK, SIDE, add_products


@pytest.mark.parametrize(("n_one", "n_other"), [(1, 1), (2, 3), (3, 4), (5, 5)])
def test_sums_are_numpys_and_are_added(n_one, n_other):
    """The added sums equal NumPy's for odd and even numbers of columns; entries after the last column are ignored."""
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=(n_one + 1, BLOCK)), rng.normal(size=(n_other + 1, BLOCK))
    one[-1] = other[-1] = np.nan
    expected, sums = one[:-1] @ other[:-1].T, np.empty(4 * SIDE)
    target = np.ones(expected.shape)
    add_products(one.reshape(-1), n_one, other.reshape(-1), n_other, False, sums, target)
    np.testing.assert_allclose(target, 1 + expected, rtol=1e-12)
    if n_one == n_other:
        target[:] = 0.0
        add_products(one.reshape(-1), n_one, other.reshape(-1), n_other, True, sums, target)
        np.testing.assert_allclose(np.tril(target), np.tril(expected), rtol=1e-12)
