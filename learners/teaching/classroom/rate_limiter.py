"""Rate limiter."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MAX_KEYS = 10_000  # limit of tracked keys; the least recently used one is evicted


class RateLimiter:
    """Allow at most `most` events per key in `seconds`.

    Parameters
    ----------
    most : int
    seconds : float
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def allow(self, key: str) -> bool:
        """Count an event; return False, without counting it, if the limit is reached."""
        with self._lock:
            now = self._clock()
            recent = [then for then in self._times.get(key, ()) if now - then < self._seconds]
            if len(recent) >= self._most:
                return False
            self._times[key] = [*recent, now]
            self._times.move_to_end(key)
            if len(self._times) > MAX_KEYS:
                self._times.popitem(last=False)
            return True
