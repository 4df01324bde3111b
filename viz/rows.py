"""Tables of pairs that are searched and sorted as a whole; only the rows on screen are built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .layout.seriation import alphabetical

MAX_SENT = 1_000  # maximum number of rows sent to the browser at once


@dataclass(frozen=True)
class Rows:
    """A table of pairs whose rows are built on demand.

    Attributes
    ----------
    names : sequence of str
        Names of the variables.
    i, j : (m,) int arrays
        The pair of each row, in the order of the table.
    make : callable
        Returns the rows at (k,) positions as a table, with the pair as ``i`` and ``j``.
    keys : mapping of str to (m,) array
        Further sort keys, in ascending order.
    what : str
        Noun for a row.
    """

    names: Sequence[str]
    i: np.ndarray
    j: np.ndarray
    make: Callable[[np.ndarray], pd.DataFrame]
    keys: Mapping[str, np.ndarray]
    what: str

    def table(self) -> pd.DataFrame:
        """Return all rows."""
        return self.make(np.arange(len(self.i)))

    def matching(self, text: str = "", variable: int | None = None) -> np.ndarray:
        """Return the positions of the rows about `variable` whose pair contains each word of `text`, ignoring case."""
        hit = np.ones(len(self.i), dtype=bool)
        if variable is not None:
            hit &= (self.i == variable) | (self.j == variable)
        for word in text.casefold().split():
            named = np.array([word in name.casefold() for name in self.names], dtype=bool)
            hit &= named[self.i] | named[self.j]
        return np.flatnonzero(hit)

    def ordered(self, positions: np.ndarray, by: str) -> np.ndarray:
        """Sort positions by one of the `orders`; any other value keeps the order of the table."""
        if by not in self.orders:
            return positions
        key = self._names_at(by) if by in ("first variable", "second variable") else self.keys[by]
        return positions[np.argsort(key[positions], kind="stable")]

    def _names_at(self, end: str) -> np.ndarray:
        rank = np.empty(len(self.names), dtype=np.int64)
        rank[alphabetical(self.names)] = np.arange(len(rank))
        return rank[self.i if end == "first variable" else self.j]

    @property
    def orders(self) -> tuple[str, ...]:
        """Return the sort orders other than the order of the table."""
        return (*self.keys, "first variable", "second variable")
