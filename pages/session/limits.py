"""What the jobs of this process may take, from environment variables; see docs/deploy.md."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from learners.common.errors import ParameterError
from learners.common.parallel import available_cores

SECONDS = 4 * 3600.0  # of a run, unless said
LEFT_SECONDS = 30.0  # a page may be gone, unless said: a reload or a short gap of the line costs no run
SHARE_OF_MEMORY = 0.8  # of the machine, unless said
MEGA = 1 << 20
CGROUP = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


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
        jobs=math.ceil(_positive(env, "EDGEWISE_JOBS", available_cores())),
        seconds=_positive(env, "EDGEWISE_SECONDS", SECONDS),
        left_seconds=_positive(env, "EDGEWISE_LEFT_SECONDS", LEFT_SECONDS),
        memory_mb=_positive(env, "EDGEWISE_MEMORY_MB", SHARE_OF_MEMORY * machine_mb()),
    )


def _positive(env: Mapping[str, str], name: str, default: float) -> float:
    said = env.get(name, "")
    try:
        value = float(said) if said.strip() else default
    except ValueError:
        value = math.nan
    if not value > 0:
        raise ParameterError(f"{name} must be a number above 0, got {said[:80]!r}; change it or leave it out")
    return value


def machine_mb() -> float:
    """Memory of this machine or, if that is less, of the container; infinite where nobody tells."""
    try:
        least = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / MEGA
    except (AttributeError, ValueError, OSError):
        least = math.inf
    for path in CGROUP:
        said = path.read_text().strip() if path.exists() else ""
        least = min(least, int(said) / MEGA) if said.isdigit() else least
    return least


def resident_mb() -> float:
    """Memory that this process holds; 0 where nobody tells."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MEGA if statm.exists() else 0.0
