"""Who does the tests of HPC's searches: it remembers them, counts them, and hears a cancel."""

from __future__ import annotations

import numpy as np

from ..common.progress import Stopped, Tick
from ..independence import Batch, CITest
from ..kernels.tests.results import TestResults
from .memory import Memory
from .requests import UNTESTED, Rules


class Tester:
    """Tests, for the searches of some targets.

    Parameters
    ----------
    ci_test, rules
        Who tests, and when a walk ends.
    memory : Memory
        What was tested before.
    n_tests : (p, p) int64 array
        Raised by the tests done; row is the target, column whom it was about.
    """

    def __init__(self, ci_test: CITest, rules: Rules, memory: Memory, n_tests: np.ndarray) -> None:
        self.ci_test = ci_test
        self.rules = rules
        self._memory = memory
        self._n_tests = n_tests

    def separate(
        self, batch: Batch, targets: np.ndarray, about: np.ndarray, phase: str, tick: Tick
    ) -> tuple[np.ndarray, TestResults]:
        """(m,) ln p of each walk, `UNTESTED` where the rows did not suffice, and all results.

        `targets` and `about` (m,) say for which search each is done, and the node for whose sake.

        Raises
        ------
        Stopped
            If cancelled.
        """
        check(tick(phase, 0, 0))
        try:
            results = self._memory.separate(self.ci_test, batch, self.rules.alpha, phase=phase, tick=tick)
        except Stopped as stopped:
            np.add.at(self._n_tests, (targets, about), stopped.partial.n_tests)
            raise
        np.add.at(self._n_tests, (targets, about), results.n_tests)
        check(tick(phase, 0, 0))
        return np.where(results.tested, results.log_p, UNTESTED), results


def check(goes_on: bool) -> None:
    """Raise `Stopped` unless it goes on."""
    if not goes_on:
        raise Stopped
