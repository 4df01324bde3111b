"""Compilation of kernels: a decorator, and a cache on disk that is keyed by the content of a kernel.

`jit` compiles kernels with private functions of numba. The key of a cache entry covers the code of the kernel and of
its callees (`stamps`), the types of the arguments, and the processor. So a change recompiles only the affected kernels,
and all checkouts share one folder (`store`). If several processes need the same kernel, one of them compiles it; the
others wait and then load it.

On a version of numba that `jit` was not tested with, plain ``numba.njit`` compiles the kernels, with a separate folder
for each state of their sources.
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
    """Compile the function at its first call, without the GIL; leave it plain Python if numba is disabled.

    It may use arrays, numbers, named tuples, other kernels, and constants of its module.
    """
    return _compiler()(function) if ENABLED else function


@cache
def _compiler() -> Callable[[Callable], Callable]:
    """Return the decorator that compiles kernels on this version of numba."""
    if os.environ.get(PLAIN_NUMBA):
        return plain
    try:
        from ..jit import TRIED, Kernel
    except Exception as error:  # noqa: BLE001  (private functions of numba may have moved, and can fail in any way)
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
    """Return the name of the method that compiles kernels."""
    return _compiler().__name__


def plain(function: Callable) -> Callable:
    """Compile with numba's public interface, in our own cache folder if it is writable.

    numba reads the folder from its configuration when it decorates a function.
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
    """Return a folder for this version of the kernels' sources, because numba does not notice changes of callees."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(KERNELS.rglob("*.py")))
    return store.subfolder(f"plain-{digest(*VERSIONS, *texts)}")
