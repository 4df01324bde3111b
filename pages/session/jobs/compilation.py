"""Learners that are not compiled yet: made ready before a run, in a process of its own that can be ended."""

from __future__ import annotations

import time

from learners.common.progress import Tick
from learners.kernels.compiling import store
from learners.warm_up import ready, warm_up_apart

PHASE = "being prepared"
SECONDS = 20  # about what a learner takes on one core; whatever was compiled meanwhile shortens it
POLL_SECONDS = 0.1


def prepare(key: str, kind: str, tick: Tick) -> bool:
    """Wait until the learner is compiled for this computer; False if the tick cancelled.

    Where nothing can be kept there is nothing to wait for: the run compiles what it needs.
    """
    if ready((key, kind)) or not store.is_writable():
        return True
    began = time.monotonic()
    with warm_up_apart((key, kind)) as process:
        while process.poll() is None:
            if not tick(PHASE, min(int(time.monotonic() - began), SECONDS - 1), SECONDS):
                process.terminate()
                return False
            time.sleep(POLL_SECONDS)
    return True
