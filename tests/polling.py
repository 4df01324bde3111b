"""Waiting for threads and processes. Only this file of the gate's tests reads a clock."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 180.0  # then a test fails; a busy machine needs far less
PAUSE_SECONDS = 0.02


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Poll until the condition holds; fail if it does not within the time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {condition}"
        time.sleep(PAUSE_SECONDS)


def pause() -> None:
    """Yield the processor briefly, in a loop that another thread ends."""
    time.sleep(PAUSE_SECONDS / 4)


def hang() -> None:
    """Sleep for ten minutes, in a process that will be killed."""
    time.sleep(600)
