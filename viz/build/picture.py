"""What the canvas is given, and where nodes lie on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from learners.graphs.graph import PDAG
from learners.networks.draft import Draft

from ..graph_view.contract import GraphViewData
from ..layout.positions import layout
from ..text import count, format_set, shorten

Place = tuple[float, float]
HOW = (
    "Double click: a node. Drag from a node's dot: an edge. Or choose two nodes and press Edge. "
    "Keys: N node, E edge, T turn, F2 rename, Delete."
)
RIM = 0.08  # of the canvas, that stays free


def canvas(draft: Draft, ids: Sequence[int], places: Mapping[str, Place]) -> GraphViewData:
    """The network as a picture that can be drawn on.

    Parameters
    ----------
    draft : Draft
    ids : sequence of int
        What the picture calls each node, in their order.
    places : mapping of name to (x, y)
        In [0, 1].
    """
    called = dict(zip(draft.names, ids, strict=True))
    return {
        "nodes": [
            {"id": called[name], "label": name, "x": places[name][0], "y": places[name][1]} for name in draft.names
        ],
        "edges": [
            {
                "id": k,
                "a": called[a],
                "b": called[b],
                "spans": [[0, 1, "forward"]],
                **({} if b in draft.tables else {"strength": abs(s), "strength_text": f"strength {s:g}"}),
            }
            for k, ((a, b), s) in enumerate(draft.edges.items())
        ],
        "steps": {"count": 1, "text": [drawn_sentence(draft)]},
        "directed": "directed: from a parent to its child",
        "file_name": "edgewise_network",
        "allow_pins": False,
        "draws": True,
    }


def drawn_sentence(draft: Draft) -> str:
    """How much is drawn."""
    return f"{count(len(draft.nodes), 'node')}, {count(len(draft.edges), 'edge')}"


def node_sentence(draft: Draft, name: str) -> str:
    """A node with its levels and its parents, as plain text."""
    levels = ", ".join(map(shorten, draft.nodes[name])) or "a number"
    parents = draft.parents(name)
    if not parents:
        return f"{shorten(name)} ({levels}): no parents"
    if name in draft.tables:
        names = draft.names
        return f"{shorten(name)} ({levels}): by a table of {format_set([names.index(one) for one in parents], names)}"
    told = ", ".join(f"{shorten(one)} {draft.edges[one, name]:g}" for one in parents)
    return f"{shorten(name)} ({levels}): from {told}"


def places_of(dag: PDAG, names: Sequence[str]) -> dict[str, Place]:
    """Where the nodes of a network lie that were put nowhere yet."""
    if not dag.p:
        return {}
    inner = RIM + (1 - 2 * RIM) * layout(dag, "layered")
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, inner, strict=True)}


def free_place(taken: Sequence[Place]) -> Place:
    """The place of a grid that is farthest from those that are taken, the first of equal ones."""
    grid = [(x, y) for y in np.linspace(0.2, 0.8, 5) for x in np.linspace(0.15, 0.85, 6)]
    if not taken:
        return (0.5, 0.5)
    far = [min(np.hypot(x - a, y - b) for a, b in taken) for x, y in grid]
    x, y = grid[int(np.argmax(np.round(far, 6)))]
    return (float(x), float(y))
