"""Searches around many targets, met side by side: one request of each search a round, all of them in one batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, chain, groupby

import numpy as np

from ..common.progress import Stopped, Tick
from ..independence import Batch, CITest
from ..kernels.tests.pair_pools import PairPools
from ..kernels.tests.results import TestResults
from .memory import Memory
from .requests import UNTESTED, Bases, Requests, Rules, TestRequest

AT_ONCE = 5_000  # walks that are packed or handed back between two ticks: some 10 ms


class Rounds:
    """Drives searches to their ends.

    Parameters
    ----------
    searches : mapping from target to Requests
    ci_test, rules
        Who tests, and when a walk ends.
    memory : Memory
        What was tested before.
    n_tests : (p, p) int64 array
        Raised by the tests done; row is the target, column whom it was about.

    Attributes
    ----------
    ended : list of int
        The targets whose search came to its end.
    """

    def __init__(
        self, searches: Mapping[int, Requests], ci_test: CITest, rules: Rules, memory: Memory, n_tests: np.ndarray
    ) -> None:
        self.ended: list[int] = []
        self._searches = searches
        self._ci_test = ci_test
        self._rules = rules
        self._memory = memory
        self._n_tests = n_tests
        self._requests: dict[int, TestRequest] = {}

    def run(self, phase: str, tick: Tick) -> None:
        """Do all rounds.

        Raises
        ------
        Stopped
            If cancelled.
        """

        def telling(said: str = phase, _done: int = 0, _total: int = 0) -> bool:
            return tick(said, len(self.ended), len(self._searches))

        p = self._ci_test.p
        for some in _pieces((t, p) for t in self._searches):
            self._send(some, dict.fromkeys(some))
            _check(telling())
        while self._requests:
            batch = self._batch(telling)
            _check(telling())
            results = self._test(batch, phase, telling)
            _check(telling())
            replies = self._by_target(results)
            for some in _pieces((t, len(reply.log_p)) for t, reply in replies.items()):
                self._send(some, replies)
                _check(telling())

    def _send(self, targets: Iterable[int], replies: Mapping[int, TestResults | None]) -> None:
        """Let searches go on to their next request, or their end."""
        for t in targets:
            try:
                self._requests[t] = self._searches[t].send(replies[t])
            except StopIteration:
                self._requests.pop(t, None)
                self.ended.append(t)

    def _batch(self, telling: Tick) -> Batch:
        """All requests as one batch."""
        parts = []
        for some in _pieces((request, len(request.partners)) for request in self._requests.values()):
            parts.append(_packed(some))
            _check(telling())
        pairs, base_sizes, bases, pool_sizes, pools, sizes = map(np.concatenate, zip(*parts, strict=True))
        lists = (
            PairPools(np.concatenate([[0], np.cumsum(lengths)]), members)
            for lengths, members in ((base_sizes, bases), (pool_sizes, pools))
        )
        return Batch(pairs, *lists, sizes, skips_untested=self._rules.skip)

    def _test(self, batch: Batch, phase: str, telling: Tick) -> TestResults:
        """Do the tests, and count them."""
        try:
            results = self._memory.separate(self._ci_test, batch, self._rules.alpha, phase=phase, tick=telling)
        except Stopped as stopped:
            self._count(batch, stopped.partial)
            raise
        self._count(batch, results)
        return results

    def _count(self, batch: Batch, results: TestResults) -> None:
        walks = [len(request.partners) for request in self._requests.values()]
        targets = np.repeat(list(self._requests), walks)
        about = np.repeat([request.about for request in self._requests.values()], walks)
        np.add.at(self._n_tests, (targets, np.where(about < 0, batch.pairs[:, 1], about)), results.n_tests)

    def _by_target(self, results: TestResults) -> dict[int, TestResults]:
        """The rows of each search."""
        results = results._replace(log_p=np.where(results.tested, results.log_p, UNTESTED))
        ends = list(accumulate((len(request.partners) for request in self._requests.values()), initial=0))
        return {
            t: results.rows(slice(begin, end))
            for t, begin, end in zip(self._requests, ends[:-1], ends[1:], strict=True)
        }


def _packed(requests: list[TestRequest]) -> tuple[np.ndarray, ...]:
    """Pairs, and by walk: members of the base and how many, those of the pool and how many, and of each set drawn."""
    walks = [len(request.partners) for request in requests]
    bases = [one for run in _alike(requests) for one in run]
    pairs = np.empty((sum(walks), 2), dtype=np.int64)
    pairs[:, 0] = np.repeat([request.x for request in requests], walks)
    pairs[:, 1] = np.concatenate([request.partners for request in requests])
    return (
        pairs,
        np.concatenate([one.sizes for one in bases]),
        np.concatenate([one.members for one in bases]),
        np.repeat([len(request.pool) for request in requests], walks),
        np.fromiter(chain.from_iterable(request.pool for request in requests), np.int32),
        np.repeat([request.size for request in requests], walks),
    )


def _alike(requests: list[TestRequest]) -> Iterator[list[Bases]]:
    """The bases of all requests: those of many partners come as arrays, the others are packed run by run."""
    for packed, run in groupby((request.bases for request in requests), key=lambda bases: isinstance(bases, Bases)):
        if packed:
            yield list(run)
        else:
            bases = list(chain.from_iterable(run))
            sizes = np.fromiter(map(len, bases), np.int64, len(bases))
            yield [Bases(sizes, np.fromiter(chain.from_iterable(bases), np.int32, int(sizes.sum())))]


def _pieces(items: Iterable[tuple]) -> Iterator[list]:
    """Items with their sizes, in lists of about `AT_ONCE` in all."""
    some, size = [], 0
    for item, weight in list(items):
        some.append(item)
        size += weight
        if size >= AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some


def _check(goes_on: bool) -> None:
    if not goes_on:
        raise Stopped
