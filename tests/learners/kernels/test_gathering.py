"""Tests of the kernel that copies some rows of a column."""

from __future__ import annotations

import numpy as np
import pytest

from learners.kernels.ci.logistic_regression import BLOCK, gather_column


@pytest.mark.parametrize("rows", [[0], [2, 3, 4], [2, 3, 5], [0, 4], list(range(1, 11)), [*range(1, 9), 10]], ids=str)
def test_the_given_rows_are_copied(rows):
    """The given rows are copied if they are contiguous or have gaps; the rest of the block is 0."""
    column, target = np.arange(1.0, 12.0), np.full(BLOCK + 11, np.nan)
    gather_column(column, np.array(rows), target)
    np.testing.assert_array_equal(target[: len(rows)], column[rows])
    assert not target[len(rows) : BLOCK].any()
