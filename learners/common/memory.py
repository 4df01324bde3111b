"""Memory limit of a single step, checked before it allocates, so that a large request ends in a clear error.

The limit applies to one request: an array, or several similar ones. It is `EDGEWISE_STEP_MB`; without this variable, a
quarter of the machine's memory, and at most 1 GB. The arrays that a run stores for all pairs of columns may take a
quarter of the free memory, and all that it needs at its peak may take half of it.
"""

from __future__ import annotations

import ctypes
import gc
import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import DataError, ParameterError
from .wording import quoted, shown_value

if TYPE_CHECKING:  # the sandbox child imports this module and must start quickly
    import numpy as np

VARIABLE = "EDGEWISE_STEP_MB"
MEGABYTE = 1 << 20
MAX_STEP_MB, MAX_STEP_SHARE = 1024, 0.25  # limits of a step: MB, and share of the machine's memory
GRAPH_SHARE = 0.25  # share of the free memory that the arrays for all pairs of columns may take
RUN_SHARE = 0.5  # share of the free memory that a run may take at its peak
CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
CGROUP_USES = (Path("/sys/fs/cgroup/memory.current"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"))
MEMINFO = Path("/proc/meminfo")
CELL_BYTES = 8  # bytes of a float64
ALWAYS_ALLOWED_BYTES = MEGABYTE  # size that is allowed without looking up the limit
PAIR_BYTES = 64  # bytes that a run stores for each ordered pair of columns: graphs, evidence, separating sets
MAX_PAIRED_STATES = 6_000  # maximum total number of states whose pairs a test counts (144 MB)
STATE_PAIR_BYTES = 7  # bytes for each ordered pair of states at the peak: their counts, and copies of some
INDICATOR_PAIR_BYTES = 16  # the same for indicators of levels beside numbers: their correlations and a copy
MAX_INDICATORS = 500  # number of a variable's indicators that are counted; a run with more refuses the variable


def step_limit_bytes() -> float:
    """Return the number of bytes that one request may take.

    Raises
    ------
    ParameterError
        If `EDGEWISE_STEP_MB` is not a positive number.
    """
    return MEGABYTE * positive_setting(os.environ, VARIABLE, min(MAX_STEP_MB, MAX_STEP_SHARE * machine_mb()))


def graph_limit_bytes() -> float:
    """Return the bytes that a run may store for all pairs of columns.

    The limit is a quarter of the free memory, and at least the limit of one request. If `EDGEWISE_STEP_MB` is set, both
    limits are equal.
    """
    return _share_of_free(GRAPH_SHARE)


def run_limit_bytes() -> float:
    """Return the bytes that a run may take at its peak, as `graph_limit_bytes` for half of the free memory."""
    return _share_of_free(RUN_SHARE)


def _share_of_free(share: float) -> float:
    return max(step_limit_bytes(), 0.0 if os.environ.get(VARIABLE, "").strip() else share * free_mb() * MEGABYTE)


def check_memory(n_bytes: float, what: str, way_out: str, limit: Callable[[], float] = step_limit_bytes) -> None:
    """Raise DataError if `n_bytes` exceed the limit.

    Parameters
    ----------
    n_bytes : float
    what : str
        Source of the request, with columns or parameters by name, such as "2,000 columns".
    way_out : str
        Alternative to raising the limit, such as "use fewer columns".
    limit : callable, optional
        Returns the limit in bytes. Default: that of a step.
    """
    if n_bytes <= ALWAYS_ALLOWED_BYTES and VARIABLE not in os.environ:
        return
    most = limit()
    if n_bytes > most:
        raise DataError(
            f"{what} would take {_readable(n_bytes)} of memory, more than the {_readable(most)} that a step may take; "
            f"{way_out}, or set {VARIABLE} to more MB"
        )


def out_of_memory() -> DataError:
    """Return the error that replaces a MemoryError."""
    return DataError(
        "the work needs more memory than its process can get, and what it had found is lost; try again, with fewer "
        "columns or rows"
    )


def check_pair_memory(p: int) -> None:
    """Raise DataError if the arrays that a run stores for all pairs of `p` columns are too large."""
    check_memory(PAIR_BYTES * float(p) ** 2, f"a graph of {p:,} columns", "use fewer columns", graph_limit_bytes)


def check_run_memory(p: int, n_bytes: float) -> None:
    """Raise DataError if a run on `p` columns takes too much, with `n_bytes` at its peak for all pairs of them."""
    check_memory(n_bytes, f"a graph of {p:,} columns", "use fewer columns", run_limit_bytes)


def check_table_memory(names: Sequence[str], arity: np.ndarray) -> None:
    """Raise DataError if one contingency table per core, for the two columns with the most levels, is too large."""
    from .parallel import available_cores

    widest = sorted(range(len(arity)), key=lambda k: arity[k])[-2:]
    cells = math.prod(float(arity[k]) for k in widest)
    what = f"a table of columns {quoted(names[k] for k in widest)}, of {' and '.join(f'{arity[k]:,}' for k in widest)}"
    check_memory(CELL_BYTES * cells * available_cores(), f"{what} levels,", "merge levels or ignore one of them")


def positive_setting(env: Mapping[str, str], name: str, default: float) -> float:
    """Return the positive number in an environment variable, or the default if it is empty.

    Raises
    ------
    ParameterError
        If the variable holds anything else.
    """
    text = env.get(name, "")
    try:
        value = float(text) if text.strip() else default
    except ValueError:
        value = math.nan
    if not value > 0:
        raise ParameterError(f"{name} must be a number above 0, got {shown_value(text)}; change it or leave it out")
    return value


def machine_mb() -> float:
    """Return the memory in MB of this machine or of its container, whichever is smaller; infinity if unknown."""
    try:
        least = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / MEGABYTE
    except (AttributeError, ValueError, OSError):
        least = math.inf
    for path in CGROUP_LIMITS:
        text = path.read_text().strip() if path.exists() else ""
        least = min(least, int(text) / MEGABYTE) if text.isdigit() else least
    return least


def free_mb() -> float:
    """Return the memory in MB that is free on this machine or in its container, whichever is less; 0 if unknown."""
    try:
        known = dict(line.split(":") for line in MEMINFO.read_text().splitlines() if ":" in line)
        least = float(known["MemAvailable"].split()[0]) / 1024
    except (OSError, KeyError, ValueError):  # not Linux
        return 0.0
    for limit, use in zip(CGROUP_LIMITS, CGROUP_USES, strict=True):
        texts = [path.read_text().strip() if path.exists() else "" for path in (limit, use)]
        if all(text.isdigit() for text in texts):
            least = min(least, (int(texts[0]) - int(texts[1])) / MEGABYTE)
    return max(least, 0.0)


def resident_mb(pid: int | str = "self") -> float:
    """Return the resident memory of a process in MB, by default of this one; 0 if unknown.

    Pages of files, such as those of large tables, do not count, because the system can free them.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # not Linux, or the process has ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith(("RssAnon:", "RssShmem:"))) / 1024


def release_memory() -> None:
    """Run the garbage collector, and return free memory to the system where the C library supports it (glibc)."""
    gc.collect()
    trim = getattr(ctypes.pythonapi, "malloc_trim", None)
    if trim is not None:
        trim(0)


def _readable(n_bytes: float) -> str:
    return f"{n_bytes / 1024**3:,.1f} GB" if n_bytes >= 1024**3 else f"{n_bytes / MEGABYTE:,.0f} MB"
