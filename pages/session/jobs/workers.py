"""The worker pool of this process: worker processes of this machine, or those of a Dask scheduler."""

from __future__ import annotations

from functools import cache

from learners.common.cluster import Cluster
from learners.common.pool import Pool
from learners.common.process_pool import ProcessPool
from pages.session.jobs.limits import SCHEDULER, limits


@cache
def workers() -> Pool:
    """Return the worker pool of this process."""
    given = limits()
    return Cluster(given.scheduler, asked=SCHEDULER) if given.scheduler else ProcessPool(int(given.workers))
