"""Long work goes to worker processes, so that the pages of all visitors answer meanwhile."""

from __future__ import annotations

import threading
from functools import cache

from learners.common.pool import Running
from pages.session.jobs import ownership
from pages.session.jobs.workers import workers

SHORT = 0.3  # seconds that work may take, as estimated, and stay in this process
BRIEF = 2.0  # seconds that work may take and stay rather than wait, for minutes perhaps, behind others' long runs


def place_for(seconds: float) -> Running | None:
    """What a worker does of work that takes about so long; None if it stays in this process."""
    supervisor = ownership.supervisor()
    stays = not supervisor.allowed.workers or seconds < SHORT or (seconds < BRIEF and supervisor.is_full())
    return None if stays else Running()


def make_ready() -> None:
    """Begin one behind the first page, so that the first long run finds it loaded."""
    if ownership.supervisor().allowed.workers:
        _begin_one()


@cache
def _begin_one() -> None:
    threading.Thread(target=workers().make_ready, daemon=True).start()
