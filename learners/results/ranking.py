"""Ranking: the pairs of a run from the strongest link on, with the sets that came nearest to parting them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

MAX_LISTED = 20_000  # pairs of a file that holds more than the ranking


class RankedPair(NamedTuple):
    """One pair: its rank from 1, i < j, what it is ranked by, and the hardest set of each who asked."""

    rank: int
    i: int
    j: int
    values: tuple[float, ...]
    hardest: tuple[tuple[int, ...], ...]
    kept: bool


@dataclass(frozen=True, eq=False)
class Ranking:
    """Pairs in order, the strongest first.

    Attributes
    ----------
    pairs : (r, 2) int array
        i < j.
    ranks : (r,) int array
        From 1; pairs that are equally strong share one.
    values : mapping of str to (r,) float64 array
        What they are ranked by, with its name and unit; the first decides.
    hardest : mapping of str to (r, k) int array
        The conditioning set that came nearest to parting each pair, padded with -1, by who asked.
    kept : (r,) bool array
        Whether the graph joins them.
    """

    pairs: np.ndarray
    ranks: np.ndarray
    values: Mapping[str, np.ndarray]
    hardest: Mapping[str, np.ndarray]
    kept: np.ndarray

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[RankedPair]:
        for t, (i, j) in enumerate(self.pairs.tolist()):
            sets = (tuple(sorted(k for k in one[t].tolist() if k >= 0)) for one in self.hardest.values())
            values = tuple(float(one[t]) for one in self.values.values())
            yield RankedPair(int(self.ranks[t]), i, j, values, tuple(sets), bool(self.kept[t]))

    def told(self) -> dict[str, Any]:
        """As a file tells it, by positions; the first `MAX_LISTED` pairs."""
        return {
            "ranked_pairs": len(self),
            "ranked_by": list(self.values),
            "hardest_sets": list(self.hardest),
            "pairs": [
                {
                    "rank": one.rank,
                    "pair": [one.i, one.j],
                    "values": [value if np.isfinite(value) else None for value in one.values],
                    "hardest": [list(cond) for cond in one.hardest],
                    "kept": one.kept,
                }
                for one, _ in zip(self, range(MAX_LISTED), strict=False)
            ],
        }


@runtime_checkable
class Ranks(Protocol):
    """What `LearnResult.extra` of a learner that ranks pairs offers."""

    def ranking(self, joined: np.ndarray) -> Ranking:
        """The ranking of a run whose graph joins the pairs of `joined` (p, p) bool."""
