"""Expensive tests of categorical data: their walks do one test after the other, on every core."""

from __future__ import annotations

import copy
from abc import abstractmethod
from itertools import takewhile
from typing import Any

import numpy as np

from ..common.errors import DataError
from ..common.memory import check_table_memory
from ..common.parallel import Kernel
from ..common.progress import Tick
from ..data.dataset import Dataset
from ..kernels.ci.results import CIResults
from .g2 import G2
from .memory import CIMemory
from .walks import Walks

MOST_REMEMBERED = 200_000  # tests


class OneByOne(G2):
    """A test that is given by `_decide_counted` alone, from whole tables of two variables without holes."""

    deciding = ()  # what it remembers of a test says whether it was done

    def __init__(self, dataset: Dataset, **options: Any) -> None:
        super().__init__(dataset, **options)
        if dataset.surveyed:
            raise DataError("this test counts whole rows, found survey weights; use G², which weighs rows")
        check_table_memory(dataset.names, dataset.arity)

    def _decide(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if self.dataset.complete:
            return self._remembered(x, y, cond)
        rows = self._rows_noted()
        part = self.dataset.available((x, y, *cond.tolist()))
        rows[:] = part.n
        if not part.n:
            return 0.0, 0.0, 0.0, False
        return self._on(part)._decide_counted(0, 1, np.arange(2, 2 + len(cond), dtype=np.int32))

    def remember_in(self, memory: CIMemory) -> None:
        """As `CompiledTest.remember_in`, on as many threads as ever."""
        memory.leave_out()
        self._memory = memory

    def _recalls(self, walks: Walks) -> bool:  # noqa: ARG002
        return False  # its tests are remembered one by one, and nobody hears at which levels they end alike

    def _remembered(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if self._memory is None:
            return self._decide_counted(x, y, cond)
        known, key = self._memory.tables, (x, y, *cond.tolist())
        if key in known:
            return known[key]
        result = self._decide_counted(x, y, cond)
        if len(known) < MOST_REMEMBERED:
            known[key] = result
        return result

    @abstractmethod
    def _on(self, dataset: Dataset) -> OneByOne:
        """The same test of other data."""

    @abstractmethod
    def _decide_counted(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        """As `CompiledTest._decide`, every row having all."""

    def _before_many(self, phase: str, tick: Tick) -> None:
        """Nothing to prepare."""

    def _kernel(self, walks: Walks, log_alpha: float, results: CIResults) -> Kernel:
        """The walks of `CITest.separate`, which end early once `stop` is set."""
        own = copy.copy(self)  # its counts are its own: threads share nothing
        own._noted, own._range = [], None

        def kernel(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            for e in range(begin, end):
                own._walk(walks, e, takewhile(lambda _: not stop[0], walks.sets(e)), log_alpha, results)
                if stop[0]:
                    break
                done[0] += 1
            if own.rows_used:
                self._noted.append(np.array([0, *own.rows_used]))

        return kernel
