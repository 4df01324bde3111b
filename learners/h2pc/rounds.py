"""Searches around many targets, met side by side: one request of each search a round, all of them in one batch."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..common.progress import Tick
from ..kernels.tests.results import TestResults
from .packing import Packed, packed
from .requests import Answer, Association, Request, Requests, WalkRequest
from .target_search import TargetSearch
from .tester import Tester, check

MOST_WALKS = 20_000  # of a round, or those of one search
AT_ONCE = 5_000  # walks that are handed back between two ticks: some 10 ms
STEP = 20  # walks that take as long to hand back as a search takes to go on


class Waiting(NamedTuple):
    """A search around a target, and what it asks."""

    target: int
    search: Requests
    request: Request


class Rounds:
    """Drives searches to their ends, and those that they lead to.

    Parameters
    ----------
    around : mapping from target to TargetSearch
        Whose partners and spouses are known.
    tester : Tester

    Attributes
    ----------
    ended : list of int
        The targets of which no search goes on.
    """

    def __init__(self, around: Mapping[int, TargetSearch], tester: Tester) -> None:
        self.ended: list[int] = []
        self._tester = tester
        self._size = {t: one.size for t, one in around.items()}
        self._left = dict.fromkeys(around, 1)  # searches around each target that have not ended
        self._later = deque((t, one.search()) for t, one in around.items())
        self._room = MOST_WALKS

    def run(self, phase: str, tick: Tick) -> None:
        """Do all rounds.

        Raises
        ------
        Stopped
            If cancelled.
        """

        def telling(said: str = phase, _done: int = 0, _total: int = 0) -> bool:
            return tick(said, len(self.ended), len(self._left))

        waiting = self._go_on((), telling)
        while waiting:
            asked = packed([one.request for one in waiting])
            targets = np.repeat([one.target for one in waiting], asked.walks)
            about = np.where(asked.about < 0, asked.pairs[:, 1], asked.about)
            batch = asked.batch(skips_untested=self._tester.rules.skip)
            log_p, results = self._tester.separate(batch, targets, about, phase, telling)
            waiting = self._go_on(_answers(waiting, asked, log_p, results), telling)

    def _go_on(self, answers: Iterable[tuple[int, Requests, Answer, int]], telling: Tick) -> list[Waiting]:
        """Let searches go on to their next request, or their end, and others begin while there is room.

        With each answer comes how much work it is.
        """
        work, waiting = 0, []
        for t, search, answer, own in chain(answers, self._begun()):
            try:
                waiting.append(Waiting(t, search, search.send(answer)))
            except StopIteration as end:
                self._end(t, end.value or ())
            work += own + STEP
            if work >= AT_ONCE:
                check(telling())
                work = 0
        check(telling())
        return waiting

    def _begun(self) -> Iterator[tuple[int, Requests, None, int]]:
        """The searches that there is room for."""
        while self._later and (self._room >= self._size[self._later[0][0]] or self._room == MOST_WALKS):
            t, search = self._later.popleft()
            self._room -= self._size[t]
            yield t, search, None, self._size[t]

    def _end(self, t: int, further: Sequence[Requests]) -> None:
        self._room += self._size[t]
        self._later.extendleft((t, search) for search in reversed(further))
        self._left[t] += len(further) - 1
        if not self._left[t]:
            self.ended.append(t)


def _answers(
    waiting: list[Waiting], asked: Packed, log_p: np.ndarray, results: TestResults
) -> Iterator[tuple[int, Requests, Answer, int]]:
    """Each target and search, the answer to its request, and its walks."""
    numbers = np.array([log_p, results.statistic, results.dof])
    begin = np.cumsum(asked.walks) - asked.walks
    alone = begin[[type(one.request) is WalkRequest for one in waiting]]
    of_walks = zip(*numbers[:, alone].tolist(), results.cond[alone].tolist(), strict=True)
    for (t, search, request), first, walks in zip(waiting, begin.tolist(), asked.walks.tolist(), strict=True):
        if type(request) is WalkRequest:
            *association, cond = next(of_walks)
            yield t, search, Association(*association, tuple(cond[: len(request.base) + request.size])), 1
        else:
            yield t, search, numbers[:, first : first + walks], walks
