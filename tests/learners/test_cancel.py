"""Tests that every learner reacts to a cancellation quickly, whatever the number of columns.

Work is counted in Python calls, which are the same on any machine. `python -m benchmarks gate cancel` measures the
seconds, including the time in kernels.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from benchmarks.silences import CASES, columns
from learners import LearnResult, learn

CALLS = 100_000  # maximum number of calls between two ticks, about 40 ms
END_CALLS = 1_000_000  # maximum number of calls from the cancellation to the result
ENOUGH = 300_000  # number of calls after which the run is cancelled
TICKS = 50  # number of ticks after which the run is also cancelled


class Listener:
    """Count calls of Python functions between two ticks, and cancel after enough of them."""

    def __init__(self) -> None:
        self.most = self.since = self.total = self.ticks = 0
        self.phase = "the beginning"
        self.cancelled = False

    def called(self, *_event: object) -> None:
        """Count a call, as a profiler for `sys.setprofile`."""
        self.since += 1

    def __call__(self, phase: str, _done: int, _total: int) -> bool:
        if self.since > self.most:
            self.most, self.phase = self.since, phase
        self.total, self.since, self.ticks = self.total + self.since, 0, self.ticks + 1
        self.cancelled = self.total > ENOUGH or self.ticks > TICKS
        return not self.cancelled

    def hear(self, run: Callable[[], LearnResult]) -> LearnResult:
        """Count the calls of a run and return its result."""
        sys.setprofile(self.called)
        try:
            return run()
        finally:
            sys.setprofile(None)


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_a_cancel_is_heard_after_little_work_at_a_thousand_columns(key, kind):
    """At a thousand columns, little work is done between two ticks and from the cancellation to the result."""
    learn(key, columns(kind, 8))  # the first run compiles
    data, listener = columns(kind), Listener()
    result = listener.hear(lambda: learn(key, data, tick=listener))
    assert result.complete != listener.cancelled
    assert listener.most <= CALLS, f"before {listener.phase}"
    assert not listener.cancelled or listener.since <= END_CALLS
