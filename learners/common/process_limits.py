"""Resource limits that a process sets on itself before it parses untrusted bytes, where the system supports them."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path

try:
    import resource
except ImportError:  # Windows: the parent's limits on time and output remain
    resource = None

MIN_FREE_BYTES = 64 * 1024**2  # number of bytes that a process may always use
STATM = Path("/proc/self/statm")


def limit_memory(n_bytes: float) -> None:
    """Limit the resident memory of this process to `n_bytes`; call it again after an import, which maps libraries.

    The system limits address space, not resident pages, so memory that is mapped but not resident now, mostly code, is
    added.
    """
    if resource is not None:
        mapped, resident = (pages * resource.getpagesize() for pages in _pages())
        _limit(resource.RLIMIT_AS, mapped - resident + max(int(n_bytes), resident + MIN_FREE_BYTES))


def limit_time(cpu_seconds: float, seconds: float) -> None:
    """End this process after `cpu_seconds` of CPU time or `seconds` of wall-clock time."""
    if resource is not None:
        _limit(resource.RLIMIT_CPU, max(1, round(cpu_seconds)))
        signal.setitimer(signal.ITIMER_REAL, seconds)  # without a handler, the signal ends the process


def forbid_files() -> None:
    """Forbid this process to write files and core dumps; pipes still work."""
    if resource is not None:
        _limit(resource.RLIMIT_FSIZE, 0)
        _limit(resource.RLIMIT_CORE, 0)


def _limit(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS refuses some limits
        resource.setrlimit(what, (soft, hard))


def _pages() -> tuple[int, int]:
    """Return the numbers of mapped and of resident pages of this process; zeros where they are unknown."""
    try:
        mapped, resident = STATM.read_text().split()[:2]
    except OSError:  # not Linux
        return 0, 0
    return int(mapped), int(resident)
