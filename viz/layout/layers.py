"""Layered drawing: layer, order within the layer, and horizontal position of each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from learners.graphs.graph import PDAG, Edge, topological_order

SWEEPS = 24  # sweeps of crossing reduction; more did not help on networks of up to 300 nodes
PLACING_SWEEPS = 40
MAX_BENDS = 6_000  # maximum bend points of long edges that are included in the ordering
MAX_SWAPPED = 400  # nodes and bend points up to which neighbours are swapped one by one
NODE_GAP, BEND_GAP = 1.0, 0.5  # space of a node and of a bend point


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


def assign_layers(dag: PDAG) -> np.ndarray:
    """Return the (p,) int layer of each node: longest path from the sources, then moved to shorten edges."""
    order = topological_order(dag)
    parents = [dag.parents(i) for i in range(dag.p)]
    children = [dag.children(i) for i in range(dag.p)]
    layer = np.zeros(dag.p, dtype=int)
    for i in order:
        layer[i] = max((layer[j] + 1 for j in parents[i]), default=0)
    moved = True
    while moved:
        moved = False
        # A node with more children than parents shortens its edges by moving down.
        for i in reversed(order):
            if len(children[i]) > len(parents[i]):
                lowest = min(layer[j] for j in children[i]) - 1
                moved |= bool(lowest != layer[i])
                layer[i] = lowest
    return layer - layer.min()


def order_layers(edges: Sequence[Edge], layer: np.ndarray) -> Layers:
    """Order each layer so that few edges cross: barycentre sweeps in both directions, then swaps of neighbours.

    Edges within a layer are ignored.
    """
    net = _with_bends(edges, layer)
    best, fewest = [list(row) for row in net.rows], _crossings(net)
    for sweep in range(SWEEPS):
        _sort_by_barycentre(net, downwards=sweep % 2 == 0)
        if len(net.above) <= MAX_SWAPPED:
            _swap_neighbours(net)
        crossings = _crossings(net)
        if crossings < fewest:
            best, fewest = [list(row) for row in net.rows], crossings
    net.rows = best
    return net


def place_layers(net: Layers) -> np.ndarray:
    """Return x of each node and bend point: close to the mean of its neighbours, with order and spacing kept.

    Within a layer this is an isotonic regression, solved exactly by pooling adjacent violators.
    """
    x = np.zeros(len(net.above))
    is_bend = np.arange(len(x)) >= net.p
    room = [np.array([_gap(a, b, net.p) for a, b in zip(row, row[1:], strict=False)]) for row in net.rows]
    offsets = [np.concatenate([[0.0], np.cumsum(gaps)]) for gaps in room]
    for row, offset in zip(net.rows, offsets, strict=True):
        x[row] = offset - offset[-1] / 2
    for sweep in range(PLACING_SWEEPS):
        for at in range(len(net.rows)) if sweep % 2 == 0 else reversed(range(len(net.rows))):
            row = net.rows[at]
            wish, weight = np.empty(len(row)), np.empty(len(row))
            for k, i in enumerate(row):
                joined = net.above[i] + net.below[i]
                # Weights between bend points are higher, so that long edges are straight.
                pull = np.where(is_bend[joined] & is_bend[i], 8.0, 1.0)
                wish[k] = np.average(x[joined], weights=pull) if joined else x[i]
                weight[k] = pull.sum() if joined else 0.1
            x[row] = _increasing(wish - offsets[at], weight) + offsets[at]
    return x


def _with_bends(edges: Sequence[Edge], layer: np.ndarray) -> Layers:
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


def _swap_neighbours(net: Layers) -> None:
    place = {i: k for row in net.rows for k, i in enumerate(row)}
    improved, rounds = True, 0
    while improved and rounds < 4:
        improved = False
        rounds += 1
        for row in net.rows:
            for k in range(len(row) - 1):
                i, j = row[k], row[k + 1]
                if _gain(i, j, net, place) > 0:
                    row[k], row[k + 1] = j, i
                    place[i], place[j] = k + 1, k
                    improved = True


def _gain(i: int, j: int, net: Layers, place: dict[int, int]) -> int:
    """Return the number of crossings saved by swapping i and j."""
    gain = 0
    for joined in (net.above, net.below):
        for a in joined[i]:
            for b in joined[j]:
                gain += (place[a] > place[b]) - (place[a] < place[b])
    return gain


def _crossings(net: Layers) -> int:
    place = np.zeros(len(net.above))
    for row in net.rows:
        place[row] = np.arange(len(row))
    total = 0
    for row in net.rows:
        ends = [place[below] for i in row if (below := sorted(net.below[i], key=place.__getitem__))]
        if ends:
            total += _inversions(np.concatenate(ends))
    return total


def _inversions(ends: np.ndarray) -> int:
    """Count the pairs in wrong order."""
    return int(sum((ends[:k] > end).sum() for k, end in enumerate(ends)))


def _gap(a: int, b: int, p: int) -> float:
    return (NODE_GAP if a < p else BEND_GAP) / 2 + (NODE_GAP if b < p else BEND_GAP) / 2


def _increasing(wish: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the weighted isotonic regression of `wish` (pool adjacent violators)."""
    blocks: list[list[float]] = []  # value, weight, length
    for value, load in zip(wish.tolist(), weight.tolist(), strict=True):
        blocks.append([value, load, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v, w, n = blocks.pop()
            last = blocks[-1]
            last[0] = (last[0] * last[1] + v * w) / (last[1] + w)
            last[1] += w
            last[2] += n
    return np.repeat([block[0] for block in blocks], [int(block[2]) for block in blocks])
