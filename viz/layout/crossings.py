"""Reduce crossings of straight edges: move nodes within and between their rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.graphs.graph import Edge
from learners.graphs.layered_rows import NEAR, TINY, searched_positions

MAX_WORK = 6e7  # maximum number of compared lines in a search
MIN_WIDTH = 5.0  # minimum width, in node widths, available to a narrow drawing
STEP = 0.5  # distance between the tried positions, in node widths


def spread_rows(
    xy: np.ndarray,
    edges: Sequence[Edge],
    *,
    between_rows: bool = False,
    max_width: float = np.inf,
    tries: int = 0,
    max_work: float = MAX_WORK,
    similar: int = 0,
    clearance: float = NEAR,
    seed: int = 0,
) -> list[np.ndarray]:
    """Return positions with fewer crossings and fewer edges over nodes, and similar drawings after them.

    Parameters
    ----------
    xy : (p, 2) float array
        x in node widths, y the row.
    edges : sequence of pairs
    between_rows : bool
        True if a node may also change its row, as long as it stays below its parents and above its children.
    max_width : float
        Maximum width in node widths, where the rows have space; at least `MIN_WIDTH`.
    tries : int
        Number of searches after random changes.
    max_work : float
        Number of compared lines at which the search ends.
    similar : int
        Maximum number of similar drawings.
    clearance : float
        Distance from the centre of a node, in node widths, below which an edge is over it.
    seed : int
        Random seed of the changes.
    """
    x = xy[:, 0]
    width = min(max(float(np.ptp(x)), MIN_WIDTH), max_width)
    left = (x.min() + x.max() - width) / 2
    grid = np.arange(left, left + width + TINY, STEP)
    found = searched_positions(
        xy,
        np.array(edges, dtype=np.int64).reshape(-1, 2),
        grid,
        np.random.default_rng(seed),
        between_rows=between_rows,
        tries=tries,
        max_work=max_work,
        similar=similar,
        clearance=clearance,
    )
    return [found.xy, *found.similar]


def route_crossings(routes: Sequence[Sequence[tuple[float, float]]], edges: Sequence[Edge]) -> int:
    """Count the pairs of drawn edges that cross, each pair once; edges with a common node do not.

    Parameters
    ----------
    routes : sequence of polylines
        The path of each edge as points, as in `EdgeRoute.points`.
    edges : sequence of pairs
    """
    if len(edges) < 2:
        return 0
    edge = np.repeat(np.arange(len(routes)), [len(route) - 1 for route in routes])
    start = np.concatenate([np.asarray(route, dtype=float)[:-1] for route in routes])
    way = np.concatenate([np.diff(np.asarray(route, dtype=float), axis=0) for route in routes])
    low, high = np.minimum(start, start + way), np.maximum(start, start + way)
    a, b = np.nonzero(np.triu((low[:, None] <= high).all(axis=2) & (low <= high[:, None]).all(axis=2), 1))

    def separate(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return True where the ends of segment b lie on different sides of segment a."""
        gap, further = start[b] - start[a], start[b] + way[b] - start[a]
        first = way[a, 0] * gap[:, 1] - way[a, 1] * gap[:, 0]
        second = way[a, 0] * further[:, 1] - way[a, 1] * further[:, 0]
        return (first > 0) != (second > 0)

    crossed = separate(a, b) & separate(b, a)
    a, b = edge[a[crossed]], edge[b[crossed]]
    ends = np.array(edges, dtype=int)
    disjoint = (ends[a][:, :, None] != ends[b][:, None, :]).all(axis=(1, 2))
    return len(set(zip(a[disjoint].tolist(), b[disjoint].tolist(), strict=True)))
