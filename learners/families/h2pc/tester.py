"""The tests of HPC's searches: cached, counted and cancellable."""

from __future__ import annotations

import numpy as np

from ...common.progress import Stopped, Tick
from ...independence.ci_test import CITest
from ...independence.set_search import BatchSearch
from ...kernels.ci.results import CIResults, empty_results
from ...kernels.h2pc.result_cache import ResultTable, distribute_results, fill_sources
from .requests import UNTESTED, HPCRules

SLOTS = 1 << 20  # number of cached results; a new result replaces the older one in its slot
MIN_BATCH = 128  # smaller batches are not looked up in the cache


class ResultCache:
    """Cached results of single conditional tests, keyed by a hash of the pair and the set.

    The searches around the two variables of a pair often request the same test.

    Parameters
    ----------
    p : int
        Number of variables.
    slots : int, optional
        Number of cached results. It changes how many tests are done, not what a search finds.
    """

    def __init__(self, p: int, slots: int = SLOTS) -> None:
        # The hash is a sum of random numbers: symmetric in the pair, with a collision probability of 2 ** -64.
        rng = np.random.default_rng(0)
        self._of_end, self._of_member = (rng.integers(1, 2**64, size=p, dtype=np.uint64) for _ in range(2))
        self._cached = empty_table(slots)

    def separate(self, ci_test: CITest, batch: BatchSearch, alpha: float, *, phase: str, tick: Tick) -> CIResults:
        """Work like ``ci_test.separate``; do not count results from the cache or repeated in the batch.

        Raises
        ------
        Stopped
            If cancelled; its `partial` has the numbers of tests done so far.
        """
        keys, source = self._keys_of(batch), np.empty(len(batch), dtype=np.int64)
        fill_sources(keys, self._cached, source)
        is_new = source == np.arange(len(batch))
        results = empty_results(len(batch), batch.width)
        try:
            done = ci_test.separate(batch.rows(is_new), alpha, phase=phase, tick=tick)
        except Stopped as stopped:
            results.n_tests[is_new] = stopped.partial.n_tests
            raise Stopped(results) from None
        batch.fill_bases(results.cond)
        distribute_results(keys, self._cached, source, done, results)
        return results

    def _keys_of(self, batch: BatchSearch) -> np.ndarray:
        """Return (m,) uint64: a hash for each test given only a base; 0 for other tests and in small batches."""
        if len(batch) < MIN_BATCH:
            return np.zeros(len(batch), dtype=np.uint64)
        before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(self._of_member[batch.bases.members])])
        of_set = before[batch.bases.begin[1:]] - before[batch.bases.begin[:-1]]
        of_pair = self._of_end[batch.pairs[:, 0]] + self._of_end[batch.pairs[:, 1]]
        return np.where(batch.sizes == 0, of_pair + of_set, np.uint64(0))


def empty_table(slots: int) -> ResultTable:
    """Return a table without results."""
    return ResultTable(
        row_of=np.zeros(slots, dtype=np.int32),
        used=np.zeros(1, dtype=np.int64),
        keys=np.zeros(slots + 1, dtype=np.uint64),
        log_p=np.empty(slots + 1),
        statistic=np.empty(slots + 1),
        dof=np.empty(slots + 1),
        tested=np.empty(slots + 1, dtype=np.bool_),
    )


class Tester:
    """Tests for the searches around several targets.

    Parameters
    ----------
    ci_test : CITest
    rules : HPCRules
    cache : ResultCache
    n_tests : (p, p) int64 array
        Number of tests by target (row) and node they are about (column); incremented by each test.
    """

    def __init__(self, ci_test: CITest, rules: HPCRules, cache: ResultCache, n_tests: np.ndarray) -> None:
        self.ci_test = ci_test
        self.rules = rules
        self._cache = cache
        self._n_tests = n_tests

    def separate(
        self, batch: BatchSearch, targets: np.ndarray, about: np.ndarray, phase: str, tick: Tick
    ) -> tuple[np.ndarray, CIResults]:
        """Run the tests of a batch.

        Parameters
        ----------
        batch : BatchSearch
        targets, about : (m,) int64 arrays
            Target of the search, and node that the test is about.
        phase, tick
            Progress.

        Returns
        -------
        log_p : (m,) float64 array
            `UNTESTED` where there were too few rows.
        results : CIResults

        Raises
        ------
        Stopped
            If cancelled.
        """
        check(tick(phase, 0, 0))
        try:
            results = self._cache.separate(self.ci_test, batch, self.rules.alpha, phase=phase, tick=tick)
        except Stopped as stopped:
            np.add.at(self._n_tests, (targets, about), stopped.partial.n_tests)
            raise
        np.add.at(self._n_tests, (targets, about), results.n_tests)
        check(tick(phase, 0, 0))
        return np.where(results.tested, results.log_p, UNTESTED), results


def check(continues: bool) -> None:
    """Raise Stopped if the listener has cancelled the run."""
    if not continues:
        raise Stopped
