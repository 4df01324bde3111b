"""Printed edges: the routes of `graph_view/routing.js`, around all boxes."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.io.samples import load_network
from learners.networks.random_networks import random_dag
from tests.javascript import Node
from viz.layout.positions import KINDS, layout
from viz.layout.printed_graph import Places, place
from viz.layout.routing import Router, _hits, _sampled, passes

GRAPHS = {f"{p} nodes": (cpdag(random_dag(p, 2.5, p)), None) for p in (12, 37, 70)}
NETWORKS = ("asia", "child", "alarm", "insurance", "hailfinder")


def graph_of(name: str) -> tuple[PDAG, list[str]]:
    if name in NETWORKS:
        network = load_network(name)
        return network.dag, list(network.names)
    graph = GRAPHS[name][0]
    return graph, [f"variable {k}" for k in range(graph.p)]


def placed(graph: PDAG, names: list[str], kind: str) -> Places:
    tiers = [k % 3 for k in range(graph.p)] if kind == "tiers" else None
    return place(layout(graph, kind, tiers=tiers), [name[:20] for name in names])


@pytest.fixture(scope="module")
def node():
    process = Node()
    yield process
    process.close()


@pytest.mark.parametrize("p", [91, 300])
def test_dots_that_are_close_are_small(p: int, node: Node) -> None:
    """A dot is as large as a letter, or half as large; Python and the browser agree."""
    rng = np.random.default_rng(p)
    found = []
    for closeness in (1.0, 0.6, 0.001):
        xy = rng.random((p, 2)) * closeness
        xy[:2] = [[0, 0], [1, 1]]
        places = place(xy, [""] * p)
        width, height = places.xy.max(axis=0).tolist()
        nodes = json.dumps([{"x": x, "y": y} for x, y in xy.tolist()])
        area = f"{{clientWidth: {width}, clientHeight: {height}}}"
        assert node("geometry", f"m.dotSize({nodes}, {places.font}, {area})") == pytest.approx(places.size[0, 0])
        found.append(places.size[0, 0])
    assert found[0] == places.font > found[1] > found[-1] == places.font / 2


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*GRAPHS, *NETWORKS])
def test_no_edge_touches_a_foreign_box(name: str, kind: str) -> None:
    """No edge passes through the box of a third variable, of which it would seem to be an edge."""
    graph, names = graph_of(name)
    places = placed(graph, names, kind)
    router = Router(places)
    half = places.size / 2
    boxes = np.hstack([places.xy - half, places.xy + half]).tolist()
    for k, (i, j) in enumerate(sorted(graph.edges())):
        points = router.route(i, j, lane=k).points
        for other in set(range(graph.p)) - {i, j}:
            assert not any(passes(p, q, boxes[other]) for p, q in zip(points, points[1:], strict=False)), (i, j, other)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["layered", "circle"])
@pytest.mark.parametrize("name", ["37 nodes", "alarm"])
def test_routes_equal_those_on_screen(name: str, kind: str, node: Node) -> None:
    graph, names = graph_of(name)
    places = placed(graph, names, kind)
    edges = sorted(graph.edges())
    nodes = [
        dict(zip(("px", "py", "w", "h"), row, strict=True)) for row in np.hstack([places.xy, places.size]).tolist()
    ]
    found = node(
        "routing",
        "((nodes, edges) => edges.map(([i, j], k) => m.routeAround(nodes[i], nodes[j], nodes, k).points))"
        f"({json.dumps(nodes)}, {json.dumps(edges)})",
    )
    router = Router(places)
    for k, ((i, j), points) in enumerate(zip(edges, found, strict=True)):
        assert np.allclose(router.route(i, j, lane=k).points, points), (i, j)


def test_routes_do_not_depend_on_other_edges() -> None:
    """Edges keep their routes when the slider adds and removes other edges."""
    graph, names = graph_of("alarm")
    router = Router(placed(graph, names, "layered"))
    (i, j), *_ = graph.edges()
    before = router.route(i, j)
    for edge in graph.edges():
        router.route(*edge)
    assert router.route(i, j) == before


def test_bends_hit_the_boxes_that_their_lines_pass() -> None:
    """Boxes away from the three points of a bend are not compared, and change nothing."""
    rng = np.random.default_rng(0)
    n_hit = 0
    for _ in range(200):
        curve = tuple(map(tuple, rng.uniform(0, 10, (3, 2)).tolist()))
        corners = rng.uniform(0, 12, (4, 2))
        boxes = [tuple(box) for box in np.hstack([corners, corners + rng.uniform(0.2, 2, (4, 2))]).tolist()]
        points = _sampled(curve)
        hit = any(passes(p, q, box) for box in boxes for p, q in pairwise(points))
        assert _hits(curve, boxes) == hit
        n_hit += hit
    assert 20 < n_hit < 180
