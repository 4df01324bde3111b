"""Identify the process that owns a run, and check that this process is still alive."""

from __future__ import annotations

import os
import socket
from functools import cache
from pathlib import Path

HEARTBEAT_SECONDS = 20.0  # seconds between two heartbeats of a process with runs
MAX_SILENT_SECONDS = 120.0  # seconds without a heartbeat until a process on another machine counts as dead


def this_process() -> str:
    """Return the identity of this process: machine, process id, and start time."""
    return _description(os.getpid())


def is_alive(worker: str, silent: float) -> bool:
    """Return True if a process is alive; on another machine, if it still sends heartbeats.

    Parameters
    ----------
    worker : str
        Identity from `this_process`.
    silent : float
        Seconds since its last heartbeat. Negative after the clock was set back: then only the next heartbeat counts,
        which a live process sends soon.
    """
    host, pid, began = worker.rsplit(" ", 2)
    if host != _host() or began == "?":  # cannot be looked up on this machine
        return abs(silent) < MAX_SILENT_SECONDS
    return _began(int(pid)) == began


@cache
def _host() -> str:
    return socket.gethostname()


def _description(pid: int) -> str:
    return f"{_host()} {pid} {_began(pid)}"


def _began(pid: int) -> str:
    """Return the start of a process in clock ticks since boot; "?" if unknown."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[19]
    except OSError:
        return "?"
