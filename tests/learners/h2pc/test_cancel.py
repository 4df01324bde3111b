"""A cancel of HPC is heard at once, however many columns there are."""

from __future__ import annotations

import sys

import pytest

from benchmarks.silences import P, columns
from learners import G2, FisherZ, hpc
from learners.independence import CITest

CALLS, TESTS = 100_000, 50_000  # between two ticks: some 40 ms each
ENOUGH = 1_000_000  # tests, then the run is cancelled: all phases of the first targets


def ci_test(kind: str, p: int = P) -> CITest:
    """The test of a thousand columns, unless said."""
    data = columns(kind, p)
    return FisherZ(data, threads=1) if kind == "continuous" else G2(data, rows_per_cell=5, threads=1)


class Listener:
    """Notes the most work between two ticks: tests answered, and calls of Python; both are the same on any machine."""

    def __init__(self, test: CITest) -> None:
        self.test = test
        self.most_calls = self.most_tests = 0
        self._calls = 0
        self._before: int | None = None  # tests at the tick before; those of all pairs count as one, at their end

    def called(self, *_event: object) -> None:
        """A profiler for `sys.setprofile`."""
        self._calls += 1

    def __call__(self, phase: str, _done: int, _total: int) -> bool:
        self.most_calls, self._calls = max(self.most_calls, self._calls), 0
        if phase == "targets":
            answered = self.test.n_tests - (self.test.n_tests if self._before is None else self._before)
            self.most_tests, self._before = max(self.most_tests, answered), self.test.n_tests
        return self.test.n_tests < ENOUGH


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
def test_a_thousand_columns_are_searched_with_little_work_between_ticks(kind):
    hpc(ci_test(kind, 8))  # compiles
    test = ci_test(kind)
    listener = Listener(test)
    sys.setprofile(listener.called)
    try:
        result = hpc(test, tick=listener)
    finally:
        sys.setprofile(None)
    assert not result.complete
    assert 0 < listener.most_calls <= CALLS
    assert 0 < listener.most_tests <= TESTS
