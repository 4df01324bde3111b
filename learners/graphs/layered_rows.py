"""Steps of a layered drawing of a graph: few crossings between rows of nodes.

A drawing has rows of nodes and of bend points of long edges, numbered 0 .. n - 1 together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ..kernels.graphs import drawing_search, layering, placing
from ..kernels.graphs import rows as kernels
from ..kernels.graphs.rows import LENGTH_COST, OVER_COST, TINY

__all__ = [
    "LENGTH_COST",
    "NEAR",
    "OVER_COST",
    "TINY",
    "Neighbours",
    "Searched",
    "drawing_cost",
    "placed_rows",
    "position_costs",
    "row_crossings",
    "searched_orders",
    "searched_parts",
    "searched_positions",
    "shortest_layers",
    "sifted",
]
MAX_MOVED = drawing_search.MAX_MOVED
NEAR = 0.45  # usual clearance: distance from the centre of a node, in node widths, below which an edge is over it
ALONE = 0.1  # weight of a node without neighbours
NOISE_SIZE = 4_099  # number of random numbers that a search by parts uses in turn; a prime number


class Neighbours:
    """Neighbours of each node in one direction, above or below.

    Parameters
    ----------
    lists : sequence of sequences of int
        Neighbours of each node.
    """

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        self.begin = np.cumsum([0, *map(len, lists)])
        self.ends = np.fromiter(chain.from_iterable(lists), np.int64, int(self.begin[-1]))


def position_costs(
    x: np.ndarray,
    y: np.ndarray,
    i: int,
    height: float,
    tried: np.ndarray,
    far: np.ndarray,
    others: np.ndarray,
    clearance: float = NEAR,
) -> np.ndarray:
    """Return the cost of crossings, edges over nodes and edge lengths of positions of a node in a row.

    Parameters
    ----------
    x, y : (p,) float64 array
        Positions in node widths, and rows.
    i : int
        The node.
    height : float
        The row.
    tried : (t,) float64 array
        Positions in increasing order.
    far : (k,) int64 array
        Neighbours of the node.
    others : (m, 2) int64 array
        Edges of other nodes.
    clearance : float
        Distance from the centre of a node, in node widths, below which an edge is over it.

    Returns
    -------
    (t,) float64 array
        Number of crossings, plus `OVER_COST` for each edge over a node, plus `LENGTH_COST` a node width.
    """
    return kernels.position_costs(x, y, i, height, tried, far, others, clearance)


def drawing_cost(x: np.ndarray, y: np.ndarray, edges: np.ndarray, clearance: float = NEAR) -> float:
    """Return the cost of a drawing: the terms of `position_costs`, each crossing once.

    Parameters
    ----------
    x, y : (p,) float64 array
        Positions in node widths, and rows.
    edges : (m, 2) int64 array
    clearance : float
        As in `position_costs`.
    """
    return float(drawing_search.drawing_cost(x, y, edges, clearance))


def shortest_layers(p: int, edges: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the layers of a connected graph for which the weighted sum of the spans of its edges is smallest.

    Parameters
    ----------
    p : int
        Number of nodes.
    edges : (m, 2) int64 array
        Start and end of each edge, without cycles; each edge spans at least one layer.
    weights : (m,) float64 array
        Positive.

    Returns
    -------
    (p,) int64 array
        The first layer is 0.
    """
    return layering.shortest_layers(p, edges, weights)


def row_crossings(rows: Sequence[Sequence[int]], below: Neighbours) -> int:
    """Return the number of crossings between neighbouring rows, each from left to right."""
    return int(kernels.row_crossings(*_joined(rows), below.begin, below.ends))


def sifted(
    rows: Sequence[Sequence[int]], above: Neighbours, below: Neighbours, *, rounds: int, widest: int
) -> list[list[int]]:
    """Return the rows after sifting: each node moves to the best position of its row until no move saves a crossing.

    Parameters
    ----------
    rows : sequence of sequences of int
        From top to bottom, each from left to right.
    above, below : Neighbours
    rounds : int
        Maximum number of rounds over all rows, downwards and upwards.
    widest : int
        Rows of more nodes stay as they are.
    """
    order, begin = _joined(rows)
    kernels.sift_rows(order, begin, above.begin, above.ends, below.begin, below.ends, rounds, widest)
    return [row.tolist() for row in np.split(order, begin[1:-1])]


def searched_orders(
    rows: Sequence[Sequence[int]],
    above: Neighbours,
    below: Neighbours,
    rng: np.random.Generator,
    *,
    tries: int,
    rounds: int,
    widest: int,
) -> list[list[int]]:
    """Return the rows after a search: random changes, each followed by barycentre sweeps and sifting.

    Parameters
    ----------
    rows : sequence of sequences of int
        From top to bottom, each from left to right.
    above, below : Neighbours
    rng : numpy.random.Generator
        Draws the changes.
    tries : int
        Maximum number of changes.
    rounds, widest : int
        As in `sifted`.
    """
    order, begin = _joined(rows)
    noise = rng.normal(size=(tries, len(order)))
    drawing_search.search_orders(order, begin, above.begin, above.ends, below.begin, below.ends, noise, rounds, widest)
    return [row.tolist() for row in np.split(order, begin[1:-1])]


def searched_parts(
    rows: Sequence[Sequence[int]],
    above: Neighbours,
    below: Neighbours,
    rng: np.random.Generator,
    *,
    tries: int,
    rounds: int,
    widest: int,
) -> list[list[int]]:
    """Return the rows after a search by sweeps that begin at single rows, each followed by sifting.

    Parameters
    ----------
    rows : sequence of sequences of int
        From top to bottom, each from left to right.
    above, below : Neighbours
    rng : numpy.random.Generator
        Draws the changes.
    tries : int
        Maximum number of sweeps.
    rounds, widest : int
        As in `sifted`.
    """
    order, begin = _joined(rows)
    noise = rng.normal(size=NOISE_SIZE)
    drawing_search.search_parts(
        order, begin, above.begin, above.ends, below.begin, below.ends, noise, tries, rounds, widest
    )
    return [row.tolist() for row in np.split(order, begin[1:-1])]


@dataclass(frozen=True)
class Searched:
    """Result of a search for positions.

    Attributes
    ----------
    xy : (p, 2) float64 array
        x in node widths, y the row.
    similar : list of (p, 2) float64 array
        Other drawings that cost less than one crossing more.
    work : float
        Number of compared lines.
    """

    xy: np.ndarray
    similar: list[np.ndarray]
    work: float


def searched_positions(
    xy: np.ndarray,
    edges: np.ndarray,
    grid: np.ndarray,
    rng: np.random.Generator,
    *,
    between_rows: bool,
    tries: int,
    max_work: float,
    similar: int = 0,
    clearance: float = NEAR,
) -> Searched:
    """Search for positions with a small sum of the costs of `position_costs`, by moves of nodes and random changes.

    Parameters
    ----------
    xy : (p, 2) float64 array
        x in node widths, y the row.
    edges : (m, 2) int64 array
        Start and end of each edge.
    grid : (g,) float64 array
        Possible x in increasing order; nodes outside move into it where it has space.
    rng : numpy.random.Generator
        Draws the changes.
    between_rows : bool
        True if a node may also change its row, as long as it stays below its parents and above its children.
    tries : int
        Maximum number of random changes.
    max_work : float
        Number of compared lines at which the search ends.
    similar : int
        Maximum number of other drawings to return.
    clearance : float
        As in `position_costs`.
    """
    x, y = np.array(xy, dtype=np.float64).T.copy()
    p = len(x)
    near: list[list[int]] = [[] for _ in range(p)]
    for i, j in edges.tolist():
        near[i].append(j)
        near[j].append(i)
    joined = Neighbours(near)
    kept = np.empty((2, similar, p))
    levels = np.unique(y) if between_rows else np.empty(0)
    uniforms = rng.random((tries, 2 * MAX_MOVED))
    work, n = drawing_search.search_positions(
        x, y, edges, joined.begin, joined.ends, grid, levels, clearance, uniforms, float(max_work), *kept
    )
    return Searched(np.column_stack([x, y]), [np.column_stack([kept[0, k], kept[1, k]]) for k in range(n)], work)


def placed_rows(
    rows: Sequence[Sequence[int]], spaces: Sequence[float], joined: Neighbours, pulls: np.ndarray, sweeps: int
) -> np.ndarray:
    """Return the x of each node: near the weighted mean of its neighbours, in the order and with the space of its row.

    Within a row this is an isotonic regression, solved exactly by pooling adjacent violators.

    Parameters
    ----------
    rows : sequence of sequences of int
        From top to bottom, each from left to right.
    spaces : sequence of float
        Width of each node; neighbours in a row are at least the mean of theirs apart.
    joined : Neighbours
        In both directions.
    pulls : (m,) float64 array
        Weight of each neighbour.
    sweeps : int
        Number of sweeps over all rows, downwards and upwards by turns.

    Returns
    -------
    (n,) float64 array
    """
    order, begin = _joined(rows)
    wide = np.asarray(spaces, dtype=np.float64)[order]
    steps = np.zeros(len(order))
    steps[1:] = wide[:-1] / 2 + wide[1:] / 2
    steps[begin[:-1][np.diff(begin) > 0]] = 0.0
    offsets = np.concatenate([np.zeros(0), *(np.cumsum(row) for row in np.split(steps, begin[1:-1]))])
    weights = np.zeros(len(order))
    np.add.at(weights, np.repeat(np.arange(len(order)), np.diff(joined.begin)), pulls)
    weights[weights == 0] = ALONE
    return placing.place_rows(order, begin, offsets, joined.begin, joined.ends, pulls, weights, sweeps)


def _joined(rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes row by row, and where each row begins."""
    begin = np.cumsum([0, *map(len, rows)])
    return np.fromiter(chain.from_iterable(rows), np.int64, int(begin[-1])), begin
