"""Overlays, tables and curves of several graphs."""

from __future__ import annotations

import numpy as np

from learners.evaluation.comparison import consensus
from learners.evaluation.curves import roc
from learners.graphs.graph import PDAG
from viz.compare import figures, overlay, tables

NAMES = ("a", "b", "c", "d")
PLACES = np.linspace(0, 1, 8).reshape(4, 2)
A = PDAG.from_edges(4, directed=[(0, 1), (1, 2)], undirected=[(2, 3)])
B = PDAG.from_edges(4, directed=[(1, 0), (0, 3)], undirected=[(2, 3)])


def test_overlay_marks_the_graphs_of_each_edge():
    """Edges of both graphs have the mark of A; the sentence counts edges by graph."""
    data = overlay.difference_view(A, B, NAMES, PLACES, ("first", "second"))
    text = {(edge["a"], edge["b"]): (edge["diff"], edge["spans"][0][2]) for edge in data["edges"]}
    assert text == {
        (0, 1): ("direction_differs", "forward"),
        (0, 3): ("only_b", "forward"),
        (1, 2): ("only_a", "forward"),
        (2, 3): ("both", "undirected"),
    }
    assert data["steps"]["text"] == ["1 equal, 1 in first only, 1 in second only, 1 with different directions"]


def test_consensus_slider_drops_edges_that_fewer_graphs_have():
    """Step k, counted from 1, shows the edges that at least k graphs have."""
    graphs = [A, B, A]
    data = overlay.consensus_view(consensus(graphs), 3, NAMES, PLACES)
    assert data["steps"]["offset"] == 1
    for k in (1, 2, 3):
        shown = {(e["a"], e["b"]) for e in data["edges"] if e["spans"][0][0] <= k - 1 < e["spans"][0][1]}
        expected = {(i, j) for i in range(4) for j in range(i + 1, 4) if sum(g.skeleton[i, j] for g in graphs) >= k}
        assert shown == expected
        assert data["steps"]["series"][0]["values"][k - 1] == len(expected)


def test_edge_table_starts_with_differences():
    """The table has one row for each pair and one column for each graph; the truth does not affect the verdict."""
    table = tables.edge_by_edge({"A": A, "B": B}, NAMES, PDAG.from_edges(4, directed=[(0, 2)]))
    assert table["verdict"].tolist() == ["different"] * 3 + ["equal"] * 2
    row = table[(table["x"] == "c") & (table["y"] == "d")].iloc[0]
    assert (row["A"], row["B"], row["truth"], row["in"]) == ("—", "—", "", 2)
    only_true = table[(table["x"] == "a") & (table["y"] == "c")].iloc[0]
    assert (only_true["in"], only_true["truth"], only_true["verdict"]) == (0, "→", "equal")


def test_quality_has_a_row_a_graph():
    """The true graph itself has perfect quality."""
    rows = tables.quality_rows({"A": A, "B": B}, A)
    assert rows.loc["A"].tolist() == [1, 1, 0, 0, 1]
    assert rows.loc["B", "SHD"] == 3


def test_curves_are_distinguishable_without_colour():
    """Labels are user text and never markup."""
    curve = roc(np.array([[0, 1], [0, 2]]), A)
    figure = figures.roc_figure({"A": curve, "<b>B": curve})
    assert [line.name for line in figure.data] == ["A", "&lt;b&gt;B"]
    assert len({line.line.dash for line in figure.data}) == 2
