"""Which process a run belongs to, and whether that is still there."""

from __future__ import annotations

import os
import socket
from functools import cache
from pathlib import Path


def own() -> str:
    """This process: its machine, its number, and when it began."""
    return _told(os.getpid())


def is_there(worker: str) -> bool:
    """Whether a process is still there. One of another machine is taken to be."""
    host, pid, began = worker.rsplit(" ", 2)
    return host != _host() or (began != "?" and _began(int(pid)) == began)


@cache
def _host() -> str:
    return socket.gethostname()


def _told(pid: int) -> str:
    return f"{_host()} {pid} {_began(pid)}"


def _began(pid: int) -> str:
    """When a process began, in ticks since the machine did; ? where nobody tells."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[19]
    except OSError:
        return "?"
