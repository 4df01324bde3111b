"""Separating sets: at most one for each pair, in compact form for thousands of variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..common.relabeling import as_nodes, by_pair


class Sepsets(Mapping):
    """Read-only mapping from ``frozenset({x, y})`` to a tuple of nodes, ascending.

    A dictionary of half a million frozensets would take hundreds of megabytes; two arrays do not.

    Parameters
    ----------
    members : (p, p, k) int32 or int16 array
        ``members[x, y]`` lists the set of the pair, in any order, padded with -1. Both triangles agree.
    present : (p, p) bool array
        Symmetric; True for pairs that have a set, which may be empty.
    """

    def __init__(self, members: np.ndarray, present: np.ndarray) -> None:
        self.members = members
        self.present = present
        members.flags.writeable = False
        present.flags.writeable = False
        self._stored = members, present  # the same arrays before any relabeling
        self._new = np.arange(len(present))  # node k of the stored arrays is node _new[k]
        self._old = self._new

    @classmethod
    def from_entries(cls, p: int, entries: Iterable[tuple[int, int, Iterable[int]]]) -> Sepsets:
        """Return the mapping of triples (x, y, set); a later entry of a pair replaces an earlier one."""
        entries = [(x, y, sorted(cond)) for x, y, cond in entries]
        members = np.full((p, p, max((len(cond) for *_, cond in entries), default=0)), -1, dtype=np.int32)
        present = np.zeros((p, p), dtype=bool)
        for x, y, cond in entries:
            members[[x, y], [y, x]] = -1
            members[[x, y], [y, x], : len(cond)] = cond
            present[[x, y], [y, x]] = True
        return cls(members, present)

    @classmethod
    def from_blocks(cls, p: int, blocks: Sequence[tuple[np.ndarray, np.ndarray]]) -> Sepsets:
        """Return the mapping of blocks of (m, 2) pairs and (m, k) sets padded with -1.

        A later block replaces an earlier one.
        """
        members = np.full((p, p, max((cond.shape[1] for _, cond in blocks), default=0)), -1, dtype=np.int32)
        present = np.zeros((p, p), dtype=bool)
        for pairs, cond in blocks:
            for x, y in (pairs.T, pairs.T[::-1]):
                members[x, y] = -1
                members[x, y, : cond.shape[1]] = cond
                present[x, y] = True
        return cls(members, present)

    def relabeled(self, new: np.ndarray) -> Sepsets:
        """Relabel the nodes; see `common.relabeling`. The arrays are relabeled when they are read."""
        other = type(self).__new__(type(self))
        other._stored, other._new = self._stored, new[self._new]
        other._old = other._new.argsort()
        return other

    @cached_property
    def members(self) -> np.ndarray:
        """See the parameter."""
        return as_nodes(by_pair(self._stored[0], self._new), self._new)

    @cached_property
    def present(self) -> np.ndarray:
        """See the parameter."""
        return by_pair(self._stored[1], self._new)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.members, self.present)

    def of_pairs(self, kept: np.ndarray) -> Sepsets:
        """Return the sets of the pairs in `kept`, (p, p) symmetric bool."""
        return type(self)(np.where(kept[:, :, None], self.members, -1), self.present & kept)

    def between(self, x: int, y: int) -> tuple[int, ...] | None:
        """Return the set of the pair, or None."""
        members, present = self._stored
        pair = self._old[x], self._old[y]
        return tuple(sorted(self._new[[k for k in members[pair] if k >= 0]].tolist())) if present[pair] else None

    def __getitem__(self, pair: frozenset) -> tuple[int, ...]:
        x, y = pair
        cond = self.between(x, y)
        if cond is None:
            raise KeyError(pair)
        return cond

    def __iter__(self) -> Iterator[frozenset]:
        return (frozenset((int(x), int(y))) for x, y in zip(*np.nonzero(np.triu(self.present)), strict=True))

    def __len__(self) -> int:
        return int(np.triu(self.present).sum())

    def __repr__(self) -> str:
        return f"Sepsets({len(self)} pairs)"
