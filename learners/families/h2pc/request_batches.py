"""Combine the requests of several searches into one batch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ...independence.set_search import BatchSearch
from ...kernels.ci.pair_pools import PairPools
from .requests import Request, SearchRequest, TestRequest


class Packed(NamedTuple):
    """Requests in columns, with one row per conditioning-set search.

    Attributes
    ----------
    n_searches : (k,) int64 array
        Number of conditioning-set searches of each request.
    pairs, about : (m, 2) and (m,) int64 arrays
        The pair that a search tests, and the node that it is counted for; -1 means the second node of the pair.
    base_sizes, pool_sizes, sizes : (m,) int64 arrays
        Sizes of the base, of the pool, and of the subsets drawn from the pool.
    bases, pools : int32 arrays
        Members of all bases and of all pools.
    """

    n_searches: np.ndarray
    pairs: np.ndarray
    about: np.ndarray
    base_sizes: np.ndarray
    bases: np.ndarray
    pool_sizes: np.ndarray
    pools: np.ndarray
    sizes: np.ndarray

    def batch(self, *, skips_untested: bool) -> BatchSearch:
        """Return the searches as a `BatchSearch`."""
        bases, pools = _lists(self.base_sizes, self.bases), _lists(self.pool_sizes, self.pools)
        return BatchSearch(self.pairs, bases, pools, self.sizes, skips_untested=skips_untested)

    def followed_by(self, other: Packed) -> Packed:
        """Return these requests followed by those of `other`."""
        return Packed(*map(np.concatenate, zip(self, other, strict=True)))

    def in_order(self, places: np.ndarray) -> Packed:
        """Return the requests sorted by `places` (k,)."""
        order = np.argsort(np.repeat(places, self.n_searches), kind="stable")
        return Packed(
            n_searches=self.n_searches[np.argsort(places)],
            pairs=self.pairs[order],
            about=self.about[order],
            base_sizes=self.base_sizes[order],
            bases=_members_in_order(self.base_sizes, self.bases, order),
            pool_sizes=self.pool_sizes[order],
            pools=_members_in_order(self.pool_sizes, self.pools, order),
            sizes=self.sizes[order],
        )


def packed(requests: Sequence[Request]) -> Packed:
    """Return the requests in columns, in their order."""
    is_search = np.array([type(request) is SearchRequest for request in requests])
    if is_search.all():
        return _of_searches(requests)
    tests = _of_tests([request for request in requests if type(request) is TestRequest])
    if not is_search.any():
        return tests
    both = _of_searches([request for request in requests if type(request) is SearchRequest]).followed_by(tests)
    return both.in_order(np.concatenate([np.flatnonzero(is_search), np.flatnonzero(~is_search)]))


def _of_searches(requests: Sequence[SearchRequest]) -> Packed:
    """Return requests of one conditioning-set search each in columns."""
    x, partner, bases, pools, sizes, about = zip(*requests, strict=True)
    base_sizes = np.fromiter(map(len, bases), np.int64, len(bases))
    return Packed(
        n_searches=np.ones(len(x), dtype=np.int64),
        pairs=np.array([x, partner], dtype=np.int64).T,
        about=np.array(about, dtype=np.int64),
        base_sizes=base_sizes,
        bases=np.fromiter(chain.from_iterable(bases), np.int32, int(base_sizes.sum())),
        pool_sizes=np.fromiter(map(len, pools), np.int64, len(pools)),
        pools=np.frombuffer(bytearray().join(pools), np.intc),
        sizes=np.array(sizes, dtype=np.int64),
    )


def _of_tests(requests: Sequence[TestRequest]) -> Packed:
    """Return requests of single tests in columns."""
    x, partners, bases, about = zip(*requests, strict=True)
    n_searches = np.array([len(nodes) for nodes in partners], dtype=np.int64)
    base_sizes, members = map(np.concatenate, zip(*bases, strict=True))
    none = np.zeros(len(base_sizes), dtype=np.int64)
    return Packed(
        n_searches=n_searches,
        pairs=np.column_stack([np.repeat(x, n_searches), np.concatenate(partners)]),
        about=np.repeat(about, n_searches),
        base_sizes=base_sizes,
        bases=members.astype(np.int32),
        pool_sizes=none,
        pools=np.empty(0, dtype=np.intc),
        sizes=none,
    )


def _lists(sizes: np.ndarray, members: np.ndarray) -> PairPools:
    """Return consecutive lists as `PairPools`."""
    return PairPools(np.concatenate([[0], np.cumsum(sizes)]), members)


def _members_in_order(sizes: np.ndarray, members: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return the members of consecutive lists with the lists in another order."""
    begin, after = np.cumsum(sizes) - sizes, np.cumsum(sizes[order])
    shift = begin[order] - (after - sizes[order])
    return members[np.repeat(shift, sizes[order]) + np.arange(len(members))]
