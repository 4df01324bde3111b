"""Corrections of estimated durations by recent runs."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict, deque

UNTRIED = 4.0  # factor of uncertainty of an estimate that no run has corrected
TRIED = 2.5
REMEMBERED = 5  # number of recent runs per learner that are stored
TOO_SHORT = 0.05  # seconds; runs below this do not predict longer ones


class Experience:
    """Ratios of measured to estimated durations. They contain no other data of a run, so all visitors share them."""

    def __init__(self) -> None:
        self._log_ratios: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, key: str, estimated: float, taken: float) -> None:
        """Record that a run of the learner `key`, estimated at `estimated` seconds, took `taken` seconds."""
        if taken > TOO_SHORT:
            self._log_ratios[key].append(math.log(taken / estimated))

    def range_of(self, key: str, estimated: float) -> tuple[float, float]:
        """Return the lowest and highest plausible duration in seconds."""
        known = self._log_ratios.get(key)
        if not known:
            return estimated / UNTRIED, estimated * UNTRIED
        middle = estimated * math.exp(statistics.median(known))
        return middle / TRIED, middle * TRIED
