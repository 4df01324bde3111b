"""Tests whose walks run inside compiled kernels, on every core."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from ..common.checks import check_open_interval
from ..common.parallel import Kernel, run_chunks
from ..common.progress import Stopped, Tick, silent
from ..common.validation import validated
from ..kernels.ci.results import CIResults, empty_results
from .base import CIResult, CITest, checked_members
from .memory import CIMemory
from .walks import Walks

MOST_LIGHT = 2_000  # tests of a walk that is over before anybody could want to stop it
FIRST_WALKS = 4  # at least, before one sees how long they take


class CompiledTest(CITest):
    """A test given by kernels on a sample.

    Attributes
    ----------
    deciding : tuple of str
        Settings that decide which tests are done, and change none that is: they share a memory.
    """

    deciding: tuple[str, ...] = ()

    def __init__(self, names: tuple[str, ...], threads: int | None) -> None:
        self.names = names
        self.n_tests = 0
        self.rows_vary = False
        self._threads = threads
        self._first_tests = 0
        self._noted: list[np.ndarray] = []
        self._range: tuple[int, int] | None = None
        self._memory: CIMemory | None = None

    def remember_in(self, memory: CIMemory) -> None:
        """Do no test again that `memory` knows, where this kind of test can be remembered; results stay the same."""
        memory.leave_out()

    @abstractmethod
    def _decide(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        """(ln p, statistic, dof, tested) of one test."""

    @abstractmethod
    def _kernel(self, walks: Walks, log_alpha: float, results: CIResults) -> Kernel:
        """The kernel for this kind of walks, with working memory of its own for each thread that asks."""

    def _recalls(self, walks: Walks) -> bool:
        """Whether the memory hears at which levels such walks end alike."""
        return walks.single

    def _cells(self, walks: Walks) -> np.ndarray:
        """By how many cells the power rule judges each of some walks that are one test; 0 without such a rule."""
        return np.zeros(len(walks))

    def _before_many(self, phase: str, tick: Tick) -> None:
        """Prepare what pays off only when many pairs are tested."""

    @validated
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Test x and y given `cond`."""
        members = np.array(checked_members(self.p, x, y, cond), dtype=np.int32)
        self.n_tests += 1
        log_p, statistic, dof, tested = self._decide(x, y, members)
        n = int(self._noted[-1][0]) if self._noted else None
        self._fold_rows()
        return CIResult(statistic, dof, log_p, math.exp(log_p), tested, n)

    def separate(self, walks: Walks, alpha: float, *, phase: str = "", tick: Tick = silent) -> CIResults:
        """As `CITest.separate`, with the same results for any number of threads."""
        check_open_interval("alpha", alpha, 0.0, 1.0)
        if not len(walks):
            return empty_results(0, walks.width, rows_vary=self.rows_vary)
        log_alpha = math.log(alpha)
        self._before_many(phase, tick)
        request = walks.request if self._memory and self._recalls(walks) else None
        if request and (known := self._memory.walked(request, log_alpha)) is not None:
            self.n_tests += known.n_tests
            return known.results
        most = walks.most_tests
        results = empty_results(len(walks), walks.width, rows_vary=self.rows_vary)

        def telling(phase: str, done: int, total: int) -> bool:
            return tick(f"{phase}, {self.n_tests + int(results.n_tests.sum()):,} tests", done, total)

        try:
            run_chunks(
                lambda: self._kernel(walks, log_alpha, results),
                len(walks),
                phase=phase,
                tick=telling,
                threads=self._threads,
                light=most < MOST_LIGHT,
                first=max(FIRST_WALKS, self._first_tests // max(most, 1)),
            )
        except Stopped:
            raise Stopped(results) from None
        finally:
            self.n_tests += int(results.n_tests.sum())
            self._fold_rows()
        if request:
            self._memory.walk(request, results, log_alpha, self._cells(walks) if walks.single else None)
        return results

    def _rows_noted(self) -> np.ndarray:
        """(3,) int64 for one thread to note rows in: those of the last test, the fewest and the most."""
        rows = np.array([0, np.iinfo(np.int64).max, -1])
        if self.rows_vary:
            self._noted.append(rows)
        return rows

    def share_rows_with(self, other: CompiledTest) -> None:
        """Let another test, which does this one's work for it, see the rows noted."""
        other.rows_vary, other._noted = self.rows_vary, self._noted

    def count_as_own(self, other: CompiledTest) -> None:
        """As `CITest.count_as_own`."""
        super().count_as_own(other)
        known = [rows for rows in (self._range, other._range) if rows]
        self._range = (min(few for few, _ in known), max(many for _, many in known)) if known else None

    def _fold_rows(self) -> None:
        """Forget what single threads noted, once it is part of `rows_used`."""
        if self._noted:
            self._range = self.rows_used
            self._noted.clear()

    @property
    def rows_used(self) -> tuple[int, int] | None:
        """See `CITest`."""
        noted = [rows[1:].tolist() for rows in self._noted if rows[2] >= 0]
        noted += [list(self._range)] if self._range else []
        if not noted:
            return None
        fewest, most = zip(*noted, strict=True)
        return min(fewest), max(most)
