"""Routes of edges around the boxes of other nodes, without a browser: the same paths as `graph_view/routing.js`.

A route is a shortest path with rounded bends. It depends on the positions of the nodes only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .printed_graph import Places

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Curve = tuple[Point, Point, Point]

MARGINS = (1, 3, 7)  # pixels between a bend and a box: the minimum first, the preferred margin last
DETOUR = 1.25  # maximum length of a route with a wide margin, relative to that with a narrow one
LANES, LANE = 3, 4  # number of lanes for edges at the same corner, and pixels between them
CLEARANCE = 1.5  # pixels that a rounded bend keeps from a box
ROUNDNESS = 70.0  # maximum length of line that a bend rounds, to each side
MAX_SEARCHES = 30
SAMPLES = 8  # number of points of a rounded bend


@dataclass(frozen=True)
class EdgeRoute:
    """An edge between the borders of its nodes.

    Attributes
    ----------
    start, end : pair of float
    first, last : pair of float
        The points to which the arrowheads at the start and at the end are aligned.
    curves : tuple of (point, point, point)
        Bends as quadratic curves, with lines between them.
    points : tuple of points
        The path as a polyline.
    """

    start: Point
    end: Point
    first: Point
    last: Point
    curves: tuple[Curve, ...]
    points: tuple[Point, ...]


class Router:
    """Routes between the nodes of a picture."""

    def __init__(self, places: Places) -> None:
        self.centres = [(x, y) for x, y in places.xy.tolist()]
        self.sizes = places.size.tolist()
        self._xy, self._room = places.xy, places.size / 2 + MARGINS[0]

    def route(self, i: int, j: int, lane: int = 0) -> EdgeRoute:
        """Return the path from node i to node j around all other nodes.

        Parameters
        ----------
        i, j : int
        lane : int
            Separates edges that turn at the same corner.
        """
        if self._is_clear(i, j):
            return self._rounded(i, j, [], [])
        others = [k for k in range(len(self.centres)) if k not in (i, j)]
        widest = MARGINS[-1] + LANE * (lane % LANES)
        # Prefer the widest margin, unless it requires a detour.
        best = self._path(i, j, others, MARGINS[0])
        longest = math.inf if best is None else DETOUR * _length(best)
        for margin in () if best and len(best) == 2 else (widest, *reversed(MARGINS[1:-1])):
            path = self._path(i, j, others, margin)
            if path and _length(path) <= longest:
                best = path
                break
        best = best or [self.centres[i], self.centres[j]]
        return self._rounded(i, j, best[1:-1], others)

    def _is_clear(self, i: int, j: int) -> bool:
        """Return True if the line between two nodes touches no box of another one with the smallest margin."""
        way = self._xy[j] - self._xy[i]
        gap = self._xy - self._xy[i]
        near = (np.abs(gap - way / 2) <= np.abs(way) / 2 + self._room).all(axis=1)
        aside = np.abs(way[0] * gap[:, 1] - way[1] * gap[:, 0])  # distance from the line, times its length
        near &= aside <= self._room @ np.abs(way[::-1])
        near[[i, j]] = False
        return not near.any()

    def boxes(self) -> list[Box]:
        """Return the boxes of all nodes."""
        return [self._box(k) for k in range(len(self.centres))]

    def _box(self, k: int, margin: float = 0.0) -> Box:
        (x, y), (w, h) = self.centres[k], self.sizes[k]
        return x - w / 2 - margin, y - h / 2 - margin, x + w / 2 + margin, y + h / 2 + margin

    def _path(self, i: int, j: int, others: Sequence[int], margin: float) -> list[Point] | None:
        """Return the shortest path. It avoids only boxes that an earlier path crossed, so few corners are searched."""
        start, end = self.centres[i], self.centres[j]
        boxes = [self._tight(k, (start, end), margin) for k in others]
        met: dict[int, Box] = {}
        path: list[Point] | None = [start, end]
        for _ in range(MAX_SEARCHES):
            before = len(met)
            for p, q in zip(path, path[1:], strict=False):
                met |= {k: box for k, box in enumerate(boxes) if k not in met and passes(p, q, box)}
            if len(met) == before:
                return path
            path = _shortest_path(start, end, list(met.values()))
            if path is None:
                return None
        return None

    def _tight(self, k: int, ends: Iterable[Point], margin: float) -> Box:
        """Return the box of node k with a margin, reduced near an end of the edge so that the box excludes the end."""
        (cx, cy), (w, h) = self.centres[k], self.sizes[k]
        room = min(max(abs(x - cx) - w / 2, abs(y - cy) - h / 2) for x, y in ends)
        return self._box(k, max(0.0, min(margin, room - 1)))

    def _rounded(self, i: int, j: int, bends: list[Point], others: Sequence[int]) -> EdgeRoute:
        """Cut the path at the borders of its ends, and round its bends as far as boxes allow."""
        start, end = self.centres[i], self.centres[j]
        while bends and _within(bends[0], self._box(i)):
            start = bends.pop(0)
        while bends and _within(bends[-1], self._box(j)):
            end = bends.pop()
        begin = self._exit(i, start, bends[0] if bends else end)
        stop = self._exit(j, end, bends[-1] if bends else start)
        line, curves = [begin, *bends, stop], []
        near = [self._box(k, CLEARANCE) for k in others] if bends else []
        for before, bend, after in zip(line, bends, line[2:], strict=False):
            cut = min(ROUNDNESS, math.dist(before, bend) / 2, math.dist(after, bend) / 2)
            curve = _curve(before, bend, after, cut)
            for _ in range(5):
                if not _hits(curve, near):
                    break
                cut /= 2
                curve = _curve(before, bend, after, cut)
            curves.append(_curve(before, bend, after, 0.0) if _hits(curve, near) else curve)
        points = (begin, *(point for curve in curves for point in _sampled(curve)), stop)
        first, last = (bends[0], bends[-1]) if bends else (stop, begin)
        return EdgeRoute(begin, stop, first, last, tuple(curves), points)

    def _exit(self, k: int, origin: Point, to: Point) -> Point:
        """Return the point at which a line from inside a node's box leaves it."""
        if origin == self.centres[k]:
            return self._border(k, to)
        left, top, right, bottom = self._box(k)
        dx, dy = to[0] - origin[0], to[1] - origin[1]
        t = min(
            ((right if dx > 0 else left) - origin[0]) / dx if dx else math.inf,
            ((bottom if dy > 0 else top) - origin[1]) / dy if dy else math.inf,
        )
        return origin[0] + t * dx, origin[1] + t * dy

    def _border(self, k: int, to: Point) -> Point:
        """Return the point at which the line from a node's centre to a point leaves its rounded box."""
        (x, y), (w, h) = self.centres[k], self.sizes[k]
        dx, dy = to[0] - x, to[1] - y
        r, length = h / 2, math.hypot(dx, dy) or 1.0
        flat = w / 2 - r
        t = math.inf if abs(dy) < 1e-9 else r / abs(dy)
        if abs(dx) * t <= flat:
            return x + dx * t, y + dy * t
        c, ux = math.copysign(flat, dx), dx / length
        s = c * ux + math.sqrt(max(0.0, (c * ux) ** 2 - c * c + r * r))
        return x + ux * s, y + dy / length * s


def passes(p: Point, q: Point, box: Box) -> bool:
    """Return True if a line passes through the inside of a box (Liang and Barsky's clipping)."""
    left, top, right, bottom = box
    if max(p[0], q[0]) <= left or min(p[0], q[0]) >= right or max(p[1], q[1]) <= top or min(p[1], q[1]) >= bottom:
        return False
    begin, end = 0.0, 1.0
    for d, low, high in (
        (q[0] - p[0], left - p[0], right - p[0]),
        (q[1] - p[1], top - p[1], bottom - p[1]),
    ):
        if d:
            begin, end = max(begin, min(low / d, high / d)), min(end, max(low / d, high / d))
    return end - begin > 1e-9


def towards(point: Point, to: Point, distance: float) -> Point:
    """Return the point at a distance along the line to another point."""
    length = math.dist(point, to) or 1.0
    return tuple(a + (b - a) * distance / length for a, b in zip(point, to, strict=True))


def _shortest_path(start: Point, end: Point, boxes: Sequence[Box]) -> list[Point] | None:
    """Search with A* over the corners of the boxes.

    A shortest path turns around a corner, so it never enters or leaves through the quadrant of the box: `slopes` has
    the sign of dx * dy that is forbidden for lines at each corner.
    """
    corners = [
        corner for box in boxes for corner in _corners(*box) if not any(_within(corner[0], other) for other in boxes)
    ]
    points, slopes = [start, end, *(point for point, _ in corners)], [0, 0, *(slope for _, slope in corners)]
    far = [math.dist(point, end) for point in points]
    cost, origin, open_ = [0.0] + [math.inf] * (len(points) - 1), [-1] * len(points), set(range(len(points)))
    while True:
        at = min((k for k in open_ if cost[k] < math.inf), key=lambda k: (cost[k] + far[k], k), default=-1)
        if at < 0:
            return None
        if at == 1:
            break
        open_.remove(at)
        x, y = points[at]
        for k in open_ - {0}:
            dx, dy = points[k][0] - x, points[k][1] - y
            if dx * dy * slopes[at] > 0 or dx * dy * slopes[k] > 0:
                continue
            length = cost[at] + math.hypot(dx, dy)
            if length < cost[k] - 1e-9 and not any(passes(points[at], points[k], box) for box in boxes):
                cost[k], origin[k] = length, at
    path, at = [], 1
    while at >= 0:
        path.insert(0, points[at])
        at = origin[at]
    return path


def _length(path: Sequence[Point]) -> float:
    return sum(math.dist(p, q) for p, q in zip(path, path[1:], strict=False))


def _corners(left: float, top: float, right: float, bottom: float) -> list[tuple[Point, int]]:
    return [((left, top), 1), ((right, top), -1), ((left, bottom), -1), ((right, bottom), 1)]


def _within(point: Point, box: Box) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _curve(before: Point, bend: Point, after: Point, cut: float) -> Curve:
    return towards(bend, before, cut), bend, towards(bend, after, cut)


def _sampled(curve: Curve) -> list[Point]:
    (x0, y0), (x1, y1), (x2, y2) = curve
    weights = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (k / SAMPLES for k in range(SAMPLES + 1))]
    return [(a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2) for a, b, c in weights]


def _hits(curve: Curve, boxes: Iterable[Box]) -> bool:
    """Return True if a bend passes through a box; it stays between its three points, so few boxes are compared."""
    (x0, y0), (x1, y1), (x2, y2) = curve
    left, right, top, bottom = min(x0, x1, x2), max(x0, x1, x2), min(y0, y1, y2), max(y0, y1, y2)
    near = [box for box in boxes if box[0] < right and box[2] > left and box[1] < bottom and box[3] > top]
    points = _sampled(curve) if near else []
    return any(passes(p, q, box) for box in near for p, q in zip(points, points[1:], strict=False))
