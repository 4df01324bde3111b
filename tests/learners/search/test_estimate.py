"""Tests that a probe of running times ends in time, however slow its work is."""

from __future__ import annotations

import pytest

from learners.search import estimate
from learners.search.estimate import ROUND_SECONDS, ROUNDS, deadline_tick, min_seconds


class Clock:
    """A clock that moves only on request."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        """Return the current time in seconds."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock that the probe reads."""
    one = Clock()
    monkeypatch.setattr(estimate, "time", one)
    return one


@pytest.mark.parametrize(("seconds", "rounds"), [(0.0, ROUNDS), (1.1 * ROUND_SECONDS, 2)], ids=["quick", "slow"])
def test_quick_work_is_tried_often_and_slow_work_twice(clock, seconds, rounds):
    """Quick work is repeated many times and slow work twice, because the first round may include compilation."""
    calls = []

    def work() -> int:
        calls.append(seconds)
        clock.now += seconds
        return 2

    assert min_seconds(work) == seconds / 2
    assert len(calls) == rounds


def test_a_tick_that_lasts_a_while_cancels_then(clock):
    tick = deadline_tick()
    assert tick("", 0, 0)
    clock.now += ROUND_SECONDS
    assert not tick("", 0, 0)
