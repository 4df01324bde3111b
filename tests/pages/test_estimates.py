"""How long a run may take: a range about the learner's estimate, moved by what its runs took here."""

from __future__ import annotations

import pytest

from pages.session.jobs.estimates import REMEMBERED, TOO_SHORT, TRIED, UNTRIED, Experience


def test_an_estimate_that_no_run_has_corrected_is_in_the_middle_of_a_wide_range():
    """Of another learner nothing is known either."""
    known = Experience()
    known.note("hc", 1.0, 10.0)
    assert known.range_of("pc", 2.0) == (2.0 / UNTRIED, 2.0 * UNTRIED)


def test_runs_correct_the_estimates_of_their_learner():
    """By the median of the latest runs: one that took long for once changes little."""
    known = Experience()
    for taken in (10.0, 10.0, 1_000.0):
        known.note("pc", 1.0, taken)
    low, high = known.range_of("pc", 3.0)
    assert low == pytest.approx(30.0 / TRIED)
    assert high == pytest.approx(30.0 * TRIED)


def test_the_latest_runs_count():
    """Those before them are forgotten."""
    known = Experience()
    for taken in [100.0] * REMEMBERED + [1.0] * REMEMBERED:
        known.note("pc", 1.0, taken)
    assert known.range_of("pc", 1.0) == pytest.approx((1 / TRIED, TRIED))


def test_a_very_short_run_teaches_nothing():
    """It is spent on what every run needs."""
    known = Experience()
    known.note("pc", 1e-3, TOO_SHORT)
    assert known.range_of("pc", 1.0) == (1.0 / UNTRIED, UNTRIED)
