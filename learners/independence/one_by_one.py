"""Tests of categorical data that are dear, so that their walks ask them one by one, on every core."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import combinations, takewhile

import numpy as np

from ..common.parallel import Kernel
from ..common.progress import Tick
from ..kernels.tests.pair_pools import PairPools
from ..kernels.tests.questions import Answers, Questions, fold
from ..kernels.tests.separation import Outcome
from .base import conditioning_sets
from .g2 import G2
from .pools import Pools


class OneByOne(G2):
    """A test that is given by `_judge` alone."""

    def _before_many(self, phase: str, tick: Tick) -> None:
        """Nothing to prepare."""

    def _start(self, edges: np.ndarray, adjacency: np.ndarray, log_alpha: float, outcome: Outcome) -> Kernel:
        size = outcome.cond.shape[1]
        return self._walking(edges, lambda _, x, y: conditioning_sets(adjacency, x, y, size), log_alpha, outcome)

    def _start_by_new(self, edges: np.ndarray, pools: Pools, log_alpha: float, outcome: Outcome) -> Kernel:
        most = outcome.cond.shape[1]
        return self._walking(edges, lambda _, x, __: pools.new_sets(x, most), log_alpha, outcome)

    def _start_pools(
        self, edges: np.ndarray, pools: PairPools, skip: np.ndarray, log_alpha: float, outcome: Outcome
    ) -> Kernel:
        size = outcome.cond.shape[1]

        def sets_of(e: int, _x: int, _y: int) -> Iterator[tuple[int, ...]]:
            pool = pools.members[pools.begin[e] : pools.begin[e + 1]].tolist()
            return (cond for cond in combinations(pool, size) if not skip[e][:, cond].all(axis=1).any())

        return self._walking(edges, sets_of, log_alpha, outcome)

    def _walking(self, edges: np.ndarray, sets_of, log_alpha: float, outcome: Outcome) -> Kernel:  # noqa: ANN001
        """Walk the sets of each edge, as `CITest` does."""
        asked = copy.copy(self)  # its count of tests is its own: threads share nothing

        def kernel(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            for e in range(begin, end):
                x, y = edges[e].tolist()
                sets = takewhile(lambda _: not stop[0], sets_of(e, x, y))
                asked._walk_sets(x, y, sets, log_alpha, outcome, e)
                if stop[0]:
                    return
                done[0] += 1

        return kernel

    def _start_questions(self, questions: Questions, answers: Answers) -> Kernel:
        def kernel(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            for w in range(begin, end):
                first, last = questions.begin_of[w : w + 2].tolist()
                for q in range(first, last):
                    cond = questions.members[questions.ends[q] : questions.ends[q + 1]]
                    told = self._judge(int(questions.x[q]), int(questions.y[q]), cond)
                    if stop[0] or fold(questions.log_alpha, questions.skip, answers, w, q - first, *told):
                        break
                if stop[0]:
                    return
                done[0] += 1

        return kernel
