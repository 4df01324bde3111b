"""What the jobs of this process may take, from environment variables; see docs/deploy.md."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass

from learners.common.mapped import POSSIBLE
from learners.common.memory import machine_mb, positive
from learners.common.parallel import available_cores
from learners.common.spreading import check_dask

SECONDS = 4 * 3600.0  # of a run, unless said
LEFT_SECONDS = 30.0  # a page may be gone, unless said: a reload or a short gap of the line costs no run
ABANDONED_SECONDS = 600.0  # nobody may have come back to a workspace, unless said
EACH = 2  # runs of a user at work at once, unless said
SHARE_OF_MEMORY = 0.8  # of the machine, unless said
SCHEDULER = "EDGEWISE_SCHEDULER"


@dataclass(frozen=True)
class Limits:
    """What jobs may take.

    Attributes
    ----------
    jobs : int
        At work at once in the process of the app.
    seconds : float
        Of a job.
    left_seconds : float
        From when its page was closed, if nothing is kept.
    memory_mb : float
        Of the process of the app.
    workers : float
        Processes for long work; 0 if all stays with the app, infinite for all that a scheduler has.
    run_mb : float
        Of a worker of this machine.
    scheduler : str
        Address of the Dask scheduler whose workers do long work; empty if those of this machine do.
    abandoned_seconds : float
        From when the last page of its workspace was closed.
    each : float
        At work at once, of one user, by workers.
    """

    jobs: int
    seconds: float
    left_seconds: float
    memory_mb: float
    workers: float = 0
    run_mb: float = math.inf
    scheduler: str = ""
    abandoned_seconds: float = ABANDONED_SECONDS
    each: float = EACH


def limits(env: Mapping[str, str] = os.environ) -> Limits:
    """Those that the environment sets, and defaults for the others.

    Raises
    ------
    ParameterError
        If a variable is no positive number (`EDGEWISE_WORKERS` may be 0), or a scheduler is named without Dask.
    """
    memory_mb = positive(env, "EDGEWISE_MEMORY_MB", SHARE_OF_MEMORY * machine_mb())
    workers, scheduler = _workers(env), env.get(SCHEDULER, "").strip()
    if scheduler:
        check_dask(SCHEDULER)
    return Limits(
        jobs=math.ceil(positive(env, "EDGEWISE_JOBS", available_cores())),
        seconds=positive(env, "EDGEWISE_SECONDS", SECONDS),
        left_seconds=positive(env, "EDGEWISE_LEFT_SECONDS", LEFT_SECONDS),
        memory_mb=memory_mb,
        workers=workers,
        run_mb=positive(env, "EDGEWISE_RUN_MB", memory_mb / (1 if scheduler else workers + 1)),
        scheduler=scheduler,
        abandoned_seconds=positive(env, "EDGEWISE_ABANDONED", ABANDONED_SECONDS),
        each=math.ceil(positive(env, "EDGEWISE_RUNS_EACH", EACH)),
    )


def _workers(env: Mapping[str, str]) -> float:
    """One core is left to the pages; 0 where a table cannot be mapped. A scheduler knows how many it has."""
    said = env.get("EDGEWISE_WORKERS", "").strip()
    if said == "0":
        return 0
    if env.get(SCHEDULER, "").strip():
        return math.ceil(positive(env, "EDGEWISE_WORKERS", 0)) if said else math.inf
    most = available_cores() - 1
    if not POSSIBLE or (not said and not most):
        return 0
    return math.ceil(positive(env, "EDGEWISE_WORKERS", most))
