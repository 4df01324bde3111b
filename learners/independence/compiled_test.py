"""Tests whose searches run in compiled kernels, on all cores."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..common.parallel import Kernel, run_chunks_per_thread
from ..common.progress import Stopped, Tick, silent
from ..common.validation import validated
from ..kernels.ci.generic_search import (
    generic_batch_search,
    generic_level_search,
    generic_new_set_search,
    generic_pool_search,
)
from ..kernels.ci.results import CIResults, empty_results
from ..settings.shared import ALPHA
from .ci_cache import CIMemory
from .ci_test import CIResult, CITest, check_members
from .set_search import BatchSearch, LevelSearch, NewSetSearch, PoolSearch, SetSearch

MAX_LIGHT_TESTS = 2_000  # maximum number of tests of a search that is too short to be cancelled
MIN_FIRST_SEARCHES = 4  # minimum number of searches before their duration is measured


class CompiledTest(CITest):
    """A test that kernels compute from a sample.

    Attributes
    ----------
    deciding : tuple of str
        Settings that decide which tests are done but change no result: runs that differ only in them share a
        `CIMemory`.
    """

    deciding: tuple[str, ...] = ()

    def __init__(self, names: tuple[str, ...], threads: int | None) -> None:
        self.names = names
        self.n_tests = 0
        self.rows_vary = False
        self._threads = threads
        self._first_tests = 0
        self._row_counts: list[np.ndarray] = []
        self._range: tuple[int, int] | None = None
        self._memory: CIMemory | None = None

    def remember_in(self, memory: CIMemory) -> None:
        """Look up tests in `memory` if this kind of test can be cached; results do not change."""
        memory.leave_out()

    @abstractmethod
    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        """Perform one test; return (ln p, statistic, degrees of freedom, tested)."""

    @abstractmethod
    def _kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        """Return the kernel for this kind of searches, with working memory for one thread."""

    def _is_cached(self, searches: SetSearch) -> bool:
        """Return True if the cache stores the significance levels at which these searches end in the same way."""
        return searches.single

    def _cells(self, searches: SetSearch) -> np.ndarray:
        """Return the number of cells of each single-test search, for the power rule; 0 without a power rule."""
        return np.zeros(len(searches))

    def _prepare(self, phase: str, tick: Tick) -> None:
        """Precompute tables that pay off only for many pairs."""

    @validated
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Test x and y given `cond`."""
        members = np.array(check_members(self.p, x, y, cond), dtype=np.int32)
        self.n_tests += 1
        log_p, statistic, dof, tested = self._compute(x, y, members)
        n = int(self._row_counts[-1][0]) if self._row_counts else None
        self._collect_rows()
        return CIResult(statistic, dof, log_p, math.exp(log_p), tested, n)

    def separate(self, searches: SetSearch, alpha: float, *, phase: str = "", tick: Tick = silent) -> CIResults:
        """Search like `CITest.separate`, with the same results for any number of threads."""
        ALPHA.check(alpha)
        n_searches = len(searches.pairs)
        if not n_searches:
            return empty_results(0, searches.width, rows_vary=self.rows_vary)
        log_alpha = math.log(alpha)
        self._prepare(phase, tick)
        request = searches.request if self._memory and self._is_cached(searches) else None
        if request and (known := self._memory.find_searches(request, log_alpha)) is not None:
            self.n_tests += known.n_tests
            return known.results
        most = searches.max_tests
        results = empty_results(n_searches, searches.width, rows_vary=self.rows_vary)

        def telling(phase: str, done: int, total: int) -> bool:
            return tick(f"{phase}, {self.n_tests + int(results.n_tests.sum()):,} tests", done, total)

        try:
            run_chunks_per_thread(
                partial(self._kernel, searches, log_alpha, results),
                n_searches,
                phase=phase,
                tick=telling,
                threads=self._threads,
                light=most < MAX_LIGHT_TESTS,
                first=max(MIN_FIRST_SEARCHES, self._first_tests // max(most, 1)),
            )
        except Stopped:
            raise Stopped(results) from None
        finally:
            self.n_tests += int(results.n_tests.sum())
            self._collect_rows()
        if request:
            self._memory.store_searches(request, results, log_alpha, self._cells(searches) if searches.single else None)
        return results

    def _row_counter(self) -> np.ndarray:
        """Return (3,) int64 where one thread records numbers of rows: of the last test, the minimum and the maximum."""
        rows = np.array([0, np.iinfo(np.int64).max, -1])
        if self.rows_vary:
            self._row_counts.append(rows)
        return rows

    def share_rows_with(self, other: CompiledTest) -> None:
        """Share the recorded rows with another test that delegates its work to this one."""
        other.rows_vary, other._row_counts = self.rows_vary, self._row_counts

    def count_as_own(self, other: CompiledTest) -> None:
        """See `CITest.count_as_own`."""
        super().count_as_own(other)
        known = [rows for rows in (self._range, other._range) if rows]
        self._range = (min(few for few, _ in known), max(many for _, many in known)) if known else None

    def _collect_rows(self) -> None:
        """Merge the records of all threads into `rows_used`."""
        if self._row_counts:
            self._range = self.rows_used
            self._row_counts.clear()

    @property
    def rows_used(self) -> tuple[int, int] | None:
        """See `CITest`."""
        noted = [rows[1:].tolist() for rows in self._row_counts if rows[2] >= 0]
        noted += [list(self._range)] if self._range else []
        if not noted:
            return None
        fewest, most = zip(*noted, strict=True)
        return min(fewest), max(most)


def generic_kernel(sample: Any, scratch: Any, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
    """Return the kernel that runs these searches with the test of the sample's type, for one thread.

    Parameters
    ----------
    sample, scratch : tuples of arrays
        As `kernels.ci.any_test.decide` takes them.
    searches : SetSearch
    log_alpha : float
    results : CIResults
        Filled by the kernel.
    """
    match searches:
        case LevelSearch(adjacency=adjacency):
            sets, kernel = (adjacency, *searches.lists), generic_level_search
        case NewSetSearch(pools=pools, width=width):
            sets, kernel = (*pools, width), generic_new_set_search
        case PoolSearch(pools=pools, skip=skip):
            sets, kernel = (*pools, skip), generic_pool_search
        case BatchSearch(bases=bases, pools=pools, sizes=sizes, skips_untested=skips):
            sets, kernel = (*bases, *pools, sizes, skips), generic_batch_search
    given, rest = (sample, searches.pairs), (log_alpha, results, scratch)
    return lambda begin, end, stop, done: kernel(*given, begin, end, *sets, *rest, stop, done)
