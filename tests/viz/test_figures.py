"""Plotly figures: their numbers, and no user text that Plotly would interpret as markup."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

from learners.data.dataset import Dataset
from learners.data.plan.scales import Scale
from tests.viz.cases import HOSTILE
from viz import figures
from viz.figures import axis_labels, histogram, level_counts
from viz.pair_figures import MAX_LEVELS, MAX_POINTS, MAX_STRATA, MISSING, pair_data

OURS = {"<br>", "<extra></extra>"}  # tags that the figures' own templates use


def texts(value):
    """Yield every string value in the JSON of a figure."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


def inert(figure):
    """Assert that no string contains a tag other than ours or a bare ampersand."""
    content = json.loads(figure.to_json())
    content.get("layout", {}).pop("template", None)
    for text in texts(content):
        for own in OURS:
            text = text.replace(own, "")
        assert not re.search(r"[<>]", text), text
        assert not re.search(r"&(?!(amp|lt|gt);)", text), text
        assert not re.search(r"[\x00-\x1f]", text), text
    return figure


def named(axis, places):
    """Return the labels of the ticks at the given positions."""
    assert axis.type == "category"
    return [axis.labelalias[str(place)] for place in places]


def discrete(rows, names=("x", "y", "z")):
    """Return a data set of levels given row by row."""
    columns = list(zip(*rows, strict=True))
    levels = [tuple(dict.fromkeys(column)) for column in columns]
    codes = [[own.index(cell) for cell in column] for own, column in zip(levels, columns, strict=True)]
    return Dataset.from_codes(np.array(codes), [len(own) for own in levels], names, levels=levels)


def test_axis_labels_are_distinct_and_escaped():
    """Names that differ only in their 200th character get distinct labels."""
    labels = axis_labels(HOSTILE)
    assert len(set(labels)) == len(HOSTILE)
    assert not any(re.search(r"[<>\n]", label) for label in labels)


def test_histogram_counts_every_value_once():
    """The bars add up to the number of rows, extremes included; cut points are lines."""
    values = np.random.default_rng(0).normal(size=5_000)
    figure = inert(histogram(values, "x", (-1.0, 1.0)))
    bars = figure.data[0]
    assert sum(bars.y) == 5_000
    assert bars.x[0] == values.min()
    assert bars.x[-1] + bars.width[-1] == pytest.approx(values.max())
    assert [shape.x0 for shape in figure.layout.shapes] == [-1.0, 1.0]


@pytest.mark.parametrize(
    "values",
    [[], [3.0], [3.0] * 5, [1e300], [-1.7e308, 0.0, 1.7e308], [1e-320, 2e-320], [1e16, 1e16 + 2]],
    ids=["none", "one", "constant", "one huge", "huge", "tiny", "neighbours"],
)
def test_histogram_takes_any_finite_numbers(values):
    """Empty, constant and extreme columns have a histogram, too."""
    assert sum(histogram(np.array(values), "x").data[0].y) == len(values)


def test_histogram_sends_bars_not_rows():
    """A million rows produce no larger figure than a hundred."""
    assert len(histogram(np.arange(1e6), "x").to_json()) < 20_000


def test_level_counts_keep_levels_distinct():
    """Levels with equal shortened labels stay separate bars; numbers stay categories."""
    levels = ["x" * 100 + "1", "x" * 100 + "2", "7", "<b>"]
    figure = inert(level_counts(levels, [4, 3, 2, 1], "n<i>"))
    assert len(set(named(figure.layout.xaxis, figure.data[0].x))) == 4
    assert figure.data[0].y == (4, 3, 2, 1)
    assert figure.layout.xaxis.type == "category"


def test_shares_equal_those_of_the_table():
    """Each bar is the share of a level of y among the rows of a level of x in a stratum."""
    rng = np.random.default_rng(0)
    rows = [tuple(rng.choice(["a", "b", "c"], 3, p=[0.5, 0.3, 0.2])) for _ in range(300)]
    figure, caption = pair_data(discrete(rows), 0, 1, (2,), {})
    counts = Counter(rows)
    titles = [title.text for title in figure.layout.annotations]
    assert set(titles) == {f"z: {z} (n = {sum(n for row, n in counts.items() if row[2] == z):,})" for z in "abc"}
    for k, bars in enumerate(figure.data):
        levels = named(figure.layout.yaxis, bars.y)
        stratum = titles[k // 3][len("z: ")]
        for level_x, share, label in zip(levels, bars.x, bars.customdata, strict=True):
            mine = counts[(level_x, bars.name, stratum)]
            total = sum(counts[(level_x, y, stratum)] for y in "abc")
            assert label == f"{mine:,} of {total:,}"
            assert share == pytest.approx(mine / total)
    assert [bars.showlegend for bars in figure.data] == [True] * 3 + [False] * 6
    assert caption == "Shares of y for each level of x, stratified by {z}."


def test_shares_follow_row_weights():
    """Merged identical rows count as often as they occurred."""
    weighted = Dataset.from_codes(np.array([[0, 1, 0], [0, 1, 1]]), [2, 2], ["x", "y"], weights=[3, 2, 5])
    figure, _ = pair_data(weighted, 0, 1, (), {})
    assert {bars.name: bars.customdata for bars in figure.data} == {
        weighted.levels[1][0]: ("3 of 8", "0 of 2"),
        weighted.levels[1][1]: ("5 of 8", "2 of 2"),
    }


def test_shares_show_the_largest_strata_and_say_so():
    rows = [(str(k % 2), str(k % 3 % 2), str(min(k % 40, 11))) for k in range(400)]
    figure, caption = pair_data(discrete(rows), 0, 1, (2,), {})
    groups = [title.text for title in figure.layout.annotations]
    assert len(groups) == MAX_STRATA
    assert groups[0].startswith("z: 11 (n = 290")
    assert caption.endswith(f"the {MAX_STRATA} largest of 12 strata.")


def test_shares_merge_rare_levels():
    """No row is lost from the counts."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5_000, (3, 20_000))
    figure, _ = pair_data(Dataset.from_codes(codes, [5_000] * 3, ["x", "y", "z"]), 0, 1, (), {})
    assert len(figure.data) == MAX_LEVELS
    assert figure.data[-1].name == "all others"
    assert (
        sum(int(label.split(" of ")[0].replace(",", "")) for bars in figure.data for label in bars.customdata) == 20_000
    )


def test_shares_keep_similar_levels_distinct():
    """Levels that differ in their last character are two bars and two legend entries."""
    long_a, long_b = "x" * 50 + "a", "x" * 50 + "b"
    rows = list(product((long_a, long_b), (long_a, long_b), (long_a, long_b))) * 5
    figure, _ = pair_data(discrete(rows), 0, 1, (2,), {})
    assert len({bars.name for bars in figure.data}) == 2
    assert len({title.text for title in figure.layout.annotations}) == 2
    assert len(set(named(figure.layout.yaxis, figure.data[0].y))) == 2


def test_many_conditioning_variables_do_not_overflow():
    """Strata of twenty variables with a hundred levels stay distinct, although 64 bits cannot number them."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 100, (22, 500))
    figure, _ = pair_data(
        Dataset.from_codes(codes, [100] * 22, [f"v{k}" for k in range(22)]), 0, 1, tuple(range(2, 22)), {}
    )
    assert len({title.text for title in figure.layout.annotations}) == MAX_STRATA


def test_panels_have_equal_heights():
    """Each stratum adds the same height, and no two levels share a colour."""
    rows = [tuple(str(k >> b & 1) for b in range(5)) for k in range(320)]
    heights = [pair_data(discrete(rows, "abcde"), 0, 1, cond, {})[0].layout.height for cond in ((), (2,), (2, 3))]
    assert heights[1] - heights[0] == (heights[2] - heights[1]) / 2 > 0
    assert len(set(figures.COLOURS)) == MAX_LEVELS


def test_scatter_shows_values_or_residuals():
    """With a conditioning set, the residuals are uncorrelated with it."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=400)
    values = np.column_stack([z + rng.normal(size=400), 2 * z + rng.normal(size=400), z])
    data = Dataset.from_values(values, ["x", "y", "z"])
    plain_figure, caption = pair_data(data, 0, 1, (), {})
    assert np.array_equal(plain_figure.data[0].x, values[:, 0])
    assert caption == "y against x."
    rest, caption = pair_data(data, 0, 1, (2,), {})
    assert abs(np.corrcoef(rest.data[0].x, z)[0, 1]) < 1e-9
    assert "Residuals" in caption


def test_axes_and_captions_name_units():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"pay": rng.normal(size=50), "day": rng.normal(size=50), "c": ["u", "v"] * 25})
    scales = {
        "pay": Scale("", lambda: (np.arange(2.0), np.arange(2.0))),
        "day": Scale("days since <b>1</b>"),
    }
    figure, caption = pair_data(Dataset.from_frame(frame), 0, 1, (), scales)
    assert figure.layout.xaxis.title.text == "pay (normal score)"
    assert figure.layout.yaxis.title.text.startswith("day (days since")
    assert caption == "day (days since <b>1</b>) against pay (normal score)."
    inert(figure)
    figure, caption = pair_data(Dataset.from_frame(frame), 2, 0, (), scales)
    assert (figure.layout.xaxis.title.text, caption) == ("pay (normal score)", "pay (normal score) by c.")


def test_scatter_draws_a_sample_and_says_so():
    """The caption has the number of drawn rows, and the same rows are drawn each time."""
    values = np.random.default_rng(0).normal(size=(3 * MAX_POINTS, 2))
    data = Dataset.from_values(values, ["x", "y"])
    figure, caption = pair_data(data, 0, 1, (), {})
    assert len(figure.data[0].x) == MAX_POINTS
    assert caption.endswith(f"{MAX_POINTS:,} of {3 * MAX_POINTS:,} rows.")
    assert np.array_equal(figure.data[0].x, pair_data(data, 0, 1, (), {})[0].data[0].x)


def test_hostile_names_and_levels_are_inert():
    rows = [(HOSTILE[k], HOSTILE[(k * 3) % 16], HOSTILE[(k * 5) % 16]) for k in range(16)]
    names = HOSTILE[:3]
    inert(pair_data(discrete(rows, names), 0, 1, (2,), {})[0])
    inert(pair_data(Dataset.from_values(np.random.default_rng(0).normal(size=(20, 3)), names), 0, 1, (2,), {})[0])
    inert(histogram(np.arange(9.0), HOSTILE[0]))
    inert(level_counts(HOSTILE, range(len(HOSTILE)), HOSTILE[0]))


def test_plain_shortens_before_it_escapes():
    """No HTML entity is cut."""
    assert figures.plain("&" * 30, 10) == "&amp;" * 6 + "…" + "&amp;" * 3


WARD = Dataset.from_frame(
    pd.DataFrame(
        {
            "sex": list("fmfmfmfm") * 5,
            "dose": [0.5, None, *range(38)],
            "age": range(100, 140),
            "ill": (["yes", "no", None, "no"] * 10),
        }
    ),
    {"age": "continuous"},
)


@pytest.mark.parametrize(
    ("pair", "cond", "kind", "expected"),
    [
        ((0, 3), (), "bar", "Shares of ill for each level of sex."),
        ((0, 3), (1,), "bar", "Shares of ill for each level of sex."),
        ((0, 1), (), "box", "dose by sex."),
        ((1, 0), (2, 3), "box", "Residuals of dose after regression on {age, ill}, by sex."),
        ((1, 2), (), "scatter", "age against dose."),
        ((1, 2), (0,), "scatter", "Residuals of both after regression on {sex}."),
    ],
)
def test_rows_of_mixed_data_are_drawn_if_complete(pair, cond, kind, expected):
    """The type of figure fits the column types, and shows the rows that have x, y and the set."""
    figure, caption = pair_data(WARD, *pair, cond, {})
    rows = WARD.available((*pair, *cond)).n
    assert {trace.type for trace in figure.data} == {kind}
    hollow = r"( Hollow: [\d,]+ rows? (without \w+|with only one of \w+ and \w+)\.)?"
    note = hollow + r"( Not drawn: [\d,]+ rows? with a missing cell\.)?( Tests leave these out\.)?"
    assert re.fullmatch(re.escape(expected) + note, caption)
    if kind != "bar":
        drawn = [trace for trace in figure.data if trace.name != MISSING and getattr(trace, "mode", "") != "lines"]
        assert sum(len(trace.x) for trace in drawn) == rows
