"""Positions of the nodes: computed once per data set, the same for the same input, without Graphviz."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy.sparse.csgraph import connected_components, shortest_path

from learners.common.checks import check_choice
from learners.common.errors import ParameterError
from learners.graphs.cpdags import consistent_extension
from learners.graphs.graph import PDAG, topological_order

from .layers import assign_layers, order_layers, place_layers

Kind = Literal["layered", "force", "circle", "tiers"]
KINDS = ("layered", "force", "circle", "tiers")
ASPECT = 1.7  # width to height of the picture that the components are packed into
EDGE_LENGTH = 1.6  # of a force layout, in node widths, so that labels fit between the nodes
STRESS_SWEEPS = 120  # of the force layout; later sweeps move nothing one could see


def layout(
    graph: PDAG, kind: Kind = "layered", *, seed: int = 0, tiers: Sequence[int | None] | None = None
) -> np.ndarray:
    """Where to draw each node.

    Parameters
    ----------
    graph : PDAG
        Usually the learned graph, or one slightly denser.
    kind : {"layered", "force", "circle", "tiers"}
        Layered puts causes above effects as far as the arrows decide it; tiers puts each tier in rows of its own.
    seed : int
        Start of the force layout.
    tiers : sequence of int or None, optional
        One per node, needed by (and only by) "tiers"; nodes without a tier come last.

    Returns
    -------
    (p, 2) float64 array
        x and y in [0, 1], y downwards. Deterministic.

    Raises
    ------
    ParameterError
        If `kind` is unknown, or "tiers" is asked for without one tier a node.

    References
    ----------
    .. [1] Sugiyama, Tagawa and Toda (1981), Methods for visual understanding of hierarchical system structures.
       IEEE Transactions on Systems, Man, and Cybernetics 11(2).
    .. [2] Gansner, Koren and North (2004), Graph drawing by stress majorization. Graph Drawing, equation (7).
    """
    check_choice("kind", kind, KINDS)
    if kind == "tiers" and (tiers is None or len(tiers) != graph.p):
        found = "none" if tiers is None else str(len(tiers))
        raise ParameterError(f"a layout by tiers needs one tier for each of {graph.p} nodes, got {found}")
    if graph.p == 0:
        return np.zeros((0, 2))
    if kind == "circle":
        return _circle(graph)
    if kind == "tiers":
        return _unit_square(_rows_of_tiers(graph, tiers))
    draw = _layered if kind == "layered" else _force
    return _unit_square(_packed(graph, lambda part: draw(part, seed)))


def _layered(part: PDAG, _seed: int) -> np.ndarray:
    """Sugiyama's steps: layers by longest path, few crossings, then straight long edges."""
    dag = consistent_extension(part).dag
    return _placed(dag, assign_layers(dag))


def _placed(graph: PDAG, layer: np.ndarray) -> np.ndarray:
    """x and y of each node once its layer is known; the unit is a node's width, and a layer."""
    net = order_layers(graph.edges(), layer)
    return np.column_stack([place_layers(net)[: graph.p], layer])


def _rows_of_tiers(graph: PDAG, tiers: Sequence[int | None]) -> np.ndarray:
    """Each tier in rows of bounded width, the first tier on top."""
    order = topological_order(consistent_extension(graph).dag)
    widest = max(8, int(np.ceil(np.sqrt(2 * graph.p))))
    layer = np.zeros(graph.p, dtype=int)
    row = 0
    for tier in sorted(set(tiers), key=lambda t: (t is None, t)):
        members = [i for i in order if tiers[i] == tier]
        n_rows = -(-len(members) // widest)
        for place, i in enumerate(members):
            layer[i] = row + place * n_rows // len(members)
        row += n_rows
    return _placed(graph, layer)


def _force(part: PDAG, seed: int) -> np.ndarray:
    """Distances as near as possible to those in the graph, then turned so that the long side lies: labels are wide."""
    xy = _least_stress(shortest_path(part.skeleton, unweighted=True), np.random.default_rng(seed))
    axes = np.linalg.svd(xy, full_matrices=False)[2]
    # The sign of a principal axis is arbitrary: fix it, or two machines could draw mirror images.
    signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
    return EDGE_LENGTH * xy @ (axes * signs[:, None]).T


def _least_stress(distance: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Minimise sum (|x_i - x_j| - d_ij)^2 / d_ij^2 by majorization: each sweep solves one linear system."""
    p = len(distance)
    weight = 1.0 / (distance + np.eye(p)) ** 2 - np.eye(p)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.inv(laplacian + 1.0 / p) - 1.0 / p
    xy = rng.normal(size=(p, 2)) * distance.max() / 2
    for _ in range(STRESS_SWEEPS):
        apart = np.linalg.norm(xy[:, None] - xy[None], axis=2)
        pull = weight * distance / np.maximum(apart, 1e-9)
        xy = inverse @ (xy * pull.sum(axis=1)[:, None] - pull @ xy)
    return xy


def _circle(graph: PDAG) -> np.ndarray:
    """On a circle, neighbours near each other: depth first, each node followed by its least connected neighbours."""
    degree = graph.skeleton.sum(axis=1)
    order: dict[int, None] = {}
    for start in np.argsort(-degree, kind="stable").tolist():
        stack = [start]
        while stack:
            i = stack.pop()
            if i not in order:
                order[i] = None
                stack += sorted(graph.adjacent(i), key=lambda j: (-degree[j], j))
    xy = np.empty((graph.p, 2))
    turn = 2 * np.pi * np.arange(graph.p) / graph.p
    xy[list(order)] = 0.5 + 0.5 * np.column_stack([np.sin(turn), -np.cos(turn)])
    return xy


def _packed(graph: PDAG, draw) -> np.ndarray:
    """Draw each component by itself and set them on shelves, the tallest first, single nodes last."""
    parts = _components(graph)
    drawn = [np.zeros((1, 2)) if len(nodes) == 1 else draw(PDAG(graph.amat[np.ix_(nodes, nodes)])) for nodes in parts]
    drawn = [xy - xy.min(axis=0) for xy in drawn]
    sizes = np.array([xy.max(axis=0) + 1 for xy in drawn])
    target = max(sizes[:, 0].max(), np.sqrt(ASPECT * sizes.prod(axis=1).sum()))
    shelves = _shelves(sizes, target, [len(nodes) for nodes in parts])
    widest = max(sizes[shelf, 0].sum() for shelf in shelves)
    xy = np.empty((graph.p, 2))
    top = 0.0
    for shelf in shelves:
        left = (widest - sizes[shelf, 0].sum()) / 2
        for k in shelf:
            xy[parts[k]] = drawn[k] + (left, top)
            left += sizes[k, 0]
        top += sizes[shelf, 1].max()
    return xy


def _components(graph: PDAG) -> list[list[int]]:
    n_parts, part_of = connected_components(graph.skeleton, directed=False)
    return sorted((np.flatnonzero(part_of == k).tolist() for k in range(n_parts)), key=lambda part: (-len(part), part))


def _shelves(sizes: np.ndarray, target: float, n_nodes: list[int]) -> list[list[int]]:
    """Split the parts, tallest first, into rows at most `target` wide; single nodes start a row of their own."""
    order = sorted(range(len(sizes)), key=lambda k: (n_nodes[k] == 1, -sizes[k, 1], k))
    shelves = [[order[0]]]
    width = sizes[order[0], 0]
    for before, k in pairwise(order):
        first_single = n_nodes[k] == 1 and n_nodes[before] > 1
        if first_single or width + sizes[k, 0] > target + 1e-9:
            shelves.append([])
            width = 0.0
        shelves[-1].append(k)
        width += sizes[k, 0]
    return shelves


def _unit_square(xy: np.ndarray) -> np.ndarray:
    """Stretched to fill [0, 1] x [0, 1]; an extent of zero goes to the middle."""
    low, extent = xy.min(axis=0), np.ptp(xy, axis=0)
    return np.where(extent > 1e-9, (xy - low) / np.where(extent > 1e-9, extent, 1.0), 0.5)
