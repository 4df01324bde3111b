"""Limits that a process sets on itself before it reads a stranger's bytes, where the system supports them."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path

try:
    import resource
except ImportError:  # Windows: the parent's limits on time and output remain
    resource = None

MIN_FREE_BYTES = 64 * 1024**2  # bytes of memory that are left to a process in any case
STATM = Path("/proc/self/statm")


def limit_memory(n_bytes: float) -> None:
    """Limit the resident memory of this process to `n_bytes`; repeat this after an import, which maps libraries.

    The system limits addresses, not pages: what is mapped and not resident now, mostly code, comes on top.
    """
    if resource is not None:
        mapped, resident = (pages * resource.getpagesize() for pages in _pages())
        _limit(resource.RLIMIT_AS, mapped - resident + max(int(n_bytes), resident + MIN_FREE_BYTES))


def limit_time(cpu_seconds: float, seconds: float) -> None:
    """End this process after so much time on a processor, or so much by the clock."""
    if resource is not None:
        _limit(resource.RLIMIT_CPU, max(1, round(cpu_seconds)))
        signal.setitimer(signal.ITIMER_REAL, seconds)  # without a handler, the signal ends the process


def forbid_files() -> None:
    """Write neither files nor core dumps from here on; pipes still work."""
    if resource is not None:
        _limit(resource.RLIMIT_FSIZE, 0)
        _limit(resource.RLIMIT_CORE, 0)


def _limit(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS refuses some limits
        resource.setrlimit(what, (soft, hard))


def _pages() -> tuple[int, int]:
    """Return the numbers of mapped and of resident pages of this process."""
    try:
        mapped, resident = STATM.read_text().split()[:2]
    except OSError:  # another system than Linux
        return 0, 0
    return int(mapped), int(resident)
