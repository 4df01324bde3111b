"""Tests that HPC reacts to a cancellation at once, however many columns there are."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from benchmarks.silences import P, columns
from learners import G2, FisherZ, hpc
from learners.families.h2pc.tester import ResultCache
from learners.independence.ci_test import CITest
from learners.independence.set_search import BatchSearch

CALLS, WALKS = 100_000, 25_000  # maximum numbers of calls and searches between two ticks, about 40 ms each
ENOUGH = 1_000_000  # number of tests after which the run is cancelled
PHASES = {"partners", "spouses", "targets"}


def ci_test(kind: str, p: int = P) -> CITest:
    """Return a test of `p` columns."""
    data = columns(kind, p)
    return FisherZ(data, threads=1) if kind == "continuous" else G2(data, rows_per_cell=5, threads=1)


class Listener:
    """Record the maximum work between two ticks in units that do not depend on the machine.

    The units are calls of Python functions and searches of a batch. The kernels that run the tests of a search can be
    stopped; those that prepare and evaluate the batch cannot.
    """

    def __init__(self, test: CITest) -> None:
        self.test = test
        self.most_calls = self.most_walks = 0
        self.phases: set[str] = set()
        self._calls = self._walks = 0

    def called(self, *_event: object) -> None:
        """Count calls, as a profiler for `sys.setprofile`."""
        self._calls += 1

    def asked(self, batch: BatchSearch) -> None:
        """Count the searches of a batch."""
        self._walks += len(batch)

    def __call__(self, phase: str, _done: int, _total: int) -> bool:
        self.most_calls, self._calls = max(self.most_calls, self._calls), 0
        if phase in PHASES:
            self.phases.add(phase)
            self.most_walks, self._walks = max(self.most_walks, self._walks), 0
        return self.test.n_tests < ENOUGH


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
@pytest.mark.parametrize("p", [100, P])
def test_many_columns_are_searched_with_little_work_between_ticks(kind, p, monkeypatch):
    """Runs with 100 columns (complete) and with 1000 columns (cancelled early) do little work between two ticks."""
    hpc(ci_test(kind, 40))  # compiles the kernels
    test = ci_test(kind, p)
    listener, separate = Listener(test), ResultCache.separate

    def heard(self: ResultCache, asked: CITest, batch: BatchSearch, *given: Any, **named: Any) -> object:
        listener.asked(batch)
        return separate(self, asked, batch, *given, **named)

    monkeypatch.setattr(ResultCache, "separate", heard)
    sys.setprofile(listener.called)
    try:
        result = hpc(test, tick=listener)
    finally:
        sys.setprofile(None)
    assert result.complete == (p < P)
    assert listener.phases == PHASES or p == P
    assert 0 < listener.most_calls <= CALLS
    assert 0 < listener.most_walks <= WALKS
