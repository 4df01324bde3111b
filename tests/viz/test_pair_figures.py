"""Figures of a pair with missing values: incomplete rows are drawn hollow and counted in the caption."""

import re
from pathlib import Path

import numpy as np
import pytest

from learners import Dataset
from viz import pair_figures, pair_map
from viz.pair_figures import MISSING, STRIP, pair_data
from viz.translation.sentences import catalog

N = 100
VIZ = Path(pair_map.__file__).parent


def ward() -> Dataset:
    """Return mixed data in which each of x, y (numbers), a, b (levels) lacks ten cells."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=N)
    values = np.column_stack([x, 2 * x + 1])
    codes = np.array([np.arange(N) % 2, np.arange(N) // 2 % 3])
    for k in range(2):
        values[10 * k : 10 * k + 10, k] = np.nan
        codes[k, 20 + 10 * k : 30 + 10 * k] = -1
    levels = Dataset.from_codes(codes, [2, 3], ["a", "b"], [["no", "yes"], ["u", "v", "w"]])
    return Dataset.joined(["x", "y", "a", "b"], Dataset.from_values(values, ["x", "y"]), levels)


@pytest.mark.parametrize(("x", "y"), [(0, 1), (0, 2), (2, 0), (2, 3)])
def test_incomplete_rows_are_hollow_and_counted(x, y):
    data = ward()
    _, caption = pair_data(data, x, y, (), {})
    levels = y if data.kinds[x] == "continuous" else x
    shown = f" Hollow: 10 rows without {data.names[levels]}. Not drawn: 10 rows with a missing cell."
    if data.kinds[x] == data.kinds[y] == "continuous":
        shown = " Hollow: 20 rows with only one of x and y."
    assert caption.endswith(f"{shown} Tests leave these out.")
    imputed = pair_data(data, x, y, (), {}, imputed=True)[1]
    assert imputed.endswith(f"{shown} The run uses the other cells of these rows; the chart shows observed ones.")
    whole = data.available([x, y])
    assert "Hollow" not in pair_data(whole, 0, 1, (), {})[1]


def test_a_scatter_has_its_line_and_a_rug():
    """The line is the least-squares line; rows with one number are at the margin, at their own value."""
    data = ward()
    figure, _ = pair_data(data, 0, 1, (), {})
    points, line, below, left = figure.data
    assert (len(points.x), len(below.x), len(left.x)) == (80, 10, 10)
    np.testing.assert_allclose(line.y, 2 * np.array(line.x) + 1)
    assert max(below.y) < min(points.y)
    assert max(left.x) < min(points.x)
    np.testing.assert_array_equal(left.y, data.values[:10, 1])
    assert len(pair_data(data, 0, 1, (2,), {})[0].data) == 2  # residuals of rows that lack one do not exist


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_the_line_is_numerically_stable(scale):
    """Squares neither vanish nor overflow."""
    x = np.linspace(-1, 1, 50)
    figure, _ = pair_data(Dataset.from_values(np.column_stack([x, 0.5 * x]) * scale, ["x", "y"]), 0, 1, (), {})
    np.testing.assert_allclose(figure.data[1].y, np.array([-0.5, 0.5]) * scale)


def test_a_constant_has_no_line():
    figure, _ = pair_data(Dataset.from_values(np.column_stack([np.ones(9), np.arange(9)]), ["x", "y"]), 0, 1, (), {})
    assert len(figure.data[1].x) == 0


def test_boxes_show_points_of_few_rows_and_missing_levels():
    """The last box is hollow and holds the numbers whose level is missing."""
    data = ward()
    figure, _ = pair_data(data, 0, 2, (), {})
    assert [box.name for box in figure.data] == ["no", "yes", MISSING]
    assert [len(box.x) for box in figure.data] == [40, 40, 10]
    assert [box.boxpoints for box in figure.data] == ["all", "all", "outliers"]
    np.testing.assert_array_equal(figure.data[2].x, data.values[20:30, 0])
    many = data.take(np.resize(np.arange(N), 6 * STRIP))
    assert pair_data(many, 0, 2, (), {})[0].data[0].boxpoints == "outliers"


def test_shares_have_a_bar_for_missing_x():
    """Shares in the bar add up to one; the other bars use complete rows only; the axis has room for all shares."""
    data = ward()
    figure, _ = pair_data(data, 2, 3, (), {})
    assert figure.layout.xaxis.range == (0, 1)
    full, hollow = figure.data[:3], figure.data[3:]
    assert [bar.y for bar in hollow] == [(2,)] * 3
    assert sum(bar.x[0] for bar in hollow) == pytest.approx(1)
    assert hollow[0].customdata[0].endswith("of 10")
    alone = pair_data(data.available([2, 3]), 0, 1, (), {})[0]
    assert [bar.x for bar in full] == [bar.x for bar in alone.data]


def test_no_figure_of_few_points_needs_webgl():
    """Only maps of very many pairs use WebGL, which shows a grey box without a graphics card."""
    users = {path.name for path in VIZ.rglob("*.py") if re.search("gl\\b", path.read_text(encoding="utf-8"))}
    assert users <= {"pair_map.py"}
    assert pair_map.MAX_TARGETS >= 5_000 >= pair_figures.MAX_POINTS


def test_large_counts_are_written_in_the_language_of_the_page():
    """The title of the shares separates thousands as the rest of the page does."""
    data = Dataset.from_codes(np.arange(5_000) % np.array([[2], [3]]), [2, 3], ["a", "b"])
    for language, count in (("en", "5,000"), ("de", "5\N{NO-BREAK SPACE}000")):
        figure, _ = pair_data(data, 0, 1, (), {}, catalog(language))
        assert figure.layout.annotations[0].text.endswith(f"(n = {count})")
