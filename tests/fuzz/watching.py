"""Resources of a case: the longest interval without a tick, and the peak memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

HANG, LARGE = 5.0, 1024.0  # limits: seconds without a tick, and MB in addition to the table
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Watch:
    """Track the memory and tick intervals of one fuzz case."""

    def __init__(self) -> None:
        CLEAR.write_text("5")  # reset the peak memory of the process
        self.said = ""
        self.table_mb = 0.0
        self.longest = 0.0
        self._held = _megabytes("VmRSS")
        self._last = self._now()

    def say(self, what: str) -> None:
        """Record the next action for the report."""
        self.said = what

    def pause(self, table: bytes = b"") -> None:
        """Record the end of a step without ticks, and the size of the table once it is known."""
        now = self._now()
        self.longest = max(self.longest, min(a - b for a, b in zip(now, self._last, strict=True)))
        self._last = now
        self.table_mb += len(table) / 2**20

    def ticking(self, seconds: float) -> Callable[[str, int, int], bool]:
        """Return a listener that records the intervals between ticks and cancels after some CPU time."""
        until = time.process_time() + seconds

        def tick(_phase: str, _done: int, _total: int) -> bool:
            self.pause()
            return time.process_time() < until

        self.pause()
        return tick

    @property
    def megabytes(self) -> float:
        """Return the peak memory since the start, minus the initial memory and the table."""
        return max(0.0, _megabytes("VmHWM") - self._held - self.table_mb)

    @staticmethod
    def _now() -> tuple[float, float]:
        """Return wall and CPU time: a busy machine adds to the first, several threads to the second."""
        return time.perf_counter(), time.process_time()


def _megabytes(name: str) -> float:
    (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith(name)]
    return int(line.split()[1]) / 1024
