"""A watch over the clock of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

TOLERANCE_SECONDS = 3600.0


class ClockWatch:
    """Detects that the clock of the machine was set, by comparing it with one that nobody sets.

    Parameters
    ----------
    clock, steady : callable
        Seconds since 1970, and seconds since any moment.
    """

    def __init__(self, clock: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._steady = clock, steady
        self._ahead = clock() - steady()

    def has_jumped(self) -> bool:
        """Return True if the clock was set by more than an hour since the last call."""
        before, self._ahead = self._ahead, self._clock() - self._steady()
        return abs(self._ahead - before) > TOLERANCE_SECONDS
