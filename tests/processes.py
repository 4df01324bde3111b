"""Processes that a test or its child processes started."""

from __future__ import annotations

import os
import signal
from typing import Any


def runs(pid: int) -> bool:
    """Return True if a process is running; a zombie is not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed(*_: Any, **__: Any) -> None:
    """Kill this process, as the system does if memory runs out; it replaces the work of a worker."""
    os.kill(os.getpid(), signal.SIGKILL)


def out_of_memory(*_: Any, **__: Any) -> None:
    """Raise MemoryError, as numpy does if an allocation fails; it replaces the work of a worker."""
    raise MemoryError("Unable to allocate 7.28 TiB for an array")
