"""Ranges of numbers that exports may name."""

from __future__ import annotations

import numpy as np
import pytest

from learners.data.dataset import Dataset
from learners.data.disclosure import MIN_ROWS, disclosed_range, has_hidden_values, redactor


def column(values: list[float] | np.ndarray) -> Dataset:
    return Dataset.from_values(np.asarray(values, dtype=float).reshape(-1, 1), ("x",))


@pytest.mark.parametrize("seed", range(20))
def test_enough_rows_reach_both_ends_of_a_range(seed: int) -> None:
    """At least MIN_ROWS rows lie at or beyond each end, and no number nearer to the extreme has as many."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, rng.integers(3, 60), rng.integers(2 * MIN_ROWS, 80)).astype(float)
    found = disclosed_range(column(values), 0)
    low, high = found
    assert (values <= low).sum() >= MIN_ROWS <= (values >= high).sum()
    assert not [x for x in values if (x < low and (values <= x).sum() >= MIN_ROWS)]
    assert not [x for x in values if (x > high and (values >= x).sum() >= MIN_ROWS)]
    assert low <= high
    assert disclosed_range(column(values), 0, rare=True) == (values.min(), values.max())


def test_extremes_that_many_rows_share_are_named() -> None:
    """Nothing is hidden where the extremes are frequent; few rows have no range at all."""
    frequent = column([0.0] * MIN_ROWS + [1.0, 2.0] + [3.0] * MIN_ROWS)
    assert disclosed_range(frequent, 0) == (0.0, 3.0)
    assert not has_hidden_values(frequent)
    few = column([1.0, 2.0, 3.0])
    assert disclosed_range(few, 0) is None
    assert has_hidden_values(few)
    assert disclosed_range(few, 0, rare=True) == (1.0, 3.0)


def test_hidden_values_in_parentheses_are_left_out() -> None:
    """A hidden value becomes dots, and one in parentheses vanishes with them; names of columns stay."""
    redact = redactor(column([1.0, 2.0, 3.0]))
    assert redact("'x' became days since the first date ('2024-01-10'), taking 'a' and 'b'") == (
        "'x' became days since the first date, taking …"
    )
    assert redact("numbers ('x') and 'c ('") == "numbers ('x') and …"
