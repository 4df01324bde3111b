"""A network drawn by hand: its canvas, its sentences, and the editable table of a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from learners.common.sentences import Count, Listed, Phrase, phrase, say
from learners.common.wording import format_setting
from learners.graphs.graph import PDAG
from learners.networks.draft import Draft

from ..graph_data import GraphViewData
from ..layout.positions import layout
from ..text import format_set, shorten

Position = tuple[float, float]
HINT = "Double-clicking adds a node; dragging from its blue handle to another adds an edge."
HELP = "Or select two nodes and press Edge. Keys: N node, E edge, T reverse, F2 rename, Delete."
MARGIN = 0.08  # share of the canvas that stays free on each side


def canvas(draft: Draft, ids: Sequence[int], positions: Mapping[str, Position]) -> GraphViewData:
    """Return the network as a graph that the user can draw on.

    Parameters
    ----------
    draft : Draft
    ids : sequence of int
        Id of each node in the component, in the draft's order.
    positions : mapping of name to (x, y)
        In [0, 1].
    """
    id_of = dict(zip(draft.names, ids, strict=True))
    return {
        "nodes": [
            {"id": id_of[name], "label": name, "x": positions[name][0], "y": positions[name][1]} for name in draft.names
        ],
        "edges": [
            {
                "id": k,
                "a": id_of[a],
                "b": id_of[b],
                "spans": [[0, 1, "forward"]],
                **(
                    {}
                    if b in draft.tables
                    else {"strength": abs(s), "strength_text": phrase("strength {value}", value=format_setting(s))}
                ),
            }
            for k, ((a, b), s) in enumerate(draft.edges.items())
        ],
        "steps": {"count": 1, "text": [size_sentence(draft)]},
        "directed": phrase("directed: parent to child"),
        "file_name": "edgewise_network",
        "allow_pins": False,
        "draws": True,
    }


def size_sentence(draft: Draft) -> Phrase:
    """Return the sentence with the numbers of nodes and edges."""
    return phrase("{nodes}, {edges}", nodes=Count(len(draft.nodes), "node"), edges=Count(len(draft.edges), "edge"))


def node_sentence(draft: Draft, name: str) -> Phrase:
    """Return a node with its levels and parents as plain text."""
    levels = ", ".join(map(shorten, draft.nodes[name]))
    about = {"name": shorten(name), "levels": say("{levels}", levels=levels) if levels else say("numeric")}
    parents = draft.parents(name)
    if not parents:
        return phrase("{name} ({levels}): no parents", **about)
    if name in draft.tables:
        names = draft.names
        members = format_set([names.index(parent) for parent in parents], names)
        return phrase("{name} ({levels}): table given {members}", **about, members=members)
    values = ((shorten(parent), format_setting(draft.edges[parent, name])) for parent in parents)
    strengths = Listed([say("{name} (strength {value})", name=parent, value=value) for parent, value in values])
    return phrase("{name} ({levels}): parents {strengths}", **about, strengths=strengths)


def initial_positions(dag: PDAG, names: Sequence[str]) -> dict[str, Position]:
    """Return layered positions for the nodes of a network without positions."""
    if not dag.p:
        return {}
    inner = MARGIN + (1 - 2 * MARGIN) * layout(dag, "layered")
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, inner, strict=True)}


def free_position(taken: Sequence[Position]) -> Position:
    """Return the first grid point with the largest distance to all taken positions."""
    grid = [(x, y) for y in np.linspace(0.2, 0.8, 5) for x in np.linspace(0.15, 0.85, 6)]
    if not taken:
        return (0.5, 0.5)
    distances = [min(np.hypot(x - a, y - b) for a, b in taken) for x, y in grid]
    x, y = grid[int(np.argmax(np.round(distances, 6)))]
    return (float(x), float(y))


def editable_table(draft: Draft, name: str) -> pd.DataFrame | None:
    """Return the numbers of a node as `Draft.with_table` takes them: a row for each configuration of its parents.

    A categorical node has a column of probabilities for each level. A numeric node has its intercept, the effects of
    its numeric parents and the variance of its noise. The result is None for a categorical node with a numeric parent:
    neither a table nor an equation expresses its strengths.
    """
    numbers = draft.table(name)
    if numbers is None:
        return None
    parents = draft.parents(name)
    categorical = [parent for parent in parents if draft.nodes[parent]]
    columns = list(draft.nodes[name]) or [
        "intercept", *(f"effect of {parent}" for parent in parents if not draft.nodes[parent]), "variance",
    ]  # fmt: skip
    rows = [
        ", ".join(f"{parent} = {level}" for parent, level in zip(categorical, row, strict=True)) or "-"
        for row in product(*(draft.nodes[parent] for parent in categorical))
    ]
    return pd.DataFrame(numbers, columns=columns, index=pd.Index(rows, name="given"))
