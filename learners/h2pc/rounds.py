"""Searches around many targets, met side by side: one request of each search a round, all of them in one batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from ..common.progress import Stopped, Tick
from ..independence import CITest
from ..kernels.tests.results import TestResults
from .memory import Memory
from .packing import Packed, packed
from .requests import UNTESTED, Answer, Association, Request, Requests, Rules, WalkRequest

AT_ONCE = 5_000  # walks that are handed back between two ticks: some 10 ms


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
        self._requests: dict[int, Request] = {}

    def run(self, phase: str, tick: Tick) -> None:
        """Do all rounds.

        Raises
        ------
        Stopped
            If cancelled.
        """

        def telling(said: str = phase, _done: int = 0, _total: int = 0) -> bool:
            return tick(said, len(self.ended), len(self._searches))

        self._go_on(((t, None, self._ci_test.p) for t in self._searches), telling)
        while self._requests:
            asked = packed(list(self._requests.values()))
            _check(telling())
            results = self._test(asked, phase, telling)
            _check(telling())
            self._go_on(self._answers(asked, results), telling)

    def _go_on(self, answers: Iterable[tuple[int, Answer | None, int]], telling: Tick) -> None:
        """Let searches go on to their next request, or their end: each target, its answer, and how much work it is."""
        work = 0
        for t, answer, own in answers:
            try:
                self._requests[t] = self._searches[t].send(answer)
            except StopIteration:
                self._requests.pop(t, None)
                self.ended.append(t)
            work += own
            if work >= AT_ONCE:
                _check(telling())
                work = 0
        _check(telling())

    def _test(self, asked: Packed, phase: str, telling: Tick) -> TestResults:
        """Do the tests, and count them."""
        batch = asked.batch(skips_untested=self._rules.skip)
        try:
            results = self._memory.separate(self._ci_test, batch, self._rules.alpha, phase=phase, tick=telling)
        except Stopped as stopped:
            self._count(asked, stopped.partial)
            raise
        self._count(asked, results)
        return results

    def _count(self, asked: Packed, results: TestResults) -> None:
        targets = np.repeat(list(self._requests), asked.walks)
        about = np.where(asked.about < 0, asked.pairs[:, 1], asked.about)
        np.add.at(self._n_tests, (targets, about), results.n_tests)

    def _answers(self, asked: Packed, results: TestResults) -> Iterator[tuple[int, Answer, int]]:
        """Each target, the answer to its request, and its walks."""
        log_p = np.where(results.tested, results.log_p, UNTESTED)
        numbers = np.array([log_p, results.statistic, results.dof])
        begin = np.cumsum(asked.walks) - asked.walks
        alone = begin[[type(request) is WalkRequest for request in self._requests.values()]]
        of_walks = zip(*numbers[:, alone].tolist(), results.cond[alone].tolist(), strict=True)
        for (t, request), first, walks in zip(
            list(self._requests.items()), begin.tolist(), asked.walks.tolist(), strict=True
        ):
            if type(request) is WalkRequest:
                *association, cond = next(of_walks)
                yield t, Association(*association, tuple(cond[: len(request.base) + request.size])), 1
            else:
                yield t, numbers[:, first : first + walks], walks


def _check(goes_on: bool) -> None:
    if not goes_on:
        raise Stopped
