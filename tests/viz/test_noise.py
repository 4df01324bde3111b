"""Tests of the residual plots of an undirected edge."""

from __future__ import annotations

import numpy as np

from learners import Dataset, directions_by_noise, learn
from viz.noise import residual_plots


def test_the_upper_plot_has_the_residual_of_the_suggested_direction():
    a, b = np.random.default_rng(0).uniform(-1.0, 1.0, (2, 500))
    data = Dataset.from_values(np.column_stack([a, 2.0 * a + b]), ["<b>a", "y"])
    (edge,) = directions_by_noise(learn("ges", data), data).edges
    figure, caption = residual_plots(data, edge)
    above, below = figure.data
    np.testing.assert_array_equal(above.x, data.values[:, 0])
    slope, level = np.polyfit(data.values[:, 0], data.values[:, 1], 1)
    np.testing.assert_allclose(above.y, data.values[:, 1] - slope * data.values[:, 0] - level, atol=1e-9)
    np.testing.assert_array_equal(below.x, data.values[:, 1])
    assert [title.text for title in figure.layout.annotations] == ["&lt;b&gt;a → y", "y → &lt;b&gt;a"]
    assert "Above: <b>a as the cause." in caption


def test_long_tables_are_thinned_and_incomplete_rows_left_out():
    values = np.random.default_rng(0).uniform(-1.0, 1.0, (9_000, 2))
    values[:, 1] += values[:, 0]
    values[::3, 0] = np.nan
    data = Dataset.from_values(values, ["a", "b"])
    whole = Dataset.from_values(values[~np.isnan(values[:, 0])], ["a", "b"])
    (edge,) = directions_by_noise(learn("ges", whole), data).edges
    figure, _ = residual_plots(data, edge)
    assert [len(trace.x) for trace in figure.data] == [2_000, 2_000]
