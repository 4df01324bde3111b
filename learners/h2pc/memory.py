"""Results of tests, so that a test that comes again, around whichever of its two variables, is not done again."""

from __future__ import annotations

import numpy as np

from ..common.progress import Stopped, Tick
from ..independence import Batch, CITest
from ..kernels.h2pc.answers import Answers, fill_sources, hand_on
from ..kernels.tests.results import TestResults, empty_results

SLOTS = 1 << 20  # results kept; a newer one takes the place of an older one in its slot
FEW = 128  # walks, none of which are looked up


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
        self._kept = Answers(
            keys=np.zeros(slots, dtype=np.uint64),
            log_p=np.empty(slots),
            statistic=np.empty(slots),
            dof=np.empty(slots),
            tested=np.empty(slots, dtype=np.bool_),
        )

    def separate(self, ci_test: CITest, batch: Batch, alpha: float, *, phase: str, tick: Tick) -> TestResults:
        """As ``ci_test.separate``; what is remembered, or asked twice at once, counts as no test.

        Raises
        ------
        Stopped
            If cancelled; its `partial` has the walks done so far.
        """
        keys, source = self._keys_of(batch), np.empty(len(batch), dtype=np.int64)
        fill_sources(keys, self._kept, source)
        asked = source == np.arange(len(batch))
        results = empty_results(len(batch), batch.width)
        try:
            done = ci_test.separate(batch.rows(asked), alpha, phase=phase, tick=tick)
        except Stopped as stopped:
            results.n_tests[asked] = stopped.partial.n_tests
            raise Stopped(results) from None
        batch.fill_bases(results.cond)
        hand_on(keys, self._kept, source, done, results)
        return results

    def _keys_of(self, batch: Batch) -> np.ndarray:
        """(m,) uint64: a number for each test given a base, 0 for other walks, and where there are few."""
        if len(batch) < FEW:
            return np.zeros(len(batch), dtype=np.uint64)
        before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(self._of_member[batch.bases.members])])
        of_set = before[batch.bases.begin[1:]] - before[batch.bases.begin[:-1]]
        of_pair = self._of_end[batch.pairs[:, 0]] + self._of_end[batch.pairs[:, 1]]
        return np.where(batch.sizes == 0, of_pair + of_set, np.uint64(0))
