"""Tests of quartets that one hidden factor explains."""

from __future__ import annotations

import numpy as np

from learners import Dataset
from learners.verdict.hidden_factors import pure_quartets


def items(arrow: float = 0.0, seed: int = 3) -> np.ndarray:
    """Return (2000, 7) float64: five items of a hidden factor, with an arrow between the first two, and two others."""
    rng = np.random.default_rng(seed)
    factor = rng.standard_normal((2_000, 1))
    values = rng.standard_normal((2_000, 7))
    values[:, :5] += factor
    values[:, 1] += arrow * values[:, 0]
    return values


def quartets(values: np.ndarray) -> list[list[int]]:
    return pure_quartets(Dataset.from_values(values, list("abcdefg")[: values.shape[1]]).correlation, 2_000).tolist()


def test_items_of_a_factor_are_found():
    assert quartets(items()) == [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 4], [0, 2, 3, 4], [1, 2, 3, 4]]


def test_a_quartet_with_an_arrow_between_its_members_is_not_pure():
    found = quartets(items(arrow=1.0))
    assert found
    assert not any({0, 1} <= set(one) for one in found)


def test_a_factor_among_the_columns_explains_its_items():
    rng = np.random.default_rng(1)
    seen = rng.standard_normal((2_000, 1))
    assert quartets(np.column_stack([seen + rng.standard_normal((2_000, 5)), seen])) == []
