"""What may be allocated at once: asked before it is, so that a large request ends in a sentence.

The limit is one for a request: an array, or several alike. It is `EDGEWISE_STEP_MB`; without that variable a
quarter of the machine's memory, and at most 1 GB.
"""

from __future__ import annotations

import ctypes
import gc
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import DataError, ParameterError
from .wording import quoted, shown_value

if TYPE_CHECKING:  # a child of the sandbox imports this module, and must start quickly
    import numpy as np

VARIABLE = "EDGEWISE_STEP_MB"
MEGABYTE = 1 << 20
MAX_STEP_MB, MAX_STEP_SHARE = 1024, 0.25  # MB, and the part of the machine's memory
CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
CELL_BYTES = 8  # bytes of a number
ALWAYS_ALLOWED_BYTES = MEGABYTE  # bytes that any machine has: nothing is looked up for them
PAIR_BYTES = 64  # bytes that a run keeps of two columns: graphs, evidence, sepsets


def step_limit_bytes() -> float:
    """Bytes that one request may take.

    Raises
    ------
    ParameterError
        If the variable is no positive number.
    """
    return MEGABYTE * positive_setting(os.environ, VARIABLE, min(MAX_STEP_MB, MAX_STEP_SHARE * machine_mb()))


def check_memory(n_bytes: float, what: str, way_out: str) -> None:
    """Raise DataError if `n_bytes` are more than the limit.

    Parameters
    ----------
    n_bytes : float
    what : str
        Who needs them, with the columns or parameters by name, as in "2 000 columns".
    way_out : str
        What to do instead of raising the limit, as in "use fewer columns".
    """
    if n_bytes <= ALWAYS_ALLOWED_BYTES and VARIABLE not in os.environ:
        return
    most = step_limit_bytes()
    if n_bytes > most:
        raise DataError(
            f"{what} would take {_readable(n_bytes)} of memory, more than the {_readable(most)} that a step may take; "
            f"{way_out}, or set {VARIABLE} to more MB"
        )


def out_of_memory() -> DataError:
    """Return what replaces a MemoryError, which nothing foresaw."""
    return DataError(
        "the work needs more memory than its process can get, and what it had found is lost; try again, with fewer "
        "columns or rows"
    )


def check_pair_memory(p: int) -> None:
    """Raise DataError if what a run keeps of each pair of `p` columns is too much."""
    check_memory(PAIR_BYTES * float(p) ** 2, f"a graph of {p:,} columns", "use fewer columns")


def check_table_memory(names: Sequence[str], arity: np.ndarray) -> None:
    """Raise DataError if the table of the two columns with most levels is too much, one for each core."""
    from .parallel import available_cores

    widest = sorted(range(len(arity)), key=lambda k: arity[k])[-2:]
    cells = math.prod(float(arity[k]) for k in widest)
    what = f"a table of columns {quoted(names[k] for k in widest)}, of {' and '.join(f'{arity[k]:,}' for k in widest)}"
    check_memory(CELL_BYTES * cells * available_cores(), f"{what} levels,", "merge levels or ignore one of them")


def positive_setting(env: Mapping[str, str], name: str, default: float) -> float:
    """The number above 0 that a variable holds, or the default; ParameterError if it holds something else."""
    said = env.get(name, "")
    try:
        value = float(said) if said.strip() else default
    except ValueError:
        value = math.nan
    if not value > 0:
        raise ParameterError(f"{name} must be a number above 0, got {shown_value(said)}; change it or leave it out")
    return value


def machine_mb() -> float:
    """Memory of this machine or, if that is less, of the container; infinite where nobody tells."""
    try:
        least = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / MEGABYTE
    except (AttributeError, ValueError, OSError):
        least = math.inf
    for path in CGROUP_LIMITS:
        said = path.read_text().strip() if path.exists() else ""
        least = min(least, int(said) / MEGABYTE) if said.isdigit() else least
    return least


def resident_mb(pid: int | str = "self") -> float:
    """Memory that a process holds, this one unless said; 0 where nobody tells."""
    statm = Path(f"/proc/{pid}/statm")
    try:
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    except OSError:  # another system, or a process that has ended
        return 0.0


def release_memory() -> None:
    """Collect what refers to itself, and return all free memory to the system, where it can be asked for (glibc)."""
    gc.collect()
    trim = getattr(ctypes.pythonapi, "malloc_trim", None)
    if trim is not None:
        trim(0)


def _readable(n_bytes: float) -> str:
    return f"{n_bytes / 1024**3:,.1f} GB" if n_bytes >= 1024**3 else f"{n_bytes / MEGABYTE:,.0f} MB"
