"""Tests of complete stand-ins for incomplete tables."""

from __future__ import annotations

import numpy as np
import pytest

from learners import Dataset, with_missing_cells
from learners.data.completed_data import with_drawn_cells
from tests.learners.test_registry import sample


@pytest.mark.parametrize("kind", ["categorical", "continuous", "mixed"])
def test_drawn_cells_are_those_of_their_column_and_known_cells_stay(kind):
    data = sample(kind, p=6)
    data = with_missing_cells(data, 0.2, "mcar", seed=2) if data.complete else data
    filled = with_drawn_cells(data)
    assert filled.complete
    assert filled.kinds == data.kinds
    for j in range(data.p):
        there = data.is_there(j)
        column, before = (one.to_frame().iloc[:, j].to_numpy() for one in (filled, data))
        np.testing.assert_array_equal(column[there], before[there])
        assert set(column[~there]) <= set(before[there])


def test_a_complete_table_stays_the_same_object():
    data = sample("continuous", p=3)
    assert with_drawn_cells(data) is data


def test_an_empty_column_gets_a_value():
    data = Dataset.from_codes(np.array([[0, 1, 0, 1], [-1, -1, -1, -1]]), [2, 2], ["a", "b"])
    assert with_drawn_cells(data).complete
