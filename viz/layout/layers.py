"""Layered drawing: layer, order within the layer, and horizontal position of each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from learners.graphs.graph import PDAG, Edge
from learners.graphs.layered_rows import (
    Neighbours,
    placed_rows,
    row_crossings,
    searched_orders,
    searched_parts,
    shortest_layers,
    sifted,
)

SWEEPS = 24  # number of sweeps of crossing reduction; more did not help on networks of up to 300 nodes
PLACING_SWEEPS = 40
STRAIGHTENING = 8.0  # weight of the neighbour of a bend point that is a bend point too
MAX_BENDS = 6_000  # maximum number of bend points of long edges included in the ordering
MAX_SIFTED, MAX_ROW = 30_000, 2_000  # maximum number of nodes and bend points, in all and per row, for sifting
MAX_STALE, MAX_SIFTS = 6, 10  # maximum number of sweeps without improvement, and of sifting rounds in a sweep
NODE_GAP, BEND_GAP = 1.0, 0.5  # horizontal space of a node and of a bend point


@dataclass
class Layers:
    """Layers of nodes 0 .. p - 1 and of bend points of long edges (p and up), each from left to right.

    Attributes
    ----------
    p : int
    rows : list of list of int
    above, below : list of list of int
        Neighbours of each node or bend point one layer up, and down.
    """

    p: int
    rows: list[list[int]]
    above: list[list[int]]
    below: list[list[int]]

    @cached_property
    def joined_above(self) -> Neighbours:
        """Return `above` in the form of the library."""
        return Neighbours(self.above)

    @cached_property
    def joined_below(self) -> Neighbours:
        """Return `below` in the form of the library."""
        return Neighbours(self.below)


def assign_layers(dag: PDAG, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the (p,) int layer of each node, such that the edges span as few layers as possible.

    This is a linear program whose vertices are integers (Gansner et al. 1993, section 2). `weights`, a positive
    float array with an entry for each edge of a connected graph, makes heavier edges shorter.
    """
    edges = np.array(dag.edges(), dtype=np.int64).reshape(-1, 2)
    if not len(edges):
        return np.zeros(dag.p, dtype=int)
    if weights is not None:  # many such layers are compared, and the solver of SciPy is slow to start
        return shortest_layers(dag.p, edges, weights)
    from scipy.optimize import linprog  # slow to load

    n = np.arange(len(edges))
    # Each edge spans at least one layer: layer[start] - layer[end] <= -1.
    rows = csr_array((np.repeat([1.0, -1.0], len(n)), (np.tile(n, 2), edges.T.ravel())), shape=(len(n), dag.p))
    span = np.bincount(edges[:, 1], minlength=dag.p) - np.bincount(edges[:, 0], minlength=dag.p)
    found = linprog(span, A_ub=rows, b_ub=-np.ones(len(n)), bounds=(0, dag.p), method="highs-ds")
    layer = np.rint(found.x).astype(int)
    return layer - layer.min()


def order_layers(edges: Sequence[Edge], layer: np.ndarray) -> Layers:
    """Order each layer so that few edges cross: barycentre sweeps in both directions, then sifting of single nodes.

    The search has three starts: the order of the nodes, and two depth-first orders. Edges within a layer are ignored.
    """
    net = with_bends(edges, layer)
    sifts = len(net.above) <= MAX_SIFTED
    best, fewest = [list(row) for row in net.rows], count_crossings(net)
    starts = [best, _depth_first(net, downwards=True), _depth_first(net, downwards=False)] if sifts else [best]
    for rows in starts:
        net.rows, stale = [list(row) for row in rows], 0
        for sweep in range(SWEEPS):
            _sort_by_barycentre(net, downwards=sweep % 2 == 0)
            if sifts and sweep % 2:
                net.rows = sifted(net.rows, net.joined_above, net.joined_below, rounds=MAX_SIFTS, widest=MAX_ROW)
            crossings = count_crossings(net)
            stale = 0 if crossings < fewest else stale + 1
            if crossings < fewest:
                best, fewest = [list(row) for row in net.rows], crossings
            if fewest == 0 or (sifts and stale == MAX_STALE):
                break
    net.rows = best
    return net


def vary_order(net: Layers, tries: int, rng: np.random.Generator) -> Layers:
    """Search on from the order of `net`, with random changes; return `net`."""
    net.rows = searched_orders(
        net.rows, net.joined_above, net.joined_below, rng, tries=tries, rounds=MAX_SIFTS, widest=MAX_ROW
    )
    return net


def vary_parts(net: Layers, tries: int, rng: np.random.Generator) -> Layers:
    """Search on from the order of `net`, with changes of neighbouring rows; return `net`."""
    net.rows = searched_parts(
        net.rows, net.joined_above, net.joined_below, rng, tries=tries, rounds=MAX_SIFTS, widest=MAX_ROW
    )
    return net


def place_layers(net: Layers) -> np.ndarray:
    """Return x of each node and bend point: close to the mean of its neighbours, preserving order and spacing."""
    joined = Neighbours([above + below for above, below in zip(net.above, net.below, strict=True)])
    is_bend = np.arange(len(net.above)) >= net.p
    # Weights between bend points are higher, so that long edges are straight.
    straight = np.repeat(is_bend, np.diff(joined.begin)) & is_bend[joined.ends]
    pulls = np.where(straight, STRAIGHTENING, 1.0)
    return placed_rows(net.rows, np.where(is_bend, BEND_GAP, NODE_GAP), joined, pulls, PLACING_SWEEPS)


def with_bends(edges: Sequence[Edge], layer: np.ndarray) -> Layers:
    """Return the layers with a bend point of each long edge in each layer that it passes, in no special order."""
    p = len(layer)
    above: list[list[int]] = [[] for _ in range(p)]
    below: list[list[int]] = [[] for _ in range(p)]
    rows: list[list[int]] = [[] for _ in range(int(layer.max()) + 1)]
    for i in range(p):
        rows[layer[i]].append(i)
    bends = sum(max(0, abs(int(layer[i]) - int(layer[j])) - 1) for i, j in edges)
    for i, j in edges:
        top, bottom = (i, j) if layer[i] < layer[j] else (j, i)
        length = layer[bottom] - layer[top]
        if length == 0 or (length > 1 and bends > MAX_BENDS):
            continue
        last = top
        for at in range(layer[top] + 1, layer[bottom]):
            bend = len(above)
            above.append([last])
            below.append([])
            below[last].append(bend)
            rows[at].append(bend)
            last = bend
        below[last].append(bottom)
        above[bottom].append(last)
    return Layers(p, rows, above, below)


def _sort_by_barycentre(net: Layers, *, downwards: bool) -> None:
    joined = net.above if downwards else net.below
    place = np.zeros(len(joined))
    for row in net.rows if downwards else reversed(net.rows):
        wish = {i: (place[joined[i]].mean() if joined[i] else k / max(1, len(row) - 1)) for k, i in enumerate(row)}
        row.sort(key=wish.__getitem__)
        # Positions are fractions of the row, so that they are comparable between rows of different lengths.
        place[row] = np.linspace(0, 1, len(row)) if len(row) > 1 else 0.5


def _depth_first(net: Layers, *, downwards: bool) -> list[list[int]]:
    """Return the rows in the order of a depth-first search from the top or the bottom."""
    row_of = {i: at for at, row in enumerate(net.rows) for i in row}
    rows: list[list[int]] = [[] for _ in net.rows]
    seen = set()
    for first in [i for row in (net.rows if downwards else reversed(net.rows)) for i in row]:
        stack = [first]
        while stack:
            i = stack.pop()
            if i in seen:
                continue
            seen.add(i)
            rows[row_of[i]].append(i)
            stack += [j for j in reversed(net.above[i] + net.below[i]) if j not in seen]
    return rows


def count_crossings(net: Layers) -> int:
    """Count the crossings between neighbouring layers."""
    return row_crossings(net.rows, net.joined_below)
