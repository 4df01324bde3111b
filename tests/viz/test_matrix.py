"""The adjacency matrix: cells, orders, size of the data, and names that browsers confuse with properties."""

from __future__ import annotations

import numpy as np
import pytest

from learners.graphs.graph import PDAG
from learners.graphs.rules import Rule
from learners.results.events import Action
from tests.viz.cases import HOSTILE, SEEDS, judged, learnt, made, oriented
from tests.viz.heat import cells_of
from tests.viz.test_figures import inert, named
from viz.figures import level_counts
from viz.layout.seriation import alphabetical, seriate
from viz.matrix import matrix
from viz.pair_map import CELL, CROWDED_HEIGHT, MAX_LABELLED, MIN_HEIGHT
from viz.text import WORD_JOINER

BARE = PDAG.empty(len(learnt(0).names))
KNOWN_TO_BROWSERS = ("__proto__", "constructor", "toString", "length", "hasOwnProperty", "valueOf", "0", "NaN")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("backwards", [False, True])
def test_matrix_fills_exactly_the_cells_of_edges(seed, backwards):
    """Cells are right for any order of the variables; their value is the strength of the pair."""
    result = learnt(seed)
    order = range(len(result.names))[:: -1 if backwards else 1]
    figure = inert(matrix(result, result.graph, order))
    shown = cells_of(figure)[np.ix_(order, order)]  # reversing is its own inverse
    assert np.array_equal(~np.isnan(shown), result.graph.amat)
    judged_edges = result.graph.amat & np.isfinite(result.strengths.values)
    assert np.allclose(shown[judged_edges], result.strengths.values[judged_edges])
    assert named(figure.layout.xaxis, range(len(order))) == [result.names[k] for k in order]


@pytest.mark.parametrize("seed", SEEDS)
def test_hover_position_and_click_agree(seed):
    result = learnt(seed)
    order, p = alphabetical(result.names)[::-1], len(result.names)
    targets = matrix(result, result.graph, order).data[1]
    assert len(targets.text) == result.graph.amat.sum()
    for x, y, words, cell in zip(targets.x, targets.y, targets.text, targets.customdata, strict=True):
        i, j = divmod(cell, p)
        assert (order[y], order[x]) == (i, j)
        sign = "—" if result.graph.mark(i, j) == "undirected" else "→"
        assert words.startswith(f"{result.names[i]} {sign} {result.names[j]}<br>")


def test_edges_without_a_strength_get_the_strongest_colour():
    """A required edge, which has no strength because it was never tested, has the color of the strongest edge."""
    result = made([judged(Action.KEEP, 0, 1, -9.0), oriented(1, 2, Rule.REQUIRED), judged(Action.REMOVE, 0, 2, -0.1)])
    shown = cells_of(matrix(result, result.graph))
    assert shown[1, 2] == shown[0, 1] == pytest.approx(-9.0 / np.log(10))


def test_names_are_never_keys_in_the_browser():
    """Axes use positions as values, and names, which browsers may interpret as properties or dates, only as labels."""
    names = (*KNOWN_TO_BROWSERS, "2020-01-01", "x" * 100 + "a", "x" * 100 + "b")
    figures = (
        matrix(made([], p=len(names), names=names), PDAG.complete(len(names))),
        level_counts(names, [1] * 11, "n"),
    )
    for figure in figures:
        axis = figure.layout.xaxis
        assert axis.type == "category"
        assert list(axis.categoryarray) == list(range(len(names)))
        assert list(axis.labelalias) == [str(k) for k in range(len(names))]
        actual = named(axis, range(len(names)))
        assert [text.replace(WORD_JOINER, "") for text in actual[:8]] == list(KNOWN_TO_BROWSERS)
        assert not {"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"} & set(actual)
        assert len(set(named(axis, range(11)))) == 11


def test_matrix_of_hostile_names_is_inert():
    result = made([judged(Action.KEEP, 0, 1, -9.0)], p=len(HOSTILE), names=HOSTILE)
    inert(matrix(result, PDAG.complete(len(HOSTILE)), found=1))


def test_matrix_height_grows_up_to_a_limit():
    """Beyond the limit, the figure fits the screen, and zooming shows the names."""
    heights = {
        p: matrix(made([], p=p, names=tuple(map(str, range(p)))), PDAG.empty(p)).layout.height
        for p in (2, 40, 80, MAX_LABELLED + 1, 500)
    }
    assert heights[2] == MIN_HEIGHT
    assert heights[80] - heights[40] == 40 * CELL
    assert heights[MAX_LABELLED + 1] == heights[500] == CROWDED_HEIGHT


def test_matrix_of_a_sparse_graph_sends_edges_only():
    """The figure has values for the edges only; all cells of 724 variables would be half a million."""
    p = 724
    graph = PDAG.from_edges(p, directed=[(k, k + gap) for gap in (1, 31) for k in range(p - gap)])
    figure = matrix(made([], p=p, names=tuple(f"variable {k}" for k in range(p))), graph)
    assert len(figure.to_json()) < 200_000
    assert np.array_equal(~np.isnan(cells_of(figure)), graph.amat)


@pytest.mark.parametrize("seed", SEEDS)
def test_orders_hold_each_variable_once(seed):
    result = learnt(seed)
    p = len(result.names)
    groups = np.arange(p) % 2
    for order in (seriate(result.graph), alphabetical(result.names), seriate(result.graph, groups)):
        assert sorted(order.tolist()) == list(range(p))
    assert np.all(np.diff(groups[seriate(result.graph, groups)]) >= 0)


def test_seriation_places_adjacent_variables_together():
    """Two interleaved cliques are separated, and isolated variables are placed at the ends."""
    cliques = [(i, j) for i in range(8) for j in range(i) if (i - j) % 2 == 0]
    order = seriate(PDAG.from_edges(9, undirected=cliques)).tolist()
    for clique in (0, 1):
        places = [place for place, k in enumerate(order) if k < 8 and k % 2 == clique]
        assert max(places) - min(places) == 3
    assert order.index(8) in (0, 8)


def test_names_are_sorted_naturally():
    """Sorting ignores case and compares numbers by value."""
    names = ("x10", "b", "x9", "A", "x")
    assert [names[k] for k in alphabetical(names)] == ["A", "b", "x", "x9", "x10"]


def test_a_graph_without_edges_has_no_colour_bar():
    result = learnt(0)
    with_edges, without = (matrix(result, graph, range(len(result.names))).data[0] for graph in (result.graph, BARE))
    assert with_edges.showscale is not False
    assert without.showscale is False
    assert (without.zmin, without.zmax) == (0.0, 1.0)


def test_a_searched_variable_is_highlighted():
    """The row and column of the variable are framed and named in any order of the variables."""
    result = learnt(0)
    order = alphabetical(result.names)[::-1]
    figure = matrix(result, result.graph, order, found=3)
    place = order.tolist().index(3)
    row, column = figure.layout.shapes
    assert ((row.y0 + row.y1) / 2, (column.x0 + column.x1) / 2) == (place, place)
    assert [note.text for note in figure.layout.annotations] == [result.names[3]] * 2


def test_lines_separate_the_clusters():
    result = learnt(0)
    groups = np.arange(len(result.names)) % 3
    order = seriate(result.graph, groups)
    lines = matrix(result, result.graph, order, groups).layout.shapes
    assert len(lines) == 4
    assert {line.y0 for line in lines} >= {float(np.flatnonzero(np.diff(groups[order]))[0]) + 0.5}
