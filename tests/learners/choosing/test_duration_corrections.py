"""Tests of run-time estimates: a range around the learner's estimate, corrected by earlier runs on the machine."""

from __future__ import annotations

import pytest

from learners.choosing.duration_corrections import REMEMBERED, TOO_SHORT, TRIED, UNTRIED, Experience


def test_an_estimate_that_no_run_has_corrected_is_in_the_middle_of_a_wide_range():
    """Without earlier runs of the learner the estimate is the middle of a wide range; other learners do not count."""
    known = Experience()
    known.note("hc", 1.0, 10.0)
    assert known.range_of("pc", 2.0) == (2.0 / UNTRIED, 2.0 * UNTRIED)


def test_runs_correct_the_estimates_of_their_learner():
    """The median of the latest runs corrects the estimate, so a single slow run changes little."""
    known = Experience()
    for taken in (10.0, 10.0, 1_000.0):
        known.note("pc", 1.0, taken)
    low, high = known.range_of("pc", 3.0)
    assert low == pytest.approx(30.0 / TRIED)
    assert high == pytest.approx(30.0 * TRIED)


def test_the_latest_runs_count():
    """Only the latest runs correct the estimate; older ones are ignored."""
    known = Experience()
    for taken in [100.0] * REMEMBERED + [1.0] * REMEMBERED:
        known.note("pc", 1.0, taken)
    assert known.range_of("pc", 1.0) == pytest.approx((1 / TRIED, TRIED))


def test_a_very_short_run_teaches_nothing():
    """A very short run consists of fixed costs, so it is ignored."""
    known = Experience()
    known.note("pc", 1e-3, TOO_SHORT)
    assert known.range_of("pc", 1.0) == (1.0 / UNTRIED, UNTRIED)
