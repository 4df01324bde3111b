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
PUBLIC_WAY = "EDGEWISE_PLAIN_NUMBA"  # set to anything, this environment variable asks for plain numba
KERNELS = Path(__file__).parents[1]

__all__ = ["ENABLED", "PUBLIC_WAY", "kernel", "processor"]


def kernel(function: Callable) -> Callable:
    """Compile the function when it is first called, without the GIL; plain Python where numba is switched off.

    It may use arrays, numbers, named tuples, other kernels, and constants of its module.
    """
    return _compiler()(function) if ENABLED else function


@cache
def _compiler() -> Callable[[Callable], Callable]:
    """Return what compiles kernels on this version of numba."""
    if os.environ.get(PUBLIC_WAY):
        return plain
    try:
        from ..jit import TRIED, Kernel
    except (ImportError, AttributeError) as error:
        reason = str(error)
    else:
        if numba.__version__.startswith(tuple(f"{version}." for version in TRIED)):
            return Kernel
        reason = f"Edgewise was tried with {', '.join(TRIED)}"
    warnings.warn(
        f"numba {numba.__version__} compiles Edgewise's kernels in the plain way ({reason}). Results are the same, but "
        "first runs take about twice as long; install a version that was tried to avoid this.",
        stacklevel=2,
    )
    return plain


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
    return store.folder() / f"plain-{digest(*VERSIONS, *texts)}"
