"""Published values and those of Edgewise: positions of dots and lines, and sentences that name the cases."""

import math
import re

import pandas as pd
import pytest

from viz.experiments.curves import curves
from viz.experiments.figures import dots
from viz.experiments.published import experiments_of, papers, tables_of
from viz.experiments.words import (
    cell_label,
    meanings,
    method_label,
    metric_label,
    reasons,
    share_label,
    tally,
    tally_text,
)
from viz.language import Language
from viz.translation.sentences import translated


def table(*lines: tuple) -> pd.DataFrame:
    """Return a table of rows (cell, method, ours, spread, paper, its spread)."""
    return pd.DataFrame(lines, columns=["cell", "method", "ours", "spread", "paper", "paper's spread"])


TWO = table(
    ("network=alarm n=50", "A", 1.0, 0.1, 2.0, math.nan),
    ("network=alarm n=50", "B", 3.0, math.nan, math.nan, math.nan),
    ("network=child n=50", "A", 4.0, 0.2, 5.0, 0.5),
)


def test_our_and_published_dots_share_a_line():
    """Filled and hollow dots of a method are at the same height, with their spread."""
    figure, alt = dots(TWO, "SHD")
    traces = {one.name: one for one in figure.data}
    assert set(traces) == {"A", "A, paper", "B"}
    assert list(traces["A"].y) == list(traces["A, paper"].y)
    assert list(traces["A"].x) == [1, 4]
    assert list(traces["A, paper"].error_x.array) == [None, 0.5]
    assert "open" in traces["A, paper"].marker.symbol
    assert "open" not in traces["A"].marker.symbol
    assert list(figure.layout.yaxis.ticktext) == ["alarm, n = 50", "child, n = 50"]
    assert alt == "SHD for A, B in 2 settings: our values and the published ones"


def test_methods_of_a_cell_have_separate_lines():
    heights = [one.y[0] for one in dots(TWO, "SHD")[0].data if one.name in ("A", "B")]
    assert -0.5 < heights[0] < heights[1] < 0.5


@pytest.mark.parametrize(("largest", "scale"), [(99.0, None), (1001.0, "log")], ids=["near", "far"])
def test_large_ratios_use_a_logarithmic_axis(largest, scale):
    figure, _ = dots(table(("p=1", "A", 1.0, 0.1, largest, math.nan)), "seconds")
    assert figure.layout.xaxis.type == scale


def test_cell_labels():
    assert cell_label("network=alarm n=50") == "alarm, n = 50"
    assert cell_label("p=100 edges=200") == "p = 100, edges = 200"
    assert cell_label("kind=discrete network=child n=50", Language("de")) == "diskret, child, n = 50"


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("TPR against FPR", ["TPR", "FPR"]), ("step=HC ARGES-CIG", ["HC", "CIG"]), ("tests", [])],
    ids=["curve", "colon", "plain"],
)
def test_abbreviations_are_explained(metric, expected):
    """Only the abbreviations that occur as a word are explained."""
    assert [one.partition(",")[0] for one in meanings(metric).split("; ") if one] == expected


def test_titles_and_remarks_have_a_german_version():
    for paper in papers():
        for one in experiments_of(paper).values():
            texts = (one.what.partition(", ")[2] or one.what, *one.remarks)
            assert [text for text in texts if translated(text, "de") == text] == []


def test_verdicts_are_counted_without_empty_ones():
    assert tally(pd.Series(["", "no", "yes", "yes"])) == {"yes": 2, "no": 1}
    assert tally(pd.Series([""])) == {}


def test_values_with_the_same_reason_share_a_sentence():
    """The sentence names metric, method and a few cells."""
    lines = [(f"p={k}", "A", "SHD", "why") for k in range(6)] + [("p=1", "B", "SHD", "open"), ("p=1", "C", "SHD", "")]
    found = reasons(pd.DataFrame(lines, columns=["cell", "method", "metric", "note"]))
    assert found == [
        "6 values, SHD of A (p = 0; p = 1; p = 2; p = 3 and 2 more): why",
        "1 value, SHD of B (p = 1): open",
    ]


def points(*lines: tuple) -> pd.DataFrame:
    """Return a table of points (cell, method, x, mean, spread, data sets)."""
    return pd.DataFrame(lines, columns=["cell", "method", "at", "ours", "spread", "networks"])


FOUR = points(
    ("n=30", "A", 2.0, 0.8, 0.1, 3),
    ("n=30", "A", 1.0, 0.5, math.nan, 3),
    ("n=30", "A", 3.0, 0.1, 0.1, 2),
    ("n=30", "B", 1.0, 0.4, 0.1, 3),
    ("n=90", "A", 1.0, 0.6, 0.1, 3),
)


def test_a_curve_ends_where_a_data_set_has_no_value():
    first = curves(FOUR, "TPR", "edges")[0].data[0]
    assert (first.name, list(first.x), list(first.y)) == ("A", [1, 2], [0.5, 0.8])
    assert list(first.customdata) == ["", " ± 0.1"]


def test_each_setting_has_a_panel_and_each_method_one_colour_and_name():
    """A method is in the legend once and has one colour; panels share their axes."""
    figure, alt = curves(FOUR, "TPR", "edges", log="x")
    assert [one.text for one in figure.layout.annotations] == ["n = 30", "n = 90"]
    assert [(one.name, one.xaxis, one.showlegend) for one in figure.data] == [
        ("A", "x", True),
        ("B", "x", True),
        ("A", "x2", False),
    ]
    assert figure.data[0].line.color == figure.data[2].line.color != figure.data[1].line.color
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.yaxis.type is None
    assert alt == "TPR by edges for A, B in 2 settings"


def test_the_lowest_panel_of_every_column_has_its_axis():
    """Columns without a panel in the last row also have an axis."""
    five = pd.concat([FOUR[FOUR["method"] == "B"].assign(cell=f"n={k}") for k in range(5)])
    layout = curves(five, "TPR", "edges")[0].layout
    axes = (layout.xaxis3, layout.xaxis4, layout.xaxis5)
    assert [axis.title.text for axis in axes] == ["edges"] * 3
    assert all(axis.showticklabels for axis in axes)


def test_a_method_without_values_is_not_drawn():
    empty = points(("n=30", "A", 1.0, 0.5, 0.1, 1), ("n=30", "B", 1.0, math.nan, math.nan, 0))
    assert [one.name for one in curves(empty, "TPR", "edges")[0].data] == ["A"]


def test_verdicts_are_written_with_their_numbers_first():
    """A number is followed by its verdict, in singular or plural."""
    verdicts = pd.Series(["holds"] * 2 + ["the other way", "no clear difference", "no clear difference"])
    assert tally_text(verdicts) == "2 hold, 2 show no clear difference, 1 points the other way"
    assert tally_text(pd.Series(["within the spread"] * 1200)) == "1,200 within the spread"


ENGLISH_WORDS = re.compile(
    r"\b(and|any|available|both|by|categories|clean|complete|dense|hidden|imputed|missing|mixed|no|only|polished|published"
    r"|random|rows|search|strong|trees?|trust|weak|world)\b"
)


def test_methods_and_cells_of_all_experiments_are_german():
    """No word of a method or of a cell stays English; names of learners, programs and networks do."""
    german = Language("de")
    for paper in papers():
        for name in experiments_of(paper):
            for rows in tables_of(name):
                shown = {method_label(one, german) for one in rows["method"]}
                shown |= {cell_label(one, german) for one in rows["cell"]}
                assert [one for one in shown if ENGLISH_WORDS.search(one)] == [], name
    assert method_label("BOSS, imputed - BOSS, available", german) == "BOSS, imputiert - BOSS, verfügbare Zellen"
    assert cell_label("world=three-hidden", german) == "Welt = drei verborgene Ursachen"


def test_metrics_and_shares_in_tables_are_german():
    """No metric and no share of an experiment keeps "at", "of" or "for" between its words."""
    german = Language("de")
    assert metric_label("SHD for each true edge at 0.1", german) == "SHD je wahrer Kante bei 0.1"
    assert (share_label("9 of 10", german), share_label("9 of 10"), share_label("")) == ("9 von 10", "9 of 10", "")
    written = set()
    for paper in papers():
        for name in experiments_of(paper):
            values, claims = tables_of(name)
            written |= {metric_label(one, german) for table in (values, claims) for one in table["metric"].unique()}
            written |= {share_label(str(one), german) for one in claims["above 0"].dropna()}
    assert {one for one in written if re.search(r"\b(at|of|for)\b", one)} == set()
