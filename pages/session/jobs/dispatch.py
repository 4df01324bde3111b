"""Dispatch long work to worker processes, so that the pages of all visitors stay responsive."""

from __future__ import annotations

import threading
from functools import cache

from learners.common.task_pool import TaskHandle
from pages.session.jobs import ownership
from pages.session.jobs.queue import workers

SHORT = 0.3  # estimated seconds up to which work stays in this process
BRIEF = 2.0  # the same limit if all workers are busy, since their runs may take minutes


def remote_task(seconds: float) -> TaskHandle | None:
    """Return the state of a new remote task of this estimated duration; None if the work stays in this process."""
    supervisor = ownership.supervisor()
    stays = not supervisor.allowed.workers or seconds < SHORT or (seconds < BRIEF and supervisor.is_full())
    return None if stays else TaskHandle()


def make_ready() -> None:
    """Start a worker in the background, so that the first long run finds it loaded."""
    if ownership.supervisor().allowed.workers:
        _start_worker()


@cache
def _start_worker() -> None:
    threading.Thread(target=workers().warm_up, daemon=True).start()
