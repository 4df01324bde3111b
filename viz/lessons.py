"""Graphs of lessons for the graph component."""

from __future__ import annotations

import numpy as np

from learners.lessons.lesson import LessonGraph

from .graph_data import GraphViewData, Group, nodes
from .layout.positions import layout

CONDITIONED: Group = {"mark": "=", "name": "conditioned on", "colour": "#E69F00", "ink": "#000000", "shape": "square"}


def lesson_view(graph: LessonGraph) -> GraphViewData:
    """Return a graph in layers; variables that are conditioned on have a badge."""
    places = layout(graph.graph) if graph.graph.n_edges else np.full((len(graph.names), 2), 0.5)
    drawn = [node | ({"group": 0} if node["label"] in graph.given else {}) for node in nodes(graph.names, places)]
    edges = [
        {"id": k, "a": a, "b": b, "spans": [[0, 1, graph.graph.mark(a, b)]]}
        for k, (a, b) in enumerate(graph.graph.edges())
    ]
    data: GraphViewData = {
        "nodes": drawn,
        "edges": edges,
        "steps": {"count": 1, "text": [""]},
        "directed": "directed",
        "allow_pins": False,
        "file_name": "edgewise_lesson",
    }
    return data | ({"groups": [CONDITIONED]} if graph.given else {})
