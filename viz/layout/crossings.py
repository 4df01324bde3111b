"""Reduce crossings of straight edges: move nodes within and between their rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.graphs.graph import Edge
from learners.graphs.layered_rows import TINY, position_costs

ROUNDS = 12  # maximum number of rounds over all nodes
MAX_WORK, CALL_WORK = 6e7, 5_000  # maximum number of compared lines in all rounds; fixed cost of a call in lines
MIN_WIDTH = 5.0  # minimum width, in node widths, available to a narrow drawing
STEP = 0.5  # distance between the tried positions, in node widths
NODE_WIDTH = 1.0  # minimum distance between nodes of a row


def spread_rows(xy: np.ndarray, edges: Sequence[Edge], *, between_rows: bool = False) -> np.ndarray:
    """Return positions with fewer crossings and fewer edges over nodes.

    Parameters
    ----------
    xy : (p, 2) float array
        x in node widths, y the row.
    edges : sequence of pairs
    between_rows : bool
        True if a node may also change its row, as long as it stays below its parents and above its children.
    """
    search = RowSearch(xy, edges)
    for _ in range(ROUNDS):
        if not search.improve(between_rows=between_rows) or search.work > MAX_WORK:
            break
    return np.column_stack([search.x, search.y])


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


class RowSearch:
    """Search for few crossings: the positions of nodes in rows, and the savings by each move."""

    def __init__(self, xy: np.ndarray, edges: Sequence[Edge]) -> None:
        self.x, self.y = np.array(xy, dtype=float).T.copy()
        self.edges = np.array(edges, dtype=int).reshape(-1, 2)
        width = max(float(np.ptp(self.x)), MIN_WIDTH)
        left = (self.x.min() + self.x.max() - width) / 2
        self.grid = np.arange(left, left + width + TINY, STEP)
        self.levels = np.unique(self.y)
        p = len(self.x)
        own = [(self.edges == i).any(axis=1) for i in range(p)]
        self.far = [self.edges[mine].sum(axis=1) - i for i, mine in enumerate(own)]
        self.parents = [self.edges[self.edges[:, 1] == i, 0] for i in range(p)]
        self.children = [self.edges[self.edges[:, 0] == i, 1] for i in range(p)]
        self.others = [self.edges[~mine] for mine in own]
        self.adjacent = np.zeros((p, p), dtype=bool)
        self.adjacent[(*self.edges.T,)] = self.adjacent[(*self.edges[:, ::-1].T,)] = True
        # A node or row is tried again only if something changed in the rows that its edges pass.
        self.clock, self.work = 1, 0
        self.changed, self.tried, self.exchanged = np.ones(len(self.levels)), np.zeros(p), np.zeros(len(self.levels))

    def improve(self, *, between_rows: bool) -> bool:
        """Move single nodes, then exchange nodes of a row; return True if any moved."""
        start = self.clock
        for k, y in enumerate(self.levels.tolist()):
            for i in np.flatnonzero(self.y == y).tolist():
                if len(self.far[i]) and self.work <= MAX_WORK and self.changed[self._passed([i])].max() > self.tried[i]:
                    self.tried[i] = self.clock
                    self._move(i, self._rows_of(i) if between_rows else [y])
            row = np.flatnonzero(self.y == y)
            while len(row) > 1 and self.work <= MAX_WORK and self.changed[self._passed(row)].max() > self.exchanged[k]:
                self.exchanged[k] = self.clock
                self._exchange(row)
        return self.clock > start

    def _passed(self, nodes: Sequence[int]) -> slice:
        """Return the rows that edges of these nodes pass, ends included."""
        y = self.y[np.concatenate([nodes, *(self.far[i] for i in nodes)]).astype(int)]
        return slice(int(np.searchsorted(self.levels, y.min())), int(np.searchsorted(self.levels, y.max())) + 1)

    def _note(self, nodes: Sequence[int]) -> None:
        self.clock += 1
        self.changed[self._passed(nodes)] = self.clock

    def _rows_of(self, i: int) -> list[float]:
        """Return the rows between the parents and the children of node i, its own first."""
        top, bottom = self.y[self.parents[i]].max(initial=-np.inf), self.y[self.children[i]].min(initial=np.inf)
        return [float(self.y[i])] + [y for y in self.levels.tolist() if top < y < bottom and y != self.y[i]]

    def _move(self, i: int, rows: Sequence[float]) -> None:
        now = float(self.costs(i, self.y[i], self.x[[i]])[0])
        found = (now - 1e-6, self.x[i], self.y[i])
        for y in rows:
            row = self.y == y
            row[i] = False
            tried = self.grid[np.abs(self.grid[:, None] - self.x[row]).min(axis=1, initial=np.inf) >= NODE_WIDTH - TINY]
            if not len(tried):
                continue
            cost = self.costs(i, y, tried)
            best = int(cost.argmin())
            if cost[best] < found[0]:
                found = (float(cost[best]), tried[best], y)
        if found[0] < now - 1e-6:
            self._note([i])
            self.x[i], self.y[i] = found[1:]
            self._note([i])

    def _exchange(self, row: np.ndarray) -> None:
        """Exchange the two nodes of a row whose exchange saves most, if any does."""
        order, saved = self.saved(row)
        a, b = np.unravel_index(int(np.triu(saved, 1).argmax()), saved.shape)
        if a != b and saved[a, b] > 1e-6:
            self.x[order[[a, b]]] = self.x[order[[b, a]]]
            self._note(order[[a, b]])

    def saved(self, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the nodes of a row from left to right, and the cost saved by the exchange of each two of them."""
        order = row[np.argsort(self.x[row])]
        at = self.x[order]
        cost = np.array([self.costs(i, self.y[i], at) for i in order.tolist()])
        now = np.diag(cost)
        # Edges of both nodes cross each other before and after the exchange, not while the nodes are at one point.
        saved = now[:, None] + now - cost - cost.T - self._mutual(order, at)
        saved[self.adjacent[np.ix_(order, order)]] = 0
        return order, saved

    def _mutual(self, order: np.ndarray, at: np.ndarray) -> np.ndarray:
        """Return the crossings between edges of two nodes of a row, before and after they are exchanged."""
        of = np.repeat(np.arange(len(order)), [len(self.far[i]) for i in order.tolist()])
        far = np.concatenate([self.far[i] for i in order.tolist()])
        x, dy = self.x[far], self.y[far] - self.y[order[0]]
        self.work += len(far) ** 2
        same = (dy[:, None] * dy > 0) & (far[:, None] != far)
        left = at[of][:, None] - at[of]

        def crossed(sign: int) -> np.ndarray:
            """Return crossings with the nodes where they are (1) or exchanged (-1)."""
            # In the row of the nearer end, the two edges lie in the other order than at the nodes.
            part = np.minimum(np.abs(dy[:, None]), np.abs(dy))
            i, j = (at[of][:, None], at[of][None]) if sign == 1 else (at[of][None], at[of][:, None])
            with np.errstate(divide="ignore", invalid="ignore"):
                gap = (i + (x[:, None] - i) * part / np.abs(dy[:, None])) - (j + (x - j) * part / np.abs(dy))
            return same & (gap * left * sign < -TINY)

        both = crossed(1).astype(int) + crossed(-1)
        total = np.zeros((len(order), len(order)))
        np.add.at(total, (of[:, None], of[None]), both)
        return total

    def costs(self, i: int, height: float, tried: np.ndarray) -> np.ndarray:
        """Return the cost of node i at each x in a row; `tried` is in increasing order."""
        self.work += CALL_WORK + len(self.far[i]) * len(self.others[i])
        return position_costs(self.x, self.y, i, float(height), tried, self.far[i], self.others[i])
