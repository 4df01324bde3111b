"""Where long work of this process goes: workers of this machine, or of the Dask scheduler that the server names."""

from __future__ import annotations

from functools import cache

from learners.common.cluster import Cluster
from learners.common.pool import Pool
from learners.common.workers import Workers
from pages.session.jobs.limits import SCHEDULER, limits


@cache
def workers() -> Pool:
    """Those of this process."""
    given = limits()
    return Cluster(given.scheduler, asked=SCHEDULER) if given.scheduler else Workers(int(given.workers))
