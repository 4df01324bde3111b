"""What the jobs of this process may take, from environment variables; see docs/deploy.md."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass

from learners.common.mapped import POSSIBLE
from learners.common.memory import machine_mb, positive
from learners.common.parallel import available_cores

SECONDS = 4 * 3600.0  # of a run, unless said
LEFT_SECONDS = 30.0  # a page may be gone, unless said: a reload or a short gap of the line costs no run
SHARE_OF_MEMORY = 0.8  # of the machine, unless said


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
        From when its page was closed.
    memory_mb : float
        Of the process of the app.
    workers : int
        Processes for long runs; 0 if all stay with the app.
    run_mb : float
        Of a worker.
    """

    jobs: int
    seconds: float
    left_seconds: float
    memory_mb: float
    workers: int = 0
    run_mb: float = math.inf


def limits(env: Mapping[str, str] = os.environ) -> Limits:
    """Those that the environment sets, and defaults for the others.

    Raises
    ------
    ParameterError
        If a variable is no positive number; `EDGEWISE_WORKERS` may be 0.
    """
    memory_mb = positive(env, "EDGEWISE_MEMORY_MB", SHARE_OF_MEMORY * machine_mb())
    workers = _workers(env)
    return Limits(
        jobs=math.ceil(positive(env, "EDGEWISE_JOBS", available_cores())),
        seconds=positive(env, "EDGEWISE_SECONDS", SECONDS),
        left_seconds=positive(env, "EDGEWISE_LEFT_SECONDS", LEFT_SECONDS),
        memory_mb=memory_mb,
        workers=workers,
        run_mb=positive(env, "EDGEWISE_RUN_MB", memory_mb / (workers + 1)),
    )


def _workers(env: Mapping[str, str]) -> int:
    """One core is left to the pages; 0 where a table cannot be mapped."""
    said = env.get("EDGEWISE_WORKERS", "").strip()
    most = available_cores() - 1
    if not POSSIBLE or said == "0" or (not said and not most):
        return 0
    return math.ceil(positive(env, "EDGEWISE_WORKERS", most))
