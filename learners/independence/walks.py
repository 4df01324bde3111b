"""Walks over conditioning sets: each tests a pair given one set after the other, up to the first that separates it.

All that learners ask of a test in bulk is one of four kinds of walks, which differ in how their sets are made:

- `LevelWalks`, of PC: sets of neighbours of either node, which all pairs share, so that nothing is listed by pair;
- `NewSetWalks`, of the searches that build neighbourhoods up: what a growing pool newly offers;
- `PoolWalks`, of pPC and Fast-IAMB: sets of a size from a pool of the pair's own, but those tested before;
- `Batch`, of HPC: sets of any size, each around members that stay.

`sets` defines what a walk does. A test may go through it set by set (`CITest.separate`); compiled tests have a kernel
for each kind, which never lists the sets.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from functools import cached_property
from hashlib import blake2b
from itertools import combinations

import numpy as np

from ..kernels.ci.pair_pools import PairPools
from ..kernels.graphs.adjacency import neighbor_lists, ordered_lists
from .pools import Pools


class Walks(ABC):
    """One walk a pair.

    Parameters
    ----------
    pairs : (m, 2) integer array
    width : int
        Most members of a set.

    Attributes
    ----------
    skips_untested : bool
        Whether a test for which the rows do not suffice separates nothing. Otherwise it ends the walk, with p = 1.
    """

    skips_untested = False

    def __init__(self, pairs: np.ndarray, width: int) -> None:
        self.pairs = np.ascontiguousarray(pairs, dtype=np.int64)
        self.width = width

    def __len__(self) -> int:
        return len(self.pairs)

    @abstractmethod
    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """The sets of one walk, each once, in their order."""

    @property
    def single(self) -> bool:
        """Whether each walk is one test, whatever the level."""
        return False

    def cells(self, arity: np.ndarray) -> np.ndarray:
        """Of the table of each walk that is one test, its variables having `arity` (p,) float64 levels."""
        return arity[self.pairs].prod(axis=1)

    @property
    @abstractmethod
    def most_tests(self) -> int:
        """No walk takes more tests, there being at least one walk."""

    def _asked(self, *sets: np.ndarray) -> tuple[Hashable, ...]:
        """The same for walks of the same pairs, with sets made of the same; others differ in its 128 bits."""
        told = blake2b(self.pairs, digest_size=16)
        for array in sets:
            told.update(np.ascontiguousarray(array))
        return type(self).__name__, self.width, len(self.pairs), *[array.shape for array in sets], told.digest()


class LevelWalks(Walks):
    """Sets of `size` neighbours of the first node, then those of the second's that are new, without the pair itself.

    Parameters
    ----------
    pairs : (m, 2) integer array
    adjacency : (p, p) bool array
        Row x holds the neighbours of x.
    size : int
    first : (p, p) float64 array, optional
        Row x: neighbours of x with smaller numbers are taken first, those of NaN before all. Default: in the order of
        the nodes.
    """

    def __init__(self, pairs: np.ndarray, adjacency: np.ndarray, size: int, first: np.ndarray | None = None) -> None:
        super().__init__(pairs, size)
        self.adjacency = np.ascontiguousarray(adjacency, dtype=bool)
        self.first = first

    @classmethod
    def marginal(cls, pairs: np.ndarray, p: int) -> LevelWalks:
        """One test a pair, given nothing."""
        return cls(pairs, np.zeros((p, p), dtype=bool), 0)

    @property
    def single(self) -> bool:
        """See `Walks.single`."""
        return not self.width

    @cached_property
    def lists(self) -> tuple[np.ndarray, np.ndarray]:
        """(begin, near) as `subsets.neighbor_lists` gives them, each node's in the order in which it takes them."""
        return lists_in_order(self.adjacency, self.first)

    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """In lexicographic order of the places in the lists. See `Walks.sets`."""
        x, y = self.pairs[e].tolist()
        begin, near = self.lists
        first = [k for k in near[begin[x] : begin[x + 1]].tolist() if k != y]
        second = [k for k in near[begin[y] : begin[y + 1]].tolist() if k != x]
        yield from combinations(first, self.width)
        yield from (cond for cond in combinations(second, self.width) if self.width and not set(cond) <= set(first))

    @property
    def most_tests(self) -> int:
        """See `Walks.most_tests`."""
        return 2 * math.comb(int(self.adjacency.sum(axis=1).max()), self.width)

    @property
    def request(self) -> Hashable:
        """What is asked, for who remembers answers."""
        return self._asked(*(self.lists if self.width else ()))


def lists_in_order(adjacency: np.ndarray, first: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """(begin, near) as `subsets.neighbor_lists` gives them, each node's in the order that `first` gives, if any."""
    return neighbor_lists(adjacency) if first is None else ordered_lists(adjacency, first)


class NewSetWalks(Walks):
    """Sets of up to `width` members that the pool of the first node newly offers.

    Parameters
    ----------
    pairs : (m, 2) integer array
    pools : Pools
        None holds a partner of its node.
    width : int
        At least 1.
    """

    def __init__(self, pairs: np.ndarray, pools: Pools, width: int) -> None:
        super().__init__(pairs, width)
        self.pools = pools

    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """In the order of `Pools.new_sets`. See `Walks.sets`."""
        return self.pools.new_sets(int(self.pairs[e, 0]), self.width)

    @property
    def most_tests(self) -> int:
        """See `Walks.most_tests`."""
        return self.pools.most_new(self.width)


class PoolWalks(Walks):
    """Sets of `size` members of a pool of the pair's own.

    Parameters
    ----------
    pairs : (m, 2) integer array
    pools : PairPools
        One a pair, without the pair itself, in the order to walk in.
    size : int
        At least 1.
    skip : (m, s, p) bool array, optional
        Sets that lie within one of the s rows of their pair are left out.
    """

    def __init__(self, pairs: np.ndarray, pools: PairPools, size: int, skip: np.ndarray | None = None) -> None:
        super().__init__(pairs, size)
        self.pools = pools
        self.skip = np.zeros((len(pairs), 0, 0), bool) if skip is None else np.ascontiguousarray(skip, dtype=bool)

    def sets(self, e: int) -> Iterator[tuple[int, ...]]:
        """In lexicographic order of the places in the pool. See `Walks.sets`."""
        covered = self.skip[e]
        pool = self.pools.members[self.pools.begin[e] : self.pools.begin[e + 1]].tolist()
        sets = combinations(pool, self.width)
        return (cond for cond in sets if not (len(covered) and covered[:, cond].all(axis=1).any()))

    @property
    def most_tests(self) -> int:
        """See `Walks.most_tests`."""
        return math.comb(int(np.diff(self.pools.begin).max()), self.width)

    @property
    def request(self) -> Hashable:
        """See `LevelWalks.request`."""
        return self._asked(*self.pools, self.skip)


class Batch(Walks):
    """Sets of the members of a base, and so many more from a pool.

    Parameters
    ----------
    pairs : (m, 2) integer array
    bases : PairPools
        Members of every set of the pair, ascending.
    pools : PairPools
        Where the others come from, in the order to walk in; without the base.
    sizes : (m,) int64 array
        How many others a set has; where 0, the walk is the test given its base.
    skips_untested : bool
        See `Walks`.
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
        """In lexicographic order of the places in the pool; each set ascending. See `Walks.sets`."""
        base, pool = (lists.members[lists.begin[e] : lists.begin[e + 1]].tolist() for lists in (self.bases, self.pools))
        return (tuple(sorted((*base, *others))) for others in combinations(pool, int(self.sizes[e])))

    @property
    def most_tests(self) -> int:
        """See `Walks.most_tests`."""
        several = np.flatnonzero(self.sizes)
        pools = np.diff(self.pools.begin)[several]
        shapes = set(zip(pools.tolist(), self.sizes[several].tolist(), strict=True))
        return max((math.comb(pool, size) for pool, size in shapes), default=1)

    @property
    def single(self) -> bool:
        """See `Walks.single`."""
        return not self.sizes.any()

    @property
    def request(self) -> Hashable:
        """See `LevelWalks.request`."""
        return self._asked(*self.bases, *self.pools, self.sizes, np.array(self.skips_untested))

    def cells(self, arity: np.ndarray) -> np.ndarray:
        """See `Walks.cells`."""
        cells = super().cells(arity)
        np.multiply.at(cells, np.repeat(np.arange(len(self)), np.diff(self.bases.begin)), arity[self.bases.members])
        return cells

    def fill_bases(self, cond: np.ndarray) -> None:
        """Write the base of each walk to its row of `cond` (m, k), all -1."""
        cond[np.arange(cond.shape[1]) < np.diff(self.bases.begin)[:, None]] = self.bases.members

    def rows(self, which: np.ndarray) -> Batch:
        """The walks where the (m,) bool mask says so."""
        if which.all():
            return self
        lists = (chosen_lists(lists, which) for lists in (self.bases, self.pools))
        return Batch(self.pairs[which], *lists, self.sizes[which], skips_untested=self.skips_untested)


def chosen_lists(lists: PairPools, which: np.ndarray) -> PairPools:
    """The lists where the mask says so."""
    lengths = np.diff(lists.begin)
    begin = np.concatenate([[0], np.cumsum(lengths[which])])
    return PairPools(begin, lists.members[np.repeat(which, lengths)])
