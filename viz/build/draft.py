"""What the canvas is given, and where nodes lie on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from learners.graphs.graph import PDAG
from learners.networks.draft import Draft

from ..graph_data import GraphViewData
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


def editable(draft: Draft, name: str) -> pd.DataFrame | None:
    """A row for each configuration of the categorical parents, with what `Draft.with_table` takes.

    Of levels their probabilities, of a number its intercept, the effects of its parents and the variance of its noise;
    None where neither table nor equation holds what the strengths make: of levels with a number among their parents.
    """
    numbers = draft.table(name)
    if numbers is None:
        return None
    parents = draft.parents(name)
    levels = [one for one in parents if draft.nodes[one]]
    columns = list(draft.nodes[name]) or [
        "intercept", *(f"effect of {one}" for one in parents if not draft.nodes[one]), "variance",
    ]  # fmt: skip
    rows = [
        ", ".join(f"{one} = {level}" for one, level in zip(levels, row, strict=True)) or "-"
        for row in product(*(draft.nodes[one] for one in levels))
    ]
    return pd.DataFrame(numbers, columns=columns, index=pd.Index(rows, name="given"))
