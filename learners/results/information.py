"""Mutual information of pairs of variables, computed on demand and cached."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from ..common.relabeling import as_nodes

Pair = tuple[int, int]


class Information:
    """Mutual information of the variables i and j in bits per row, comparable across column types.

    Parameters
    ----------
    measure : callable, optional
        ``measure(i, j) -> bits``; without one only `known` pairs have a number.
    known : mapping of (i, j), i < j, to bits
    """

    def __init__(self, measure: Callable[[int, int], float] | None = None, known: Mapping[Pair, float] | None = None):
        self._measure = measure
        self._known = dict(known or {})

    def __call__(self, i: int, j: int) -> float:
        """Return the bits per row, at least 0; NaN if unknown."""
        pair = (min(i, j), max(i, j))
        if pair not in self._known:
            if self._measure is None:
                return math.nan
            self._known[pair] = self._measure(*pair)
        return self._known[pair]

    @property
    def known(self) -> dict[Pair, float]:
        """Return the cached values."""
        return dict(self._known)

    def relabeled(self, new: np.ndarray) -> Information:
        """Relabel the pairs; see `common.relabeling`."""
        if self._measure is None and not self._known:
            return self
        known = {tuple(sorted(as_nodes(pair, new))): bits for pair, bits in self._known.items()}
        old = np.argsort(new)
        return Information(self._measure and (lambda i, j: self(*as_nodes((i, j), old))), known)

    def __reduce__(self) -> tuple:
        """Pickle the cached values without the data."""
        return Information, (None, self._known)
