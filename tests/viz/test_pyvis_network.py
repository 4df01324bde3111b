"""The pyvis page: self-contained, and names are inert."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from learners.graphs.graph import PDAG
from learners.graphs.rules import Rule
from learners.io.samples import load_network
from learners.results.events import Action
from tests.javascript import Node
from tests.viz.cases import HOSTILE, judged, learnt, made, oriented
from viz import pyvis_network as network_module
from viz.layout.positions import layout
from viz.layout.printed_graph import place
from viz.layout.routing import passes
from viz.pyvis_network import CHOSEN, network_html


def page_of(result, graph=None, **options):
    """Return the page with nodes on a diagonal."""
    p = len(result.names)
    return network_html(result, graph or result.graph, np.linspace(0, 1, 2 * p).reshape(p, 2), **options)


def contents(page):
    """Return the nodes and edges that the script of the page builds."""
    nodes, edges = (
        json.loads(re.search(rf"{what} = new vis.DataSet\((\[.*?\])\);", page)[1]) for what in ("nodes", "edges")
    )
    return nodes, edges


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_page_holds_the_graph(seed):
    """The page has a labelled node for each variable, and only directed edges have arrows."""
    result = learnt(seed)
    nodes, edges = contents(page_of(result))
    assert [node["label"] for node in nodes] == list(result.names)
    arrows = {(e["from"], e["to"]) for e in edges if e["arrows"] == "to"}
    lines = {(e["from"], e["to"]) for e in edges if not e["arrows"]}
    assert arrows == set(result.graph.directed_edges())
    assert lines == set(result.graph.undirected_edges())


def test_page_may_show_another_step():
    assert len(contents(page_of(learnt(0), PDAG.complete(8)))[1]) == 28


def test_selected_pair_is_orange():
    result = made([judged(Action.KEEP, 0, 1, -9.0)])
    nodes, edges = contents(page_of(result, selected=(1, 0)))
    assert [node["color"]["border"] == CHOSEN for node in nodes] == [True, True, False]
    assert [edge["color"] == CHOSEN for edge in edges] == [True, False, False]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("names", [("a", "b", "c"), HOSTILE], ids=["plain", "hostile"])
def test_page_refers_to_no_other_server(names, dark):
    """No attribute loads a resource, and no name becomes markup or ends the script."""
    page = re.sub(r"<!--.*?-->", "", page_of(made([], p=len(names), names=names), dark=dark), flags=re.S)
    assert not re.search(r"<(link|script|img|iframe)\b[^>]*\b(src|href)=", page, re.I)
    assert not re.search(r"@import|\burl\(\s*['\"]?(https?:)?//", page)
    assert "evil.example" not in re.sub(r"DataSet\(\[.*?\]\);", "", page)
    for nodes in re.findall(r"DataSet\((\[.*?\])\);", page):
        assert not re.search(r"[<>&']", nodes)


def test_unknown_external_link_is_an_error(monkeypatch):
    monkeypatch.setattr(network_module, "EXTERNAL", re.compile("never"))
    with pytest.raises(RuntimeError, match="another server"):
        page_of(made([]))


def test_exported_page_has_a_title_and_a_legend_as_text():
    """Markup in a title is shown as text."""
    result = made([judged(Action.KEEP, 0, 1, -9.0)])
    page = network_html(result, result.graph, np.zeros((3, 2)), title="PC on <script>alert(1)</script>")
    assert "<title>PC on &lt;script&gt;alert(1)&lt;/script&gt;</title>" in page
    assert "<script>alert(1)" not in page
    assert "Plain line: direction open." in page


def test_conflicting_evidence_is_marked():
    """The final graph has two arrowheads and a dashed line, earlier steps a plain line."""
    result = made([judged(Action.KEEP, 0, 1, -9.0), oriented(0, 1, Rule.CONFLICT, (2,), Action.CONFLICT)])
    assert '"to, from"' in network_html(result, result.graph, np.zeros((3, 2)))
    assert '"to, from"' not in network_html(result, PDAG.from_edges(3, undirected=[(0, 1)]), np.zeros((3, 2)))


def test_nodes_are_where_they_are_in_the_other_pictures():
    """Nodes have the given positions, and no spring moves them before the user drags one."""
    result = learnt(0)
    xy = layout(result.graph)
    page = network_html(result, result.graph, xy)
    nodes, _ = contents(page)
    expected = place(xy, result.names)
    assert np.allclose([[node["x"], node["y"]] for node in nodes], expected.xy)
    assert '"physics": {"enabled": false' in page


def test_routes_replace_the_straight_lines_of_vis():
    """The edges of vis.js are hidden, and drawn by the same routing module as in the app."""
    page = page_of(learnt(0))
    assert '"hidden": true' in page
    assert "drawRoutes(network, nodes, edges, " in page
    assert "function routeAround(" in page


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_no_edge_of_the_page_touches_a_foreign_box(name):
    graph = load_network(name).dag
    places = place(layout(graph), load_network(name).names)
    boxes = [
        [k, {"px": x, "py": y, "w": w, "h": h, "square": True}]
        for k, (x, y, w, h) in enumerate(np.hstack([places.xy, places.size]).tolist())
    ]
    edges = [{"from": i, "to": j, "label": "?", "width": 2} for i, j in graph.edges()]
    node = Node()
    found = node(
        "pyvis_routes",
        f"((boxes, edges) => {{ const {{ paths, notes }} = m.pyvisRoutes(new Map(boxes), edges);"
        " return [paths.map((path) => path.points), [...notes.values()]]; })"
        f"({json.dumps(boxes)}, {json.dumps(edges)})",
    )
    node.close()
    paths, notes = found
    half = places.size / 2
    rectangles = np.hstack([places.xy - half, places.xy + half]).tolist()
    assert len(paths) == len(notes) == graph.n_edges
    for points, edge in zip(paths, edges, strict=True):
        for k in set(range(graph.p)) - {edge["from"], edge["to"]}:
            assert not any(passes(p, q, rectangles[k]) for p, q in zip(points, points[1:], strict=False))
