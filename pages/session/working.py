"""The worker processes of this one: long runs go there, so that the pages of all visitors answer meanwhile."""

from __future__ import annotations

import threading
from functools import cache

from learners.common.workers import Workers
from pages.session import ownership

SHORT = 0.3  # seconds that a run may take, as estimated, and stay in this process


@cache
def workers() -> Workers:
    """Those of this process."""
    return Workers(ownership.supervisor().allowed.workers)


def make_ready() -> None:
    """Begin one behind the first page, so that the first long run finds it loaded."""
    if ownership.supervisor().allowed.workers:
        _begin_one()


@cache
def _begin_one() -> None:
    threading.Thread(target=workers().make_ready, daemon=True).start()
