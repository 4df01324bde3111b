"""Tests whose walks run inside compiled kernels, on every core."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from ..common.parallel import Kernel, in_pieces
from ..common.progress import Stopped, Tick, silent
from ..kernels.tests.pair_pools import PairPools
from ..kernels.tests.questions import Answers, Questions
from ..kernels.tests.separation import Outcome
from .base import CIResult, CITest, empty_outcome, no_answers
from .pools import Pools

MOST_LIGHT = 2_000  # tests of a walk that is over before anybody could want to stop it


class CompiledTest(CITest):
    """A test given by kernels on a sample."""

    def __init__(self, names: tuple[str, ...], threads: int | None) -> None:
        self.names = names
        self.n_tests = 0
        self._threads = threads

    @abstractmethod
    def _judge(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        """(ln p, statistic, dof, tested) of one test."""

    @abstractmethod
    def _start(self, edges: np.ndarray, adjacency: np.ndarray, log_alpha: float, outcome: Outcome) -> Kernel:
        """What one thread runs over pieces of the edges."""

    @abstractmethod
    def _start_by_new(self, edges: np.ndarray, pools: Pools, log_alpha: float, outcome: Outcome) -> Kernel:
        """The same, given the sets that pools newly offer."""

    @abstractmethod
    def _start_pools(
        self, edges: np.ndarray, pools: PairPools, skip: np.ndarray, log_alpha: float, outcome: Outcome
    ) -> Kernel:
        """The same, given a pool for each edge."""

    @abstractmethod
    def _start_questions(self, questions: Questions, answers: Answers) -> Kernel:
        """The same over walks of tests with sets of their own."""

    def _before_many(self, phase: str, tick: Tick) -> None:
        """Prepare what pays off only when many pairs are tested."""

    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Test x and y given `cond`."""
        members = np.array(self._members(x, y, cond), dtype=np.int32)
        self.n_tests += 1
        log_p, statistic, dof, tested = self._judge(x, y, members)
        return CIResult(statistic, dof, log_p, math.exp(log_p), tested)

    def separate_edges(
        self,
        edges: np.ndarray,
        adjacency: np.ndarray,
        size: int,
        alpha: float,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> Outcome:
        """As `CITest.separate_edges`, with the same result for any number of threads."""
        outcome = empty_outcome(len(edges), size)
        if len(edges) == 0:
            return outcome
        edges = np.ascontiguousarray(edges, dtype=np.int64)
        adjacency = np.ascontiguousarray(adjacency, dtype=bool)
        log_alpha = math.log(alpha)
        self._before_many(phase, tick)

        def start() -> Kernel:
            return self._start(edges, adjacency, log_alpha, outcome)

        most_sets = 2 * math.comb(int(adjacency.sum(axis=1).max()), size)
        self._walk(start, outcome, phase, tick, light=most_sets < MOST_LIGHT)
        return outcome

    def separate_by_new(
        self,
        edges: np.ndarray,
        pools: Pools,
        max_size: int,
        alpha: float,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> Outcome:
        """As `CITest.separate_by_new`, with the same result for any number of threads."""
        outcome = empty_outcome(len(edges), max_size)
        if len(edges) == 0:
            return outcome
        edges = np.ascontiguousarray(edges, dtype=np.int64)
        log_alpha = math.log(alpha)
        self._before_many(phase, tick)

        def start() -> Kernel:
            return self._start_by_new(edges, pools, log_alpha, outcome)

        self._walk(start, outcome, phase, tick, light=pools.most_new(max_size) < MOST_LIGHT)
        return outcome

    def separate_pools(
        self,
        edges: np.ndarray,
        pools: PairPools,
        skip: np.ndarray,
        size: int,
        alpha: float,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> Outcome:
        """As `CITest.separate_pools`, with the same result for any number of threads."""
        outcome = empty_outcome(len(edges), size)
        if len(edges) == 0:
            return outcome
        edges = np.ascontiguousarray(edges, dtype=np.int64)
        skip = np.ascontiguousarray(skip, dtype=bool)
        log_alpha = math.log(alpha)
        self._before_many(phase, tick)

        def start() -> Kernel:
            return self._start_pools(edges, pools, skip, log_alpha, outcome)

        most_sets = math.comb(int(np.diff(pools.begin).max()), size)
        self._walk(start, outcome, phase, tick, light=most_sets < MOST_LIGHT)
        return outcome

    def answer(self, questions: Questions, *, phase: str = "", tick: Tick = silent) -> Answers:
        """As `CITest.answer`, with the same result for any number of threads."""
        answers = no_answers(len(questions.begin_of) - 1)
        if len(answers.at) == 0:
            return answers
        self._before_many(phase, tick)

        def start() -> Kernel:
            return self._start_questions(questions, answers)

        self._walk(start, answers, phase, tick, light=int(np.diff(questions.begin_of).max()) < MOST_LIGHT)
        return answers

    def _walk(
        self, start: Callable[[], Kernel], outcome: Outcome | Answers, phase: str, tick: Tick, *, light: bool
    ) -> None:
        """Run a walk over the rows of `outcome` in pieces, telling the tests done, and count them."""

        def telling(phase: str, done: int, total: int) -> bool:
            tests = self.n_tests + int(outcome.n_tests.sum())
            return tick(f"{phase}, {tests:,} tests", done, total)

        try:
            in_pieces(start, len(outcome.n_tests), phase=phase, tick=telling, threads=self._threads, light=light)
        except Stopped:
            raise Stopped(outcome) from None
        finally:
            self.n_tests += int(outcome.n_tests.sum())
