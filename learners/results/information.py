"""Mutual information of pairs of variables, computed on demand and cached."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..common.relabeling import as_nodes

Key = tuple[int, ...]


class Information:
    """Mutual information of the variables i and j in bits per row, comparable across column types.

    Parameters
    ----------
    measure : callable, optional
        ``measure(i, j, *given) -> bits`` given a set of variables; without one only `known` pairs have a number.
    known : mapping of (i, j, *given), i < j, ascending `given`, to bits
    """

    def __init__(self, measure: Callable[[int, int], float] | None = None, known: Mapping[Key, float] | None = None):
        self._measure = measure
        self._known = dict(known or {})

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> float:
        """Return the bits per row, at least 0; NaN if unknown. Without `given` it is the marginal information."""
        pair = _key(i, j, given)
        if pair not in self._known:
            if self._measure is None:
                return math.nan
            self._known[pair] = self._measure(*pair)
        return self._known[pair]

    @property
    def known(self) -> dict[Key, float]:
        """Return the cached values."""
        return dict(self._known)

    def relabeled(self, new: np.ndarray) -> Information:
        """Relabel the pairs; see `common.relabeling`."""
        if self._measure is None and not self._known:
            return self
        known = {_key(i, j, given): bits for (i, j, *given), bits in self._renumbered(new)}
        old = np.argsort(new)

        def measure(i: int, j: int, *given: int) -> float:
            i, j, *given = as_nodes((i, j, *given), old)
            return self(i, j, given)

        return Information(self._measure and measure, known)

    def _renumbered(self, new: np.ndarray) -> list[tuple[Key, float]]:
        return [(as_nodes(tuple(key), new), bits) for key, bits in self._known.items()]

    def __reduce__(self) -> tuple:
        """Pickle the cached values without the data."""
        return Information, (None, self._known)


def _key(i: int, j: int, given: Sequence[int]) -> Key:
    return (min(i, j), max(i, j), *sorted(given))
