"""Drawing of large graphs: each hub in the middle of its neighbourhood, connected neighbourhoods close together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ASPECT = 1.7  # ratio of width to height of the area that neighbourhoods fill
ROOM = 1.15  # distance between neighbouring rings, and between nodes of a ring, in node widths
MARGIN = 0.6  # free space around a neighbourhood, in node widths
FREE = 3.0  # area searched for free space, as a multiple of the area of all neighbourhoods


@dataclass(frozen=True)
class Neighbourhood:
    """A hub with the nodes that lead to it, in rings around it.

    Attributes
    ----------
    hub : int
    rings : tuple of tuple of int
        Nodes of each ring, from the inside; ring k has at most ``floor(2 pi k)`` nodes.
    """

    hub: int
    rings: tuple[tuple[int, ...], ...]

    @property
    def radius(self) -> float:
        """Return the radius in node widths, including the margin."""
        return len(self.rings) * ROOM + MARGIN


def place_hubs(skeleton: np.ndarray) -> np.ndarray:
    """Place hubs in the middle of their neighbourhoods, and the neighbourhoods beside those that they have edges to.

    Parameters
    ----------
    skeleton : (p, p) bool array
        Symmetric; usually of one component.

    Returns
    -------
    (p, 2) float64 array
        x and y in node widths. No two nodes are closer than one node width.
    """
    p = len(skeleton)
    starts, ends = np.nonzero(skeleton)
    hub_of, depth, parent = lead_to_hubs(starts, ends, p)
    hoods = _neighbourhoods(hub_of, depth, parent)
    index = np.empty(p, dtype=int)
    for k, hood in enumerate(hoods):
        index[[hood.hub, *(i for ring in hood.rings for i in ring)]] = k
    between = index[starts] != index[ends]
    out, to = starts[between], index[ends[between]]
    links = np.zeros((len(hoods), len(hoods)))
    np.add.at(links, (index[out], to), 1.0)
    centres = _pack(np.array([hood.radius for hood in hoods]), links)
    wish = np.zeros((p, 2))  # sum of the directions to the neighbourhoods at the other ends of the edges
    away = centres[to] - centres[index[out]]
    np.add.at(wish, out, away / np.linalg.norm(away, axis=1, keepdims=True))
    xy = centres[index]
    for hood, centre in zip(hoods, centres, strict=True):
        _place_rings(hood, centre, wish, parent, xy)
    return xy


def lead_to_hubs(starts: np.ndarray, ends: np.ndarray, p: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the hub of each node, its number of steps to it, and the next node on the way.

    Each node leads to its neighbour with the most edges, unless it has more itself; a hub has more edges than all its
    neighbours. Of nodes with as many edges, the first counts as larger.

    Parameters
    ----------
    starts, ends : (m,) int arrays
        Both directions of each edge.
    p : int
        Number of nodes.

    Returns
    -------
    hub_of, depth, parent : (p,) int arrays
        A hub is its own hub and parent.
    """
    degree = np.bincount(starts, minlength=p)
    rank = np.empty(p, dtype=int)
    order = np.lexsort((-np.arange(p), degree))
    rank[order] = np.arange(p)
    top = rank.copy()
    np.maximum.at(top, starts, rank[ends])
    parent = order[top]
    hub_of, depth = parent.copy(), (parent != np.arange(p)).astype(int)
    while np.any(parent[hub_of] != hub_of):
        depth += parent[hub_of] != hub_of
        hub_of = parent[hub_of]
    return hub_of, depth, parent


def _neighbourhoods(hub_of: np.ndarray, depth: np.ndarray, parent: np.ndarray) -> list[Neighbourhood]:
    """Return the neighbourhoods, the largest first; nodes closer to the hub are in rings closer to it."""
    order = np.lexsort((np.arange(len(depth)), parent, depth, hub_of))
    members = np.split(order, np.flatnonzero(np.diff(hub_of[order])) + 1)
    found = []
    for hub, *others in sorted((nodes.tolist() for nodes in members), key=lambda nodes: (-len(nodes), nodes)):
        rings, start = [], 0
        while start < len(others):
            size = int(2 * np.pi * (len(rings) + 1))
            rings.append(tuple(others[start : start + size]))
            start += size
        found.append(Neighbourhood(hub, tuple(rings)))
    return found


def _pack(radii: np.ndarray, links: np.ndarray) -> np.ndarray:
    """Place circles in turn at the free point closest to the mean of those that they are linked to; none overlap."""
    step = max(0.5, radii.min() / 2)
    half = np.sqrt(FREE * np.sum((2 * radii + step) ** 2)) / 2 + radii.max()
    across = np.arange(-np.ceil(half * np.sqrt(ASPECT) / step), np.ceil(half * np.sqrt(ASPECT) / step) + 1) * step
    down = np.arange(-np.ceil(half / np.sqrt(ASPECT) / step), np.ceil(half / np.sqrt(ASPECT) / step) + 1) * step
    room = np.full((len(down), len(across)), np.inf)  # distance of each point to the closest circle
    centres = np.zeros((len(radii), 2))
    for k, radius in enumerate(radii):
        weight = links[k, :k]
        target = weight @ centres[:k] / weight.sum() if weight.any() else np.zeros(2)
        cost = (across[None, :] - target[0]) ** 2 / ASPECT + (down[:, None] - target[1]) ** 2 * ASPECT
        row, column = np.unravel_index(np.argmin(np.where(room >= radius, cost, np.inf)), room.shape)
        centres[k] = across[column], down[row]
        gap = np.hypot(across[None, :] - centres[k, 0], down[:, None] - centres[k, 1]) - radius
        np.minimum(room, gap, out=room)
    return centres


def _place_rings(hood: Neighbourhood, centre: np.ndarray, wish: np.ndarray, parent: np.ndarray, xy: np.ndarray) -> None:
    """Place the nodes of each ring at the free slots closest to the directions of their edges to the outside."""
    for k, ring in enumerate(hood.rings, start=1):
        directions = np.array([wish[i] if wish[i].any() else xy[parent[i]] - centre for i in ring])
        strengths = np.hypot(*directions.T)
        angles = 2 * np.pi * (np.arange(len(ring)) + 0.5 * (k % 2)) / len(ring)
        slots = np.column_stack([np.cos(angles), np.sin(angles)])
        fits = directions @ slots.T
        free = np.ones(len(ring), dtype=bool)
        for at in np.argsort(-strengths, kind="stable").tolist():
            slot = int(np.argmax(np.where(free, fits[at], -np.inf)))
            free[slot] = False
            xy[ring[at]] = centre + k * ROOM * slots[slot]
