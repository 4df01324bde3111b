"""A probe of running times ends in time, however slow what it tries."""

from __future__ import annotations

import time

from learners.search.estimate import PATIENCE, ROUNDS, for_a_while, least_seconds


def test_what_is_quick_is_tried_often_and_what_is_slow_twice():
    """The first time may have compiled."""
    calls: list[float] = []

    def work(seconds: float) -> int:
        calls.append(seconds)
        time.sleep(seconds)
        return 2

    assert least_seconds(lambda: work(0.0)) >= 0.0
    assert len(calls) == ROUNDS
    assert least_seconds(lambda: work(PATIENCE)) >= PATIENCE / 2
    assert len(calls) == ROUNDS + 2


def test_a_tick_that_lasts_a_while_cancels_then():
    tick = for_a_while()
    time.sleep(PATIENCE)
    assert not tick("", 0, 0)
