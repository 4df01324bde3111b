"""Positions of the labels of printed edges: the same as in `graph_view/notes.js`.

A label lies on its own edge, clear of other edges, boxes and labels; if no such position is free, beside its edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..layout.routing import Box, Point, passes, towards

NOTE_HEIGHT, NOTE_LETTER = 14.0, 7.4  # pixels: height of a line of text, and width of a letter
SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.19, 0.81, 0.13, 0.87)  # positions along the edge
ASIDE = (13.0, 16.5, 20.0, 24.0, 28.0, 34.0, 40.0, 52.0)  # pixels from the edge, if no position on it is free
MORE_SHARES = tuple((k + 0.5) / 12 for k in range(12))  # further positions, if none of these is free
FAR_ASIDE = (*ASIDE, 64.0, 80.0, 100.0)
BOX_COST = 100  # cost of a label over a box, relative to one over a line


@dataclass(frozen=True)
class Note:
    """A label to be placed.

    Attributes
    ----------
    line : int
        Index of its own edge.
    width : float
        Width in pixels.
    spots : sequence of points
        Possible positions, the best first.
    """

    line: int
    width: float
    spots: Sequence[Point]


def width_of(text: str) -> float:
    """Return the width of a label in pixels."""
    return len(text) * NOTE_LETTER + 2


def note_spots(points: Sequence[Point]) -> list[Point]:
    """Return the possible positions of a label, the best first: on the edge, then beside it."""
    return [*_spots(points, SHARES, ASIDE), *_spots(points, MORE_SHARES, FAR_ASIDE)]


def _spots(points: Sequence[Point], shares: Sequence[float], distances: Sequence[float]) -> list[Point]:
    """Return the positions at shares of the edge: on it, then at distances beside it."""
    on = [point_at(points, share) for share in shares]
    beside = []
    for distance in distances:
        for (x, y), share in zip(on, shares, strict=True):
            to = point_at(points, share + 0.02)
            length = math.dist((x, y), to) or 1.0
            dx, dy = -(to[1] - y) * distance / length, (to[0] - x) * distance / length
            beside += [(x + dx, y + dy), (x - dx, y - dy)]
    return [*on, *beside]


def point_at(points: Sequence[Point], share: float) -> Point:
    """Return the point at a share of the length of a polyline."""
    lengths = [math.dist(p, q) for p, q in zip(points, points[1:], strict=False)]
    left = share * sum(lengths)
    for p, q, length in zip(points, points[1:], lengths, strict=False):
        if left <= length and length > 0:
            return towards(p, q, left)
        left -= length
    return points[-1]


def place_notes(notes: Sequence[Note], boxes: Sequence[Box], lines: Sequence[Sequence[Point]]) -> list[Point]:
    """Return the centre of each label, clear of other lines, boxes and earlier labels if possible."""
    bounds = [(*map(min, zip(*points, strict=True)), *map(max, zip(*points, strict=True))) for points in lines]
    placed: list[Box] = []
    return [_place(note, boxes, lines, bounds, placed) for note in notes]


def _place(
    note: Note,
    boxes: Sequence[Box],
    lines: Sequence[Sequence[Point]],
    bounds: Sequence[Box],
    placed: list[Box],
) -> Point:
    best, least = note.spots[0], math.inf
    for spot in note.spots:
        box = _around(spot, note.width)
        cost = BOX_COST * sum(_overlap(box, other) for other in (*boxes, *placed))
        cost += sum(1 for _ in _crossed(box, note.line, lines, bounds))
        if cost < least:
            best, least = spot, cost
        if not cost:
            break
    placed.append(_around(best, note.width))
    return best


def _crossed(box: Box, own: int, lines: Sequence[Sequence[Point]], bounds: Sequence[Box]) -> Iterator[int]:
    """Yield the lines other than `own` that pass through a box."""
    for k, points in enumerate(lines):
        if k == own or not _overlap(box, bounds[k]):
            continue
        if any(passes(p, q, box) for p, q in zip(points, points[1:], strict=False)):
            yield k


def _around(centre: Point, width: float) -> Box:
    (x, y), high = centre, NOTE_HEIGHT / 2
    return x - width / 2, y - high, x + width / 2, y + high


def _overlap(a: Box, b: Box) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]
