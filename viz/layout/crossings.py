"""Reduce crossings of straight edges: move nodes sideways within their rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.graphs.graph import Edge

ROUNDS = 6  # rounds over all nodes; later rounds had no effect on networks of up to 100 nodes
MAX_WORK = 2e7  # maximum number of comparisons of lines in all rounds; dense graphs get fewer rounds, or none
STEP = 0.5  # distance between the tried positions, in node widths
NODE_WIDTH, NEAR = 1.0, 0.45  # minimum distance between nodes of a row; distance at which an edge is over a node
LENGTH_COST = 0.02  # cost of one node width of edge length, relative to a crossing


def spread_rows(xy: np.ndarray, edges: Sequence[Edge]) -> np.ndarray:
    """Return positions with fewer crossings and fewer edges over nodes; each node stays in its row.

    Parameters
    ----------
    xy : (p, 2) float array
        x in node widths, y the row.
    edges : sequence of pairs
    """
    search = _Rows(xy, edges)
    work = 2 * len(edges) ** 2 * len(search.grid)
    for _ in range(int(min(ROUNDS, MAX_WORK // max(work, 1)))):
        if not search.improve():
            break
    return np.column_stack([search.x, search.y])


def straight_crossings(xy: np.ndarray, edges: Sequence[Edge]) -> int:
    """Count the pairs of straight edges that cross; edges with a common node do not.

    Parameters
    ----------
    xy : (p, 2) float array
    edges : sequence of pairs
    """
    ends = np.array(edges, dtype=int).reshape(-1, 2)
    start, way = xy[ends[:, 0]], xy[ends[:, 1]] - xy[ends[:, 0]]

    def sides(at: np.ndarray) -> np.ndarray:
        """Return on which side of edge k (row) each point (column) lies."""
        gap = at[None] - start[:, None]
        return way[:, None, 0] * gap[..., 1] - way[:, None, 1] * gap[..., 0]

    separated = sides(start) * sides(start + way) < 0
    apart = (ends[:, None, :, None] != ends[None, :, None, :]).all(axis=(2, 3))
    return int(np.triu(separated & separated.T & apart).sum())


def edges_over_nodes(xy: np.ndarray, edges: Sequence[Edge]) -> int:
    """Count the pairs of a straight edge and a node that it passes over in a row between its ends.

    Such an edge is drawn around the node, and may cross others there.

    Parameters
    ----------
    xy : (p, 2) float array
        x in node widths, y the row.
    edges : sequence of pairs
    """
    ends = np.array(edges, dtype=int).reshape(-1, 2)
    start, way = xy[ends[:, 0]], xy[ends[:, 1]] - xy[ends[:, 0]]
    part, inside = _part(xy[:, 1] - start[:, 1:], way[:, 1:])
    return int((inside & (np.abs(start[:, :1] + way[:, :1] * part - xy[:, 0]) < NEAR)).sum())


class _Rows:
    def __init__(self, xy: np.ndarray, edges: Sequence[Edge]) -> None:
        self.x, self.y = np.array(xy, dtype=float).T.copy()
        self.edges = np.array(edges, dtype=int).reshape(-1, 2)
        self.grid = np.arange(self.x.min(), self.x.min() + max(float(np.ptp(self.x)), 4.0) + 1e-9, STEP)
        self.own = [np.flatnonzero((self.edges == i).any(axis=1)) for i in range(len(self.x))]
        self.other = [np.flatnonzero((self.edges != i).all(axis=1)) for i in range(len(self.x))]
        self.rows = [np.flatnonzero(self.y == y).tolist() for y in np.unique(self.y)]

    def improve(self) -> bool:
        """Move single nodes, then exchange nodes of a row; return True if any moved."""
        moved = False
        for row in self.rows:
            for i in row:
                moved |= self._move(i, row)
            row.sort(key=self.x.__getitem__)
            for gap in (1, 2, 3):
                for k in range(len(row) - gap):
                    moved |= self._exchange(row, k, k + gap)
        return moved

    def _move(self, i: int, row: Sequence[int]) -> bool:
        if not len(self.own[i]):
            return False
        mates = self.x[[j for j in row if j != i]]
        free = np.abs(self.grid[:, None] - mates).min(axis=1, initial=np.inf) >= NODE_WIDTH - 1e-9
        tried = np.append(self.x[i], self.grid[free])
        cost = self._costs(i, tried)
        best = int(cost.argmin())
        if cost[best] >= cost[0] - 1e-6:
            return False
        self.x[i] = tried[best]
        return True

    def _exchange(self, row: list[int], k: int, m: int) -> bool:
        i, j = row[k], row[m]
        before = self._cost_of_both(i, j)
        self.x[[i, j]] = self.x[[j, i]]
        if self._cost_of_both(i, j) < before - 1e-6:
            row[k], row[m] = j, i
            return True
        self.x[[i, j]] = self.x[[j, i]]
        return False

    def _cost_of_both(self, i: int, j: int) -> float:
        return float(self._costs(i, self.x[[i]])[0] + self._costs(j, self.x[[j]])[0])

    def _costs(self, i: int, tried: np.ndarray) -> np.ndarray:
        """Return the cost of crossings, edges over nodes and edge lengths for each tried x of node i."""
        x, y, own = self.x, self.y, self.edges[self.own[i]]
        far = np.where(own[:, 0] == i, own[:, 1], own[:, 0])
        at, dy = tried[:, None, None], (y[far] - y[i])[None, :, None]
        dx = x[far][None, :, None] - at
        (ax, bx), (ay, by) = x[self.edges[self.other[i]]].T, y[self.edges[self.other[i]]].T
        # Edges cross if the ends of the other edge lie on both sides of the own edge, and vice versa.
        across = (dx * (ay - y[i]) - dy * (ax - at)) * (dx * (by - y[i]) - dy * (bx - at)) < 0
        start = (bx - ax) * (y[i] - ay) - (by - ay) * (at - ax)
        end = (bx - ax) * (y[far][:, None] - ay) - (by - ay) * (x[far][:, None] - ax)
        crossings = (across & (start * end < 0)).sum(axis=(1, 2))
        # Count own edges over other nodes, then other edges over this node.
        part, inside = _part(y - y[i], (y[far] - y[i])[:, None])
        over = (inside & (np.abs(at + dx * part - x) < NEAR)).sum(axis=(1, 2))
        part, inside = _part(y[i] - ay, by - ay)
        under = (np.abs((ax + (bx - ax) * part)[inside] - tried[:, None]) < NEAR).sum(axis=1)
        return crossings + over + under + LENGTH_COST * np.hypot(dx, dy).sum(axis=(1, 2))


def _part(rise: np.ndarray, whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of an edge at which it reaches a height, and True if that point is between its ends."""
    part = rise / np.where(whole == 0, np.inf, whole)
    return part, (part > 1e-6) & (part < 1 - 1e-6)
