"""Compile a learner's kernels before its first run, in a separate process that can be cancelled."""

from __future__ import annotations

import time

from learners.common.progress import Tick
from learners.kernels.compiling import store
from learners.workers.warm_up import ready, warm_up_in_process

PHASE = "being prepared"
SECONDS = 20  # approximate duration of compiling a learner on one core
POLL_SECONDS = 0.1


def prepare(key: str, kind: str, tick: Tick) -> bool:
    """Wait until a learner is compiled for this computer; return False if `tick` cancels.

    If compiled code cannot be stored, return True at once: the run compiles what it needs.
    """
    if ready((key, kind)) or not store.is_writable():
        return True
    began = time.monotonic()
    with warm_up_in_process((key, kind)) as process:
        while process.poll() is None:
            if not tick(PHASE, min(int(time.monotonic() - began), SECONDS - 1), SECONDS):
                process.terminate()
                return False
            time.sleep(POLL_SECONDS)
    return True
