"""Searches over conditioning sets: each tests a pair given one set at a time, up to the first that separates it.

Learners request tests in bulk as one of four kinds of searches, which differ in how their sets are formed:

- `LevelSearch`, of PC: sets of neighbors of either node, from adjacency lists that all pairs share;
- `NewSetSearch`, of searches that grow neighborhoods: the sets that a growing pool newly allows;
- `PoolSearch`, of pPC and Fast-IAMB: sets of one size from a pool for each pair, without those tested before;
- `BatchSearch`, of HPC: sets of any size, each with the members of a base.

`sets` defines a search. `CITest.separate` goes through it set by set; compiled tests have a kernel for each kind, which
never lists the sets.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..kernels.ci.pair_pools import PairPools
from ..kernels.graphs.adjacency import neighbor_lists, ordered_lists


class SetSearch(ABC):
    """A conditioning-set search for each pair.

    Parameters
    ----------
    pairs : (m, 2) integer array
    width : int
        Largest number of members of a set.

    Attributes
    ----------
    skips_untested : bool
        True: a test without enough rows separates nothing. False: it ends the search, with p = 1.
    """

    skips_untested = False

    def __init__(self, pairs: np.ndarray, width: int) -> None:
        self.pairs = np.ascontiguousarray(pairs, dtype=np.int64)
        self.width = width

    def __len__(self) -> int:
        return len(self.pairs)

    @abstractmethod
    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets of one search in their order, each once."""

    @property
    def single(self) -> bool:
        """True if each search is a single test at any level."""
        return False

    def cells(self, arity: np.ndarray) -> np.ndarray:
        """Return the table cells of each search that is one test, for variables with `arity` (p,) float64 levels."""
        return arity[self.pairs].prod(axis=1)

    @property
    @abstractmethod
    def max_tests(self) -> int:
        """Upper bound of the number of tests of any search; there must be at least one search."""

    def _request_key(self, *sets: np.ndarray) -> tuple[Hashable, ...]:
        """Return a 128-bit key of the pairs and sets; equal requests have equal keys."""
        digest = blake2b(self.pairs, digest_size=16)
        for array in sets:
            digest.update(np.ascontiguousarray(array))
        return type(self).__name__, self.width, len(self.pairs), *[array.shape for array in sets], digest.digest()


class LevelSearch(SetSearch):
    """Sets of `size` neighbors of the first node, then those of the second node that are new, without the pair itself.

    Parameters
    ----------
    pairs : (m, 2) integer array
    adjacency : (p, p) bool array
        Row x holds the neighbors of x.
    size : int
    first : (p, p) float64 array, optional
        Row x: neighbors of x are sorted by these numbers, NaN first. Default: in the order of the nodes.
    """

    def __init__(self, pairs: np.ndarray, adjacency: np.ndarray, size: int, first: np.ndarray | None = None) -> None:
        super().__init__(pairs, size)
        self.adjacency = np.ascontiguousarray(adjacency, dtype=bool)
        self.first = first

    @classmethod
    def marginal(cls, pairs: np.ndarray, p: int) -> LevelSearch:
        """Return one test for each pair, without a conditioning set."""
        return cls(pairs, np.zeros((p, p), dtype=bool), 0)

    @property
    def single(self) -> bool:
        """See `SetSearch.single`."""
        return not self.width

    @cached_property
    def lists(self) -> tuple[np.ndarray, np.ndarray]:
        """Adjacency lists (begin, near), each node's neighbors in the order of the search."""
        return sorted_lists(self.adjacency, self.first)

    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets in lexicographic order of the positions in the lists. See `SetSearch.sets`."""
        x, y = self.pairs[e].tolist()
        begin, near = self.lists
        first = [k for k in near[begin[x] : begin[x + 1]].tolist() if k != y]
        second = [k for k in near[begin[y] : begin[y + 1]].tolist() if k != x]
        yield from combinations(first, self.width)
        yield from (cond for cond in combinations(second, self.width) if self.width and not set(cond) <= set(first))

    @property
    def max_tests(self) -> int:
        """See `SetSearch.max_tests`."""
        return 2 * math.comb(int(self.adjacency.sum(axis=1).max()), self.width)

    @property
    def request(self) -> Hashable:
        """Key of the request, for caches of results."""
        return self._request_key(*(self.lists if self.width else ()))


class Pools(NamedTuple):
    """Pools that grow at their ends: for each node the nodes that its conditioning sets are drawn from.

    Attributes
    ----------
    members : (p, q) int32 array
        Row x begins with the pool of x.
    sizes : (p,) int64 array
        Number of members of each pool.
    known : (p,) int64 array
        Number of first members all of whose sets were tested: a set is new if it has a later member.
    """

    members: np.ndarray
    sizes: np.ndarray
    known: np.ndarray

    @classmethod
    def empty(cls, p: int) -> Pools:
        """Return a pool without members for each of p nodes."""
        return cls(np.full((p, 0), -1, dtype=np.int32), np.zeros(p, dtype=np.int64), np.zeros(p, dtype=np.int64))

    def with_one_more(self, nodes: np.ndarray, new: np.ndarray) -> Pools:
        """Return the pools after ``new[k]`` joined the pool of ``nodes[k]``; its previous sets become known."""
        sizes, known, width = self.sizes.copy(), self.known.copy(), self.members.shape[1]
        members = np.full((len(sizes), max(width, int(sizes[nodes].max(initial=-1)) + 1)), -1, dtype=np.int32)
        members[:, :width] = self.members
        members[nodes, sizes[nodes]] = new
        known[nodes] = sizes[nodes]
        sizes[nodes] += 1
        return Pools(members, sizes, known)

    def without(self, nodes: np.ndarray, positions: np.ndarray) -> Pools:
        """Remove member ``positions[k]`` from the pool of ``nodes[k]``; sets of earlier members count as known."""
        sizes, known = self.sizes.copy(), self.known.copy()
        kept = np.ones(self.members.shape, dtype=bool)
        kept[nodes, positions] = False
        members = np.take_along_axis(self.members, np.argsort(~kept, axis=1, kind="stable"), axis=1)
        sizes[nodes] -= 1
        known[nodes] = positions
        return Pools(members, sizes, known)

    def of(self, x: int) -> list[int]:
        """Return the members of one pool, in their order."""
        return self.members[x, : self.sizes[x]].tolist()

    def new_sets(self, x: int, max_size: int) -> Iterator[tuple[int, ...]]:
        """Yield the new sets of x: by size, then by their last member, then lexicographically; each ascending."""
        pool = self.of(x)
        for size in range(1, min(max_size, len(pool)) + 1):
            for last in range(int(self.known[x]), len(pool)):
                for others in combinations(pool[:last], size - 1):
                    yield tuple(sorted((*others, pool[last])))

    def most_new(self, max_size: int) -> int:
        """Return an upper bound of the number of new sets of any node."""
        widest, newest = int(self.sizes.max(initial=0)), int((self.sizes - self.known).max(initial=0))
        return newest * sum(math.comb(widest, size) for size in range(min(max_size, widest + 1)))


def sorted_lists(adjacency: np.ndarray, first: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return adjacency lists (begin, near), each node's neighbors sorted by its row of `first`, if given."""
    return neighbor_lists(adjacency) if first is None else ordered_lists(adjacency, first)


class NewSetSearch(SetSearch):
    """Sets of up to `width` members that the pool of the first node newly allows.

    Parameters
    ----------
    pairs : (m, 2) integer array
    pools : Pools
        No pool has a partner of its node as a member.
    width : int
        At least 1.
    """

    def __init__(self, pairs: np.ndarray, pools: Pools, width: int) -> None:
        super().__init__(pairs, width)
        self.pools = pools

    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets in the order of `Pools.new_sets`. See `SetSearch.sets`."""
        return self.pools.new_sets(int(self.pairs[e, 0]), self.width)

    @property
    def max_tests(self) -> int:
        """See `SetSearch.max_tests`."""
        return self.pools.most_new(self.width)


class PoolSearch(SetSearch):
    """Sets of `size` members of a pool for each pair, or the whole pool.

    Parameters
    ----------
    pairs : (m, 2) integer array
    pools : PairPools
        One for each pair, without the pair itself, in the order of the search.
    size : int
        At least 1.
    skip : (m, s, p) bool array, optional
        Sets within one of the s rows of their pair are left out.
    whole : bool
        True: the only set of a pair is its pool, and no pool has more than `size` members. See `CITest.mixes_sizes`.
    """

    def __init__(
        self, pairs: np.ndarray, pools: PairPools, size: int, skip: np.ndarray | None = None, *, whole: bool = False
    ) -> None:
        super().__init__(pairs, size)
        self.pools = pools
        self.whole = whole
        self.skip = np.zeros((len(pairs), 0, 0), bool) if skip is None else np.ascontiguousarray(skip, dtype=bool)

    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets in lexicographic order of the positions in the pool. See `SetSearch.sets`."""
        covered = self.skip[e]
        pool = self.pools.members[self.pools.begin[e] : self.pools.begin[e + 1]].tolist()
        sets = combinations(pool, len(pool) if self.whole else self.width)
        return (cond for cond in sets if not (len(covered) and covered[:, cond].all(axis=1).any()))

    @property
    def max_tests(self) -> int:
        """See `SetSearch.max_tests`."""
        return 1 if self.whole else math.comb(int(np.diff(self.pools.begin).max()), self.width)

    @property
    def request(self) -> Hashable:
        """See `LevelSearch.request`."""
        return self._request_key(*self.pools, self.skip, np.array(self.whole))


class BatchSearch(SetSearch):
    """Sets that consist of a base and a given number of members of a pool.

    Parameters
    ----------
    pairs : (m, 2) integer array
    bases : PairPools
        Members of every set of the pair, ascending.
    pools : PairPools
        Pool of the other members, in the order of the search; without the base.
    sizes : (m,) int64 array
        Number of other members; if it is 0, the search is the single test given the base.
    skips_untested : bool
        See `SetSearch`.
    """

    def __init__(
        self, pairs: np.ndarray, bases: PairPools, pools: PairPools, sizes: np.ndarray, *, skips_untested: bool
    ) -> None:
        super().__init__(pairs, int((np.diff(bases.begin) + sizes).max(initial=0)))
        self.bases = bases
        self.pools = pools
        self.sizes = sizes
        self.skips_untested = skips_untested

    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets in lexicographic order of the positions in the pool, each ascending. See `SetSearch.sets`."""
        base, pool = (lists.members[lists.begin[e] : lists.begin[e + 1]].tolist() for lists in (self.bases, self.pools))
        return (tuple(sorted((*base, *others))) for others in combinations(pool, int(self.sizes[e])))

    @property
    def max_tests(self) -> int:
        """See `SetSearch.max_tests`."""
        several = np.flatnonzero(self.sizes)
        pools = np.diff(self.pools.begin)[several]
        shapes = set(zip(pools.tolist(), self.sizes[several].tolist(), strict=True))
        return max((math.comb(pool, size) for pool, size in shapes), default=1)

    @property
    def single(self) -> bool:
        """See `SetSearch.single`."""
        return not self.sizes.any()

    @property
    def request(self) -> Hashable:
        """See `LevelSearch.request`."""
        return self._request_key(*self.bases, *self.pools, self.sizes, np.array(self.skips_untested))

    def cells(self, arity: np.ndarray) -> np.ndarray:
        """See `SetSearch.cells`."""
        cells = super().cells(arity)
        np.multiply.at(cells, np.repeat(np.arange(len(self)), np.diff(self.bases.begin)), arity[self.bases.members])
        return cells

    def fill_bases(self, cond: np.ndarray) -> None:
        """Write the base of each search into its row of `cond`, an (m, k) array filled with -1."""
        cond[np.arange(cond.shape[1]) < np.diff(self.bases.begin)[:, None]] = self.bases.members

    def rows(self, which: np.ndarray) -> BatchSearch:
        """Return the searches that the (m,) bool mask selects."""
        if which.all():
            return self
        lists = (select_lists(lists, which) for lists in (self.bases, self.pools))
        return BatchSearch(self.pairs[which], *lists, self.sizes[which], skips_untested=self.skips_untested)


def select_lists(lists: PairPools, which: np.ndarray) -> PairPools:
    """Return the lists that the mask selects."""
    lengths = np.diff(lists.begin)
    begin = np.concatenate([[0], np.cumsum(lengths[which])])
    return PairPools(begin, lists.members[np.repeat(which, lengths)])
