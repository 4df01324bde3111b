"""Processes that a test began, or somebody it began."""

from __future__ import annotations


def runs(pid: int) -> bool:
    """Whether a process of this number is at work; one that has ended and is not yet fetched is not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
