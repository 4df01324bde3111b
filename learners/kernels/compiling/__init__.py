"""How kernels are compiled: one decorator, and a cache on disk that knows a kernel by its content.

`jit` compiles them with private parts of numba: an entry belongs to a kernel's own code and to that of all that it
calls (`stamps`), to the types of its arguments, and to the processor. So a change recompiles what it touches and
nothing else, and all checkouts share one folder (`store`). Of several processes that need the same kernel one compiles
it; the others wait, then load it.

On a version of numba that `jit` was not tried with, plain ``numba.njit`` compiles them, in a folder for each state of
the kernels' sources.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numba

from . import store
from .stamps import VERSIONS, digest, processor

ENABLED = not numba.config.DISABLE_JIT
PLAIN_NUMBA = "EDGEWISE_PLAIN_NUMBA"  # environment variable: if set, plain numba compiles all kernels
KERNELS = Path(__file__).parents[1]
__all__ = ["ENABLED", "PLAIN_NUMBA", "kernel", "processor", "way"]


def kernel(function: Callable) -> Callable:
    """Compile the function when it is first called, without the GIL; plain Python where numba is switched off.

    It may use arrays, numbers, named tuples, other kernels, and constants of its module.
    """
    return _compiler()(function) if ENABLED else function


@cache
def _compiler() -> Callable[[Callable], Callable]:
    """Return what compiles kernels on this version of numba."""
    if os.environ.get(PLAIN_NUMBA):
        return plain
    try:
        from ..jit import TRIED, Kernel
    except Exception as error:  # noqa: BLE001  (private parts of numba that were moved may fail in any way)
        reason = f"{type(error).__name__}: {error}"
    else:
        if numba.__version__.rpartition(".")[0] in TRIED:
            return Kernel
        reason = f"tried with {', '.join(TRIED)}"
    warnings.warn(
        f"Edgewise compiles its kernels about three times as slowly with numba {numba.__version__} ({reason}). "
        "Results are the same. Install a version of numba that was tried.",
        stacklevel=2,
    )
    return plain


def way() -> str:
    """Name the way in which kernels are compiled."""
    return _compiler().__name__


def plain(function: Callable) -> Callable:
    """Compile with public parts of numba, in a folder of our own if it can be written.

    numba takes the folder from its configuration when a function is decorated.
    """
    usual = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_plain_folder())
    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder can be written
        return numba.njit(nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = usual


@cache
def _plain_folder() -> Path:
    """Return a folder for the kernels' sources as they are, because numba does not notice that a callee has changed."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(KERNELS.rglob("*.py")))
    return store.subfolder(f"plain-{digest(*VERSIONS, *texts)}")
