"""What the jobs of this process may take, from environment variables; see docs/deploy.md."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from learners.common.memory import MEGABYTE, machine_mb, positive
from learners.common.parallel import available_cores

SECONDS = 4 * 3600.0  # of a run, unless said
LEFT_SECONDS = 30.0  # a page may be gone, unless said: a reload or a short gap of the line costs no run
SHARE_OF_MEMORY = 0.8  # of the machine, unless said


@dataclass(frozen=True)
class Limits:
    """How many jobs run at once, how long each may take, how long after its page was closed, and MB of the process."""

    jobs: int
    seconds: float
    left_seconds: float
    memory_mb: float


def limits(env: Mapping[str, str] = os.environ) -> Limits:
    """Those that the environment sets, and defaults for the others.

    Raises
    ------
    ParameterError
        If a variable is no positive number.
    """
    return Limits(
        jobs=math.ceil(positive(env, "EDGEWISE_JOBS", available_cores())),
        seconds=positive(env, "EDGEWISE_SECONDS", SECONDS),
        left_seconds=positive(env, "EDGEWISE_LEFT_SECONDS", LEFT_SECONDS),
        memory_mb=positive(env, "EDGEWISE_MEMORY_MB", SHARE_OF_MEMORY * machine_mb()),
    )


def resident_mb() -> float:
    """Memory that this process holds; 0 where nobody tells."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE if statm.exists() else 0.0
