"""Tables of effects show every number of the result."""

from __future__ import annotations

import numpy as np

from learners.effects.estimates import Effect
from viz.effects.tables import effect_rows


def test_each_level_and_set_has_a_row_with_its_interval():
    """Two levels of x, three of y, and two adjustment sets make twelve rows in that order."""
    values = np.arange(6.0).reshape(2, 3) / 10
    effects = [
        Effect("shares", values + part, values + part - 0.05, values + part + 0.05, given, 200, np.array([1.0, 0.5]))
        for part, given in ((0.0, ()), (0.1, (2,)))
    ]
    rows = effect_rows(effects, 0, ("x", "y", "z"), (("a", "b"), ("low", "mid", "high"), ()), 1)
    assert rows["value"].tolist() == [*values.ravel(), *(values + 0.1).ravel()]
    low = [*(values + 0.0 - 0.05).ravel(), *(values + 0.1 - 0.05).ravel()]
    np.testing.assert_array_equal(rows["95% from"], low)
    assert rows["set to"].tolist() == ["a", "a", "a", "b", "b", "b"] * 2
    assert rows["level"].tolist() == ["low", "mid", "high"] * 4
    assert rows["rows covered"].tolist() == [1.0, 1.0, 1.0, 0.5, 0.5, 0.5] * 2


def test_slopes_of_probabilities_have_a_row_for_each_level_of_the_outcome():
    values = np.array([-0.2, -0.1, 0.3])
    effect = Effect("slopes", values, values - 0.05, values + 0.05, (), 200, np.empty(0))
    rows = effect_rows([effect], 0, ("x", "y"), ((), ("low", "mid", "high")), 1)
    assert rows.columns.tolist() == ["level", "value", "95% from", "95% to"]
    assert rows["level"].tolist() == ["low", "mid", "high"]
    assert rows["value"].tolist() == values.tolist()
