"""Steps of a layered drawing of a graph: few crossings between rows of nodes.

A drawing has rows of nodes and of bend points of long edges, numbered 0 .. n - 1 together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from ..kernels.graphs import rows as kernels
from ..kernels.graphs.rows import LENGTH_COST, NEAR, OVER_COST, TINY

__all__ = ["LENGTH_COST", "NEAR", "OVER_COST", "TINY", "Neighbours", "position_costs", "row_crossings", "sifted"]


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
    x: np.ndarray, y: np.ndarray, i: int, height: float, tried: np.ndarray, far: np.ndarray, others: np.ndarray
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

    Returns
    -------
    (t,) float64 array
        Number of crossings, plus `OVER_COST` for each edge within `NEAR` of a node, plus `LENGTH_COST` a node width.
    """
    return kernels.position_costs(x, y, i, height, tried, far, others)


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


def _joined(rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes row by row, and where each row begins."""
    begin = np.cumsum([0, *map(len, rows)])
    return np.fromiter(chain.from_iterable(rows), np.int64, int(begin[-1])), begin
