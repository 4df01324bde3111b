"""Plateaus: ranges of values over which the graph does not change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..common.checks import check_positions
from ..common.validation import validated
from ..graphs.graph import PDAG


@dataclass(frozen=True)
class Plateau:
    """Adjacent values with the same graph: positions ``first <= k <= last``."""

    first: int
    last: int

    @property
    def middle(self) -> int:
        """The middle position, the lower of two."""
        return (self.first + self.last) // 2

    def __len__(self) -> int:
        return self.last - self.first + 1


@validated
def plateaus(graphs: Sequence[PDAG | None]) -> tuple[Plateau, ...]:
    """Return all plateaus in order, including those of one value; a missing graph ends a plateau.

    Examples
    --------
    >>> a, b = PDAG.empty(2), PDAG.from_edges(2, undirected=[(0, 1)])
    >>> plateaus([a, a, b, None, b])
    (Plateau(first=0, last=1), Plateau(first=2, last=2), Plateau(first=4, last=4))
    """
    number, before, numbers = 0, None, []
    for graph in graphs:
        number += graph is None or before is None or graph != before
        numbers.append(number)
        before = graph
    bands = [[k for k, _ in band] for _, band in groupby(enumerate(numbers), key=lambda one: one[1])]
    return tuple(Plateau(band[0], band[-1]) for band in bands if graphs[band[0]] is not None)


@validated
def longest_plateau(bands: Sequence[Plateau], values: Sequence[Any]) -> Plateau | None:
    """Return the plateau over the widest range of values, the first of equally wide ones.

    The width is measured on the scale of `positions`; a plateau reaches half way to its neighbours.

    Raises
    ------
    ParameterError
        If a plateau reaches beyond the values.
    """
    values = list(values)
    for band in bands:
        check_positions("the end of a band", (band.first, band.last), len(values))
    at = places(values)
    if not bands:
        return None

    def width(band: Plateau) -> float:
        low = at[0] if band.first == 0 else (at[band.first - 1] + at[band.first]) / 2
        high = at[-1] if band.last == len(at) - 1 else (at[band.last] + at[band.last + 1]) / 2
        return high - low

    return max(bands, key=lambda band: (width(band), -band.first))


def places(values: Sequence[Any]) -> list[float]:
    """Return the position of each value on a common scale.

    Positive numbers use their logarithms if the largest exceeds 100 times the smallest; other increasing numbers stay;
    other values are numbered.
    """
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    if not numbers or sorted(values) != list(values):
        return [float(k) for k in range(len(values))]
    if values[0] > 0 and values[-1] > 100 * values[0]:
        return [math.log(value) for value in values]
    return [float(value) for value in values]
