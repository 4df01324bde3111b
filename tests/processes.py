"""Processes that a test began, or somebody it began."""

from __future__ import annotations

import os
import signal
from typing import Any


def runs(pid: int) -> bool:
    """Whether a process of this number is at work; one that has ended and is not yet fetched is not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed(*_: Any, **__: Any) -> None:
    """Kill this process, as the system does when memory runs out: a stand-in for the work of a worker."""
    os.kill(os.getpid(), signal.SIGKILL)


def out_of_memory(*_: Any, **__: Any) -> None:
    """Raise MemoryError, as numpy does where the system refuses an array: a stand-in for the work of a worker."""
    raise MemoryError("Unable to allocate 7.28 TiB for an array")
