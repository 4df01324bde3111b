"""Labels of edges: on their edge, and clear of other edges, boxes and labels; the same as on screen."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.io.samples import load_network
from learners.networks.random_networks import random_dag
from tests.javascript import Node
from viz.layout.positions import layout
from viz.layout.printed_graph import place
from viz.layout.routing import Box, Point, Router, passes
from viz.report.notes import NOTE_HEIGHT, Note, note_spots, place_notes, width_of

LABEL = "0.87"
SMALL = (  # all bundled networks of at most 50 nodes
    "alarm", "asia", "barley", "cancer", "child", "earthquake", "ecoli70", "gauss30", "insurance", "magic-niab",
    "mildew", "sachs", "survey", "water",
)  # fmt: skip
RANDOM = {f"{p} nodes": (p, degree, p) for p, degree in ((10, 3.0), (20, 2.5), (35, 2.0), (50, 2.0))}


def graph_of(name: str) -> tuple[PDAG, list[str]]:
    if name in RANDOM:
        graph = cpdag(random_dag(*RANDOM[name]))
        return graph, [f"V{k}" for k in range(graph.p)]
    network = load_network(name)
    return network.dag, list(network.names)


def drawn(name: str, kind: str = "layered") -> tuple[Router, list[tuple[Point, ...]], list[Note]]:
    """Return the routes of a graph, and a label for each edge."""
    graph, names = graph_of(name)
    router = Router(place(layout(graph, kind), [name[:20] for name in names]))
    lines = [router.route(i, j, lane=k).points for k, (i, j) in enumerate(sorted(graph.edges()))]
    return router, lines, [Note(k, width_of(LABEL), note_spots(points)) for k, points in enumerate(lines)]


def box_of(at: Point, width: float) -> Box:
    return at[0] - width / 2, at[1] - NOTE_HEIGHT / 2, at[0] + width / 2, at[1] + NOTE_HEIGHT / 2


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def overlaps(name: str, kind: str = "layered") -> list[tuple[str, int, int]]:
    """Return (kind, label, item) for each label, node or foreign edge that a label covers."""
    router, lines, notes = drawn(name, kind)
    boxes = [box_of(at, note.width) for at, note in zip(place_notes(notes, router.boxes(), lines), notes, strict=True)]
    found = [("label", k, m) for k, m in combinations(range(len(boxes)), 2) if overlap(boxes[k], boxes[m])]
    for k, box in enumerate(boxes):
        found += [("node", k, m) for m, other in enumerate(router.boxes()) if overlap(box, other)]
        found += [
            ("edge", k, m)
            for m, points in enumerate(lines)
            if m != k and any(passes(p, q, box) for p, q in zip(points, points[1:], strict=False))
        ]
    return found


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("name", [*RANDOM, *SMALL])
def test_no_label_covers_another_edge_box_or_label(name: str) -> None:
    """With a label on every edge of up to 50 nodes, no label covers a node, another edge or another label."""
    assert overlaps(name) == []


@pytest.mark.parametrize("name", ["asia", "20 nodes"])
def test_labels_lie_where_they_do_on_screen(name: str) -> None:
    router, lines, notes = drawn(name)
    found = place_notes(notes, router.boxes(), lines)
    process = Node()
    given = json.dumps([lines, router.boxes(), notes[0].width])
    shown = process(
        "notes",
        "(([lines, boxes, width]) => m.placeNotes(lines.map((points, line) =>"
        f" ({{ line, width, spots: m.noteSpots(points) }})), boxes, lines))({given})",
    )
    process.close()
    assert np.allclose(found, shown)


def test_middle_of_the_edge_is_preferred() -> None:
    at = place_notes([Note(0, 30, note_spots([(0, 0), (100, 0)]))], [], [[(0, 0), (100, 0)]])
    assert at == [(50, 0)]


def test_crossing_at_the_middle_moves_the_label_along_its_edge() -> None:
    lines = [[(0, 0), (200, 0)], [(100, -50), (100, 50)]]
    ((x, y),) = place_notes([Note(0, 30, note_spots(lines[0]))], [], lines)
    assert y == 0
    assert abs(x - 100) >= 15
