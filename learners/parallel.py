"""Threads over independent pieces of a compiled kernel, with a listener kept informed.

The kernels release the GIL and write each item's result to its own place, so the outcome does not depend on the number
of threads. The calling thread only waits and ticks; a tick that says no sets `stop`, which the kernels watch.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from .progress import Stopped, Tick

TICK_SECONDS = 0.05
PIECES_PER_THREAD = 16  # pieces differ in cost; small ones even out the load


def available_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_pieces(
    kernel: Callable[[int, int, np.ndarray, np.ndarray], None],
    total: int,
    *,
    phase: str,
    tick: Tick,
    threads: int | None = None,
) -> None:
    """Run ``kernel(begin, end, stop, done)`` over pieces of ``range(total)``.

    Parameters
    ----------
    kernel : callable
        Treats the items ``begin .. end - 1``, adds 1 to ``done[0]`` for each, and returns early once ``stop[0]``.
    total : int
        Number of items.
    phase, tick : str, Tick
        Listener, told the number of finished items at least every 100 ms.
    threads : int, optional
        Default: the cores available.

    Raises
    ------
    Stopped
        If a tick returned False; every thread has come to rest by then.
    """
    threads = max(1, min(threads or available_cores(), total))
    stop = np.zeros(1, dtype=np.int8)
    bounds = np.linspace(0, total, min(total, threads * PIECES_PER_THREAD) + 1).astype(int)
    done = np.zeros((len(bounds) - 1, 1), dtype=np.int64)
    with ThreadPoolExecutor(threads) as pool:
        pending = {
            pool.submit(kernel, int(begin), int(end), stop, done[piece])
            for piece, (begin, end) in enumerate(zip(bounds[:-1], bounds[1:], strict=True))
        }
        try:
            while pending:
                finished, pending = wait(pending, timeout=TICK_SECONDS)
                for future in finished:
                    future.result()
                if pending and not tick(phase, int(done.sum()), total):
                    stop[0] = 1
                    wait(pending)
                    raise Stopped
        except BaseException:
            stop[0] = 1
            raise
    if not tick(phase, total, total):
        raise Stopped
