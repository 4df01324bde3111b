"""Which process a run belongs to, and whether that is still there."""

from __future__ import annotations

import os
import socket
from functools import cache
from pathlib import Path

HEARTBEAT_SECONDS = 20.0  # between two signs of life of a process with runs
MAX_SILENT_SECONDS = 120.0  # after which a process of another machine counts as gone


def this_process() -> str:
    """This process: its machine, its number, and when it began."""
    return _description(os.getpid())


def is_alive(worker: str, silent: float) -> bool:
    """Whether a process is still there; one that cannot be looked up, as on another machine, is while it tells so.

    Parameters
    ----------
    worker : str
        As `this_process` tells it.
    silent : float
        Seconds since it gave the last sign. Less than 0 where a clock was set back: then only the next sign can be
        believed, which a process that is there gives soon.
    """
    host, pid, began = worker.rsplit(" ", 2)
    if host != _host() or began == "?":  # nobody here can tell
        return abs(silent) < MAX_SILENT_SECONDS
    return _began(int(pid)) == began


@cache
def _host() -> str:
    return socket.gethostname()


def _description(pid: int) -> str:
    return f"{_host()} {pid} {_began(pid)}"


def _began(pid: int) -> str:
    """When a process began, in ticks since the machine did; ? where nobody tells."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[19]
    except OSError:
        return "?"
