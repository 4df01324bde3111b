"""Graphs of lessons for the graph component."""

from __future__ import annotations

import numpy as np

from learners.explaining.explanation import event_sentence
from learners.explaining.record import Catalog
from learners.lessons.lesson import LessonGraph
from learners.results.result import LearnResult

from .graph_data import GraphViewData, Group, nodes
from .layout.positions import layout
from .weak_evidence import TOO_FEW

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


def with_translated_steps(data: GraphViewData, result: LearnResult, catalog: Catalog) -> GraphViewData:
    """Write the sentences of steps that are changes of the trace in the language of a catalog."""
    texts = data["steps"]["text"]
    changes = result.trace.changes[data["steps"].get("offset", 0) :]
    if not catalog or len(texts) != len(changes) + 1:
        return data
    written = [event_sentence(result, result.trace[int(t)]).text(result.names, catalog) for t in changes]
    note = f"; {catalog.get(TOO_FEW, TOO_FEW)}"
    noted = [f"{new}{note if old.endswith(TOO_FEW) else ''}" for new, old in zip(written, texts[1:], strict=True)]
    return data | {"steps": data["steps"] | {"text": [catalog.get(texts[0], texts[0]), *noted]}}
