"""Run searches around several targets in rounds: one request of each search per round, all of them in one batch."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ...common.progress import Tick
from ...kernels.ci.results import CIResults
from .request_batches import Packed, packed
from .requests import Answer, Association, Request, Requests, SearchRequest
from .target_search import TargetSearch
from .tester import Tester, check

MAX_WALKS = 20_000  # maximum number of conditioning-set searches per round; a larger search is a round by itself
WALKS_PER_TICK = 5_000  # results returned to searches between two ticks, about 10 ms
STEP = 20  # cost of one step of a search, as a number of returned results


class Pending(NamedTuple):
    """A search around a target, and its request."""

    target: int
    search: Requests
    request: Request


class Rounds:
    """Scheduler of the searches around several targets, and of the further searches that these return.

    Parameters
    ----------
    around : mapping from target to TargetSearch
        Searches whose PCS and SPS are known.
    tester : Tester

    Attributes
    ----------
    ended : list of int
        Targets without unfinished searches.
    """

    def __init__(self, around: Mapping[int, TargetSearch], tester: Tester) -> None:
        self.ended: list[int] = []
        self._tester = tester
        self._size = {t: own.size for t, own in around.items()}
        self._unfinished = dict.fromkeys(around, 1)  # number of unfinished searches around each target
        self._queue = deque((t, own.search()) for t, own in around.items())
        self._room = MAX_WALKS

    def run(self, phase: str, tick: Tick) -> None:
        """Run all searches to their ends.

        Raises
        ------
        Stopped
            If cancelled.
        """

        def report(label: str = phase, _done: int = 0, _total: int = 0) -> bool:
            return tick(label, len(self.ended), len(self._unfinished))

        pending = self._advance((), report)
        while pending:
            requests = packed([own.request for own in pending])
            targets = np.repeat([own.target for own in pending], requests.n_searches)
            about = np.where(requests.about < 0, requests.pairs[:, 1], requests.about)
            batch = requests.batch(skips_untested=self._tester.rules.skip)
            log_p, results = self._tester.separate(batch, targets, about, phase, report)
            pending = self._advance(_answers(pending, requests, log_p, results), report)

    def _advance(self, answers: Iterable[tuple[int, Requests, Answer, int]], report: Tick) -> list[Pending]:
        """Send answers to searches, start others while there is room, and return the searches with new requests.

        The last entry of each answer is its number of conditioning-set searches.
        """
        work, pending = 0, []
        for t, search, answer, n_searches in chain(answers, self._started()):
            try:
                pending.append(Pending(t, search, search.send(answer)))
            except StopIteration as end:
                self._end(t, end.value or ())
            work += n_searches + STEP
            if work >= WALKS_PER_TICK:
                check(report())
                work = 0
        check(report())
        return pending

    def _started(self) -> Iterator[tuple[int, Requests, None, int]]:
        """Yield queued searches while the round has capacity."""
        while self._queue and (self._room >= self._size[self._queue[0][0]] or self._room == MAX_WALKS):
            t, search = self._queue.popleft()
            self._room -= self._size[t]
            yield t, search, None, self._size[t]

    def _end(self, t: int, further: Sequence[Requests]) -> None:
        """Release the capacity of a finished search, and put its subsequent searches at the front of the queue."""
        self._room += self._size[t]
        self._queue.extendleft((t, search) for search in reversed(further))
        self._unfinished[t] += len(further) - 1
        if not self._unfinished[t]:
            self.ended.append(t)


def _answers(
    pending: list[Pending], requests: Packed, log_p: np.ndarray, results: CIResults
) -> Iterator[tuple[int, Requests, Answer, int]]:
    """Yield each target and search with the answer to its request and its number of conditioning-set searches."""
    numbers = np.array([log_p, results.statistic, results.dof])
    begin = np.cumsum(requests.n_searches) - requests.n_searches
    rows = begin[[type(own.request) is SearchRequest for own in pending]]
    of_searches = zip(*numbers[:, rows].tolist(), results.cond[rows].tolist(), strict=True)
    for (t, search, request), first, n_searches in zip(
        pending, begin.tolist(), requests.n_searches.tolist(), strict=True
    ):
        if type(request) is SearchRequest:
            *association, cond = next(of_searches)
            yield t, search, Association(*association, tuple(cond[: len(request.base) + request.size])), 1
        else:
            yield t, search, numbers[:, first : first + n_searches], n_searches
