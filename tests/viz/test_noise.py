"""Tests of the residual plots of an undirected edge."""

from __future__ import annotations

import numpy as np

from learners import Dataset, directions_by_noise, learn
from tests.viz.translation.test_sentences import WORDS_EN
from viz.noise import residual_plots
from viz.text import as_sentence
from viz.translation.sentences import translated


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


def test_directions_by_noise_are_written_in_german():
    """Suggested, unsettled and skipped directions have no English word; names stay as they are."""
    rng = np.random.default_rng(0)
    a, b, c, d = rng.uniform(-1.0, 1.0, (4, 500))
    near_normal = rng.normal(size=(2, 500))
    table = np.column_stack([a, a + b, near_normal[0], near_normal.sum(axis=0), c, c + d])
    data = Dataset.from_values(table, ["the edge", "y", "u", "v", "q", "r"])
    result = learn("ges", data)
    found = directions_by_noise(result, data)
    few = directions_by_noise(learn("ges", data.take(np.arange(50))), data.take(np.arange(50)))
    said = [*found.sentences(), *map(found.sentence, found.edges), *few.sentences()]
    said.append(residual_plots(data, found.edges[0])[1])
    german = [translated(as_sentence(one), "de") for one in said]
    assert any("passt besser zum Rauschen als die Gegenrichtung" in text for text in german)
    assert any("entscheidet die Richtung dieser Kante nicht: es ist nahezu normalverteilt." in text for text in german)
    assert any("nur 50 Zeilen von 100 nötigen sind vollständig" in text for text in german)
    assert [text for text in german if WORDS_EN.search(text.replace("the edge", ""))] == []
