"""Layout of a printed graph: node positions as `graph_view` draws them, without a browser."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

PILLS = 90  # maximum number of nodes with names inside; in larger graphs names are below dots
WIDEST, PAGE, HIGHEST = 1.65, 1000.0, 640.0
SWEEPS = 80
SIDEWAYS, DOWN = 8.0, 6.0  # minimum distance between nodes in pixels
DOT_SHARE = 0.4  # maximum diameter of a dot, as a share of the distance to the nearest one where dots are close
NARROW, WIDE = set("iljtfrI.,;:'|!()[]-/ "), set("mwMW@%")


@dataclass(frozen=True)
class Places:
    """Centres and sizes of nodes, in pixels.

    Attributes
    ----------
    xy : (p, 2) float64 array
    size : (p, 2) float64 array
        Width and height.
    font : float
    pills : bool
        True if names are inside the nodes.
    """

    xy: np.ndarray
    size: np.ndarray
    font: float
    pills: bool


def text_width(text: str, font: float) -> float:
    """Estimate the width of a text in a common sans-serif font, in the unit of the font size `font`."""
    units = (
        0.36 if c in NARROW else 0.9 if c in WIDE else 0.7 if c.isupper() else 0.6 if ord(c) < 0x250 else 1.05
        for c in text
    )
    return font * sum(units)


def place(positions: np.ndarray, labels: Sequence[str]) -> Places:
    """Scale `positions` in [0, 1] to a canvas on which the names fit."""
    p = len(labels)
    pills = p <= PILLS
    font = 9.0 if not pills else 15.0 if p <= 12 else 13.5 if p <= 25 else 12.0
    if not pills:
        wide = 130.0 * math.sqrt(p)
        xy = positions * [wide, wide / WIDEST]
        return Places(xy, np.full((p, 2), _dot(xy, font)), font, pills)
    size = np.array([[text_width(label, font) + 1.3 * font, 1.8 * font] for label in labels]).reshape(p, 2)
    xy = positions * _sheet(positions, size)
    _push_apart(xy, size)
    return Places(xy, size, font, pills)


def _dot(xy: np.ndarray, font: float) -> float:
    """Return the diameter of dots: that of a letter, or less where a quarter of them would nearly touch another."""
    nearest = KDTree(xy).query(xy, k=2)[0][:, 1]
    return min(font, max(font / 2, DOT_SHARE * float(np.sort(nearest)[len(xy) // 4])))


def _sheet(positions: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return width and height of the canvas, enlarged if names in one row would touch."""
    root = math.sqrt(len(size))
    height = min(HIGHEST, 100 * (root + 2))
    width = min(PAGE, 260 * root + 60, WIDEST * height)
    i, j = np.triu_indices(len(size), 1)
    aside = np.abs(positions[i, 0] - positions[j, 0])
    touch = (aside > 0) & (np.abs(positions[i, 1] - positions[j, 1]) * height < size[i, 1])
    needed = np.sort(((size[i, 0] + size[j, 0]) / 2 + 14)[touch] / aside[touch])[::-1]
    few, most = (float(needed[k]) if len(needed) > k else 0.0 for k in (0, 3))
    return np.array([width, height]) * max(1.0, min(2.2, most / width), min(1.3, few / width))


def _push_apart(xy: np.ndarray, size: np.ndarray) -> None:
    """Separate overlapping nodes along the shorter axis, in `xy` itself."""
    x, y = xy.T.tolist()  # single numbers are faster in lists
    width, height = size.T.tolist()
    for _ in range(SWEEPS):
        moved = False
        for a in range(len(x)):
            for b in range(a):
                aside, down = x[a] - x[b], y[a] - y[b]
                over_x = (width[a] + width[b]) / 2 + SIDEWAYS - abs(aside)
                over_y = (height[a] + height[b]) / 2 + DOWN - abs(down)
                if over_x < 0.5 or over_y < 0.5:
                    continue
                if over_y <= over_x:
                    way = over_y * (-1 if down < 0 else 1) / 2
                    y[a] += way
                    y[b] -= way
                else:
                    way = over_x * (-1 if aside < 0 else 1) / 2
                    x[a] += way
                    x[b] -= way
                moved = True
        if not moved:
            break
    xy[:, 0], xy[:, 1] = x, y
