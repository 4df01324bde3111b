"""Ranking of the pairs of a run by strength, with the conditioning sets that came closest to separating them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

MAX_LISTED = 20_000  # maximum number of ranked pairs in a file with other contents


class RankedPair(NamedTuple):
    """A pair i < j with its rank from 1, its values, and the closest separating set by each of its nodes."""

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
        From 1; ties share a rank.
    values : mapping of str to (r,) float64 array
        Ranking values by name and unit; the first decides.
    hardest : mapping of str to (r, k) int array
        Conditioning set that came closest to separating each pair, padded with -1, by the node that tested.
    kept : (r,) bool array
        True if the pair is adjacent in the graph.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the first `MAX_LISTED` pairs in the form of an exported file, with nodes by position."""
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
    """Interface of `LearnResult.extra` for learners that rank pairs."""

    def ranking(self, joined: np.ndarray) -> Ranking:
        """Return the ranking of a run whose graph has the adjacent pairs `joined`, (p, p) bool."""
