"""A graph with the roles of its variables, and the paths between two of them as steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from learners.common.sentences import phrase
from learners.effects.paths import Path, Separation
from learners.graphs.graph import PDAG

from ..compare.overlay import MAX_DRAWN
from ..graph_data import GraphViewData, Group, nodes
from .words import path_sentence, separation_sentence

# Letters distinguish the roles without colour; the colours are Okabe and Ito's.
ROLES: dict[str, Group] = {
    "cause": {"mark": "C", "name": phrase("cause"), "colour": "#0072B2", "ink": "#ffffff", "shape": "round"},
    "effect": {"mark": "E", "name": phrase("effect"), "colour": "#D55E00", "ink": "#000000", "shape": "round"},
    "given": {
        "mark": "G",
        "name": phrase("given (conditioned on)"),
        "colour": "#009E73",
        "ink": "#000000",
        "shape": "square",
    },
    "latent": {"mark": "U", "name": phrase("unmeasured"), "colour": "#999999", "ink": "#000000", "shape": "square"},
    "instrument": {"mark": "I", "name": phrase("instrument"), "colour": "#CC79A7", "ink": "#000000", "shape": "round"},
    "asked": {"mark": "?", "name": phrase("asked about"), "colour": "#0072B2", "ink": "#ffffff", "shape": "round"},
    "chosen": {"mark": "◆", "name": phrase("chosen"), "colour": "#F0E442", "ink": "#000000", "shape": "square"},
    "right": {"mark": "✓", "name": phrase("correct"), "colour": "#009E73", "ink": "#000000", "shape": "square"},
    "wrong": {
        "mark": "✗",
        "name": phrase("wrong in your answer"),
        "colour": "#D55E00",
        "ink": "#000000",
        "shape": "square",
    },
    "missed": {
        "mark": "!",
        "name": phrase("missing in your answer"),
        "colour": "#CC79A7",
        "ink": "#000000",
        "shape": "square",
    },
    "mediator": {"mark": "M", "name": phrase("mediator"), "colour": "#F0E442", "ink": "#000000", "shape": "round"},
    "first": {"mark": "1", "name": phrase("first variable"), "colour": "#0072B2", "ink": "#ffffff", "shape": "round"},
    "second": {"mark": "2", "name": phrase("second variable"), "colour": "#D55E00", "ink": "#000000", "shape": "round"},
}
PAIR = ("first", "second")
ALWAYS = ("cause", "effect", "given")  # roles in the legend even if no node has them
Roles = Mapping[int, str]  # node -> key of `ROLES`


def roles_of(x: int, y: int, given: Sequence[int], *, is_symmetric: bool = False) -> Roles:
    """Return the roles of cause, effect and conditioning set; `is_symmetric` if neither variable is called a cause."""
    ends = PAIR if is_symmetric else ("cause", "effect")
    return dict.fromkeys(given, "given") | dict(zip((x, y), ends, strict=True))


def graph_with_roles(graph: PDAG, names: Sequence[str], positions: np.ndarray, roles: Roles) -> GraphViewData:
    """Return the graph as one step, with a badge on each node that has a role.

    Parameters
    ----------
    graph : PDAG
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    roles : mapping of node to role
    """
    always = (*PAIR, "given") if set(PAIR) & set(roles.values()) else ALWAYS
    order = [role for role in ROLES if role in always or role in roles.values()]
    drawn = [
        node | ({"group": order.index(roles[k])} if k in roles else {})
        for k, node in enumerate(nodes(names, positions))
    ]
    edges = graph.edges()[:MAX_DRAWN]
    return {
        "nodes": drawn,
        "groups": [ROLES[role] for role in order],
        "edges": [{"id": k, "a": i, "b": j, "spans": [[0, 1, graph.mark(i, j)]]} for k, (i, j) in enumerate(edges)],
        "steps": {"count": 1, "offset": 0, "text": [""]},
        "file_name": "edgewise_effects",
        "allow_pins": False,
        "asks": True,
    }


def plain_graph(graph: PDAG, names: Sequence[str], positions: np.ndarray) -> GraphViewData:
    """Return the graph as one step, without roles."""
    data = graph_with_roles(graph, names, positions, {})
    return {key: value for key, value in data.items() if key not in ("groups", "asks")}


def given_graph(graph: PDAG, names: Sequence[str], positions: np.ndarray, roles: Roles) -> GraphViewData:
    """Return a graph that a task gives: an arrow is no more than an arrow, and the legend has only the drawn roles."""
    data = graph_with_roles(graph, names, positions, roles)
    drawn = [role for role in ROLES if role in roles.values()]
    placed = [
        node | ({"group": drawn.index(roles[node["id"]])} if node["id"] in roles else {}) for node in data["nodes"]
    ]
    given: GraphViewData = data | {
        "nodes": placed,
        "groups": [ROLES[role] for role in drawn],
        "directed": phrase("directed"),
        "undirected": phrase("adjacent"),
    }
    return given


def with_marked(data: GraphViewData, edges: Sequence[tuple[int, int]], how: str) -> GraphViewData:
    """Mark edges as "chosen", "solved", "mistaken" or "reason"."""
    pairs = set(map(frozenset, edges))
    marked = [
        edge | ({"turns": [[0, 1, how]]} if frozenset((edge["a"], edge["b"])) in pairs else {})
        for edge in data["edges"]
    ]
    return data | {"edges": marked}


def with_path(data: GraphViewData, path: Sequence[int], sentence: str, how: str = "open") -> GraphViewData:
    """Highlight one path as "open", or as "traced": the path that a task asks about, open or not."""
    return _with_steps(data, [dict.fromkeys(_steps(path), how)], [sentence])


def with_reason(data: GraphViewData, paths: Sequence[Path], sentence: str) -> GraphViewData:
    """Highlight paths as open or blocked, with a cross at the nodes that block them; a shared edge counts as open."""
    looks = {pair: "shut" for path in paths if not path.open for pair in _steps(path.nodes)}
    looks |= {pair: "open" for path in paths if path.open for pair in _steps(path.nodes)}
    closed = set().union(*(path.closed_at for path in paths))
    return _with_stops(_with_steps(data, [looks], [sentence]), [closed])


def _with_stops(data: GraphViewData, closed: Sequence[set[int]]) -> GraphViewData:
    """Add a cross at the nodes that block the path of each step."""
    stops = {k: [[step, step + 1] for step, some in enumerate(closed) if k in some] for k in set().union(*closed)}
    marked = [node | ({"blocks": stops[node["id"]]} if node["id"] in stops else {}) for node in data["nodes"]]
    return data | {"nodes": marked}


def with_paths(data: GraphViewData, found: Separation, x: int, y: int, names: Sequence[str]) -> GraphViewData:
    """Add steps: first all open paths together, then each path."""
    looks = [{pair: "open" for path in found.paths if path.open for pair in _steps(path.nodes)}]
    looks += [dict.fromkeys(_steps(path.nodes), "open" if path.open else "shut") for path in found.paths]
    texts = [separation_sentence(found, x, y, names), *(path_sentence(path, names) for path in found.paths)]
    closed = [set(), *(set(path.closed_at) for path in found.paths)]
    return _with_stops(_with_steps(data, looks, texts), closed)


def _with_steps(data: GraphViewData, looks: Sequence[Mapping[frozenset, str]], texts: Sequence[str]) -> GraphViewData:
    """Add one step for each mapping of edges to their highlight."""
    edges = []
    for edge in data["edges"]:
        pair = frozenset((edge["a"], edge["b"]))
        turns = [[k, k + 1, look[pair]] for k, look in enumerate(looks) if pair in look]
        edges.append(edge | {"spans": [[0, len(looks), edge["spans"][0][2]]]} | ({"turns": turns} if turns else {}))
    steps = data["steps"] | {"count": len(looks), "text": list(texts), "choice": 0}
    steps |= {"choice_label": phrase("All paths"), "axis_label": phrase("path"), "events": list(range(len(looks)))}
    return data | {"edges": edges, "steps": steps}


def _steps(path: Sequence[int]) -> list[frozenset]:
    return [frozenset(pair) for pair in zip(path, path[1:], strict=False)]
