"""Wait for another thread or process. Only this file of the gate's tests looks at a clock."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 180.0  # then a test fails; far more than a busy machine needs
PAUSE_SECONDS = 0.02


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Poll until the condition holds; fail if it does not within the time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {condition}"
        time.sleep(PAUSE_SECONDS)


def pause() -> None:
    """Leave the processor to others for a moment, in a loop that somebody else ends."""
    time.sleep(PAUSE_SECONDS / 4)


def hang() -> None:
    """Do nothing for ten minutes, in a process that is going to be killed."""
    time.sleep(600)
