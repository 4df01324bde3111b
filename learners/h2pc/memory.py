"""Results of tests, so that a test that comes again, around whichever of its two variables, is not done again."""

from __future__ import annotations

import numpy as np

from ..common.progress import Stopped, Tick
from ..independence import Batch, CITest
from ..kernels.tests.results import TestResults, empty_results

SLOTS = 1 << 20  # results kept; a newer one takes the place of an older one in its slot
FEW = 128  # walks, for which looking up takes longer than testing
KEPT = ("log_p", "statistic", "dof", "tested")


class Memory:
    """Results of walks with a single set, by a number made of the pair and its set.

    Parameters
    ----------
    p : int
        Variables.
    slots : int, optional
        Results kept. What a search finds is the same for any number, its count of tests is not.
    """

    def __init__(self, p: int, slots: int = SLOTS) -> None:
        # A sum of random numbers: the same for x, y and y, x, and for other requests by chance of one in 2 ** 64.
        rng = np.random.default_rng(0)
        self._of_end, self._of_member = (rng.integers(1, 2**64, size=p, dtype=np.uint64) for _ in range(2))
        self._keys = np.zeros(slots, dtype=np.uint64)  # 0 where nothing is kept
        self._kept = {name: np.empty(slots, dtype=getattr(empty_results(0, 0), name).dtype) for name in KEPT}

    def separate(self, ci_test: CITest, batch: Batch, alpha: float, *, phase: str, tick: Tick) -> TestResults:
        """As ``ci_test.separate``; what is remembered, or asked twice at once, counts as no test.

        Raises
        ------
        Stopped
            If cancelled; its `partial` has the walks done so far.
        """
        if len(batch) < FEW:
            return ci_test.separate(batch, alpha, phase=phase, tick=tick)
        single = batch.sizes == 0
        keys = self._keys_of(batch)
        slots = (keys % np.uint64(len(self._keys))).astype(np.int64)
        known = single & (self._keys[slots] == keys)
        unknown = np.flatnonzero(single & ~known)
        _, first, twin = np.unique(keys[unknown], return_index=True, return_inverse=True)
        asked = ~single
        asked[unknown[first]] = True
        results = empty_results(len(batch), batch.width)
        try:
            done = ci_test.separate(batch.rows(asked), alpha, phase=phase, tick=tick)
        except Stopped as stopped:
            results.n_tests[asked] = stopped.partial.n_tests
            raise Stopped(results) from None
        batch.fill_bases(results.cond)
        results.cond[asked, : done.cond.shape[1]] = done.cond
        results.n_tests[asked] = done.n_tests
        for name, kept in self._kept.items():
            column = getattr(results, name)
            column[asked] = getattr(done, name)
            column[unknown] = column[unknown[first]][twin]
            column[known] = kept[slots[known]]
            kept[slots[unknown]] = column[unknown]
        self._keys[slots[unknown]] = keys[unknown]
        return results

    def _keys_of(self, batch: Batch) -> np.ndarray:
        """(m,) uint64: a number for each test given a base."""
        before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(self._of_member[batch.bases.members])])
        of_set = before[batch.bases.begin[1:]] - before[batch.bases.begin[:-1]]
        return self._of_end[batch.pairs].sum(axis=1) + of_set
