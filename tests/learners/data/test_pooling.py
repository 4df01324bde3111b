"""Tests of Rubin's rules."""

from __future__ import annotations

import numpy as np
import pytest

from learners.data.pooling import MAX_DOF, pooled


def test_rubins_rules_by_hand():
    """Mean 2, variances 1 within and 1 between three tables: the total is 1 + 4/3, of which 4/7 is between tables."""
    found = pooled(np.array([1.0, 2.0, 3.0]), np.ones(3))
    assert found.estimate == 2.0
    assert found.variance == pytest.approx(1 + 4 / 3)
    assert found.information == pytest.approx(3 / 7)
    assert found.dof == pytest.approx(2 / (4 / 7) ** 2)  # normal intervals of a complete table


def test_few_rows_limit_the_degrees_of_freedom():
    """The degrees of freedom are those of Barnard and Rubin: 1 / (1 / 6.125 + 1 / (20 * 21 / 23 * 3 / 7))."""
    found = pooled(np.array([1.0, 2.0, 3.0]), np.ones(3), 20.0)
    assert found.dof == pytest.approx(1 / (1 / 6.125 + 1 / (20 * 21 / 23 * 3 / 7)))


def test_equal_tables_are_as_one():
    found = pooled(np.full((4, 2), 3.0), np.full((4, 2), 0.5))
    assert found.variance.tolist() == [0.5, 0.5]
    assert found.information.tolist() == [1.0, 1.0]
    assert (found.dof > 1e-3 * MAX_DOF).all()
    assert pooled(np.zeros(3), np.zeros(3)).information == 1.0
