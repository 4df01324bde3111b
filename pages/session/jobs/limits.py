"""Limits of the jobs of this process, from environment variables; see docs/deploy.md."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass

from learners.common.dask_client import check_dask_installed
from learners.common.memory import machine_mb, positive_setting
from learners.common.parallel import available_cores
from learners.common.shared_memory import IS_SUPPORTED

SECONDS = 4 * 3600.0  # default maximum duration of a run
LEFT_SECONDS = 30.0  # default time until a job ends after its page was closed; longer than a reload
ABANDONED_SECONDS = 600.0  # default time until an abandoned job ends
EACH = 2  # default number of concurrent jobs of one user on workers
SHARE_OF_MEMORY = 0.8  # default memory limit as a share of the machine's memory
SCHEDULER = "EDGEWISE_SCHEDULER"


@dataclass(frozen=True)
class Limits:
    """Limits of jobs.

    Attributes
    ----------
    jobs : int
        Concurrent jobs in the process of the app.
    seconds : float
        Duration of a job.
    left_seconds : float
        Seconds until a job ends after its page was closed, if nothing is saved.
    memory_mb : float
        Memory of the process of the app in MB.
    workers : float
        Worker processes; 0 if all work stays in the process of the app, infinite for all workers of a scheduler.
    run_mb : float
        Memory of a worker of this machine in MB.
    scheduler : str
        Address of the Dask scheduler whose workers do long work; empty for workers of this machine.
    abandoned_seconds : float
        Seconds until a job ends after the last page of its workspace was closed.
    each : float
        Concurrent jobs of one user on workers.
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
    """Return the limits set by the environment, with defaults for the rest.

    Raises
    ------
    ParameterError
        If a variable is not a positive number (`EDGEWISE_WORKERS` may be 0), or a scheduler is named without Dask.
    """
    memory_mb = positive_setting(env, "EDGEWISE_MEMORY_MB", SHARE_OF_MEMORY * machine_mb())
    workers, scheduler = _workers(env), env.get(SCHEDULER, "").strip()
    if scheduler:
        check_dask_installed(SCHEDULER)
    return Limits(
        jobs=math.ceil(positive_setting(env, "EDGEWISE_JOBS", available_cores())),
        seconds=positive_setting(env, "EDGEWISE_SECONDS", SECONDS),
        left_seconds=positive_setting(env, "EDGEWISE_LEFT_SECONDS", LEFT_SECONDS),
        memory_mb=memory_mb,
        workers=workers,
        run_mb=positive_setting(env, "EDGEWISE_RUN_MB", memory_mb / (1 if scheduler else workers + 1)),
        scheduler=scheduler,
        abandoned_seconds=positive_setting(env, "EDGEWISE_ABANDONED", ABANDONED_SECONDS),
        each=math.ceil(positive_setting(env, "EDGEWISE_RUNS_EACH", EACH)),
    )


def _workers(env: Mapping[str, str]) -> float:
    """Return the number of workers, by default one less than the cores; 0 if memory maps are unavailable."""
    text = env.get("EDGEWISE_WORKERS", "").strip()
    if text == "0":
        return 0
    if env.get(SCHEDULER, "").strip():
        return math.ceil(positive_setting(env, "EDGEWISE_WORKERS", 0)) if text else math.inf
    most = available_cores() - 1
    if not IS_SUPPORTED or (not text and not most):
        return 0
    return math.ceil(positive_setting(env, "EDGEWISE_WORKERS", most))
