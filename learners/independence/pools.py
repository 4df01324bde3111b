"""Pools: for each node the nodes that its conditioning sets are drawn from, in the order they came."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np


class Pools(NamedTuple):
    """One pool a node, growing at its end.

    Attributes
    ----------
    members : (p, q) int32 array
        Row x begins with the pool of x.
    sizes : (p,) int64 array
        How many members each pool has.
    known : (p,) int64 array
        All sets of so many first members were tried before: a set is new iff it holds a later one.
    """

    members: np.ndarray
    sizes: np.ndarray
    known: np.ndarray

    @classmethod
    def empty(cls, p: int) -> Pools:
        """A pool without members for each of p nodes."""
        return cls(np.full((p, 0), -1, dtype=np.int32), np.zeros(p, dtype=np.int64), np.zeros(p, dtype=np.int64))

    def with_one_more(self, nodes: np.ndarray, new: np.ndarray) -> Pools:
        """``new[k]`` joins the pool of ``nodes[k]``; what the pool held becomes known."""
        members, sizes, known = self.members, self.sizes.copy(), self.known.copy()
        room = int(sizes[nodes].max(initial=-1)) + 1
        members = np.pad(members, ((0, 0), (0, max(0, room - members.shape[1]))), constant_values=-1)
        members[nodes, sizes[nodes]] = new
        known[nodes] = sizes[nodes]
        sizes[nodes] += 1
        return Pools(members, sizes, known)

    def without(self, nodes: np.ndarray, positions: np.ndarray) -> Pools:
        """The pool of ``nodes[k]`` loses the member at ``positions[k]``; what came before it is known."""
        sizes, known = self.sizes.copy(), self.known.copy()
        kept = np.ones(self.members.shape, dtype=bool)
        kept[nodes, positions] = False
        members = np.take_along_axis(self.members, np.argsort(~kept, axis=1, kind="stable"), axis=1)
        sizes[nodes] -= 1
        known[nodes] = positions
        return Pools(members, sizes, known)

    def of(self, x: int) -> list[int]:
        """The members of one pool, in their order."""
        return self.members[x, : self.sizes[x]].tolist()

    def new_sets(self, x: int, max_size: int) -> Iterator[tuple[int, ...]]:
        """The new sets of x: by size, then by their last member, then lexicographically; each in ascending order."""
        pool = self.of(x)
        for size in range(1, min(max_size, len(pool)) + 1):
            for last in range(int(self.known[x]), len(pool)):
                for others in combinations(pool[:last], size - 1):
                    yield tuple(sorted((*others, pool[last])))

    def most_new(self, max_size: int) -> int:
        """An upper bound of the new sets that any node has."""
        widest, newest = int(self.sizes.max(initial=0)), int((self.sizes - self.known).max(initial=0))
        return newest * sum(math.comb(widest, size) for size in range(min(max_size, widest + 1)))
