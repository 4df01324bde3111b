"""What a case took: the longest while without a tick, and the most memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

HANG, LARGE = 5.0, 1024.0  # seconds without a tick, and MB beyond the table
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Watch:
    """Looks at one case from its beginning."""

    def __init__(self) -> None:
        CLEAR.write_text("5")  # the peak is counted from here on
        self.said = ""
        self.table_mb = 0.0
        self.longest = 0.0
        self._held = _megabytes("VmRSS")
        self._last = self._now()

    def say(self, what: str) -> None:
        """What is about to be done, for the report."""
        self.said = what

    def pause(self, table: bytes = b"") -> None:
        """A step is over that nobody could have watched; the size of the table, once it is known."""
        now = self._now()
        self.longest = max(self.longest, min(a - b for a, b in zip(now, self._last, strict=True)))
        self._last = now
        self.table_mb += len(table) / 2**20

    def ticking(self, seconds: float) -> Callable[[str, int, int], bool]:
        """A listener that notes how long it was left alone, and cancels after so much CPU time."""
        until = time.process_time() + seconds

        def tick(_phase: str, _done: int, _total: int) -> bool:
            self.pause()
            return time.process_time() < until

        self.pause()
        return tick

    @property
    def megabytes(self) -> float:
        """Most memory held since the beginning, beyond what was held then and the table itself."""
        return max(0.0, _megabytes("VmHWM") - self._held - self.table_mb)

    @staticmethod
    def _now() -> tuple[float, float]:
        """Wall and CPU time: on a busy machine the first runs on, with several threads the second."""
        return time.perf_counter(), time.process_time()


def _megabytes(name: str) -> float:
    (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith(name)]
    return int(line.split()[1]) / 1024
