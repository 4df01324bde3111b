"""Threads over independent pieces of a compiled kernel, with a listener kept informed.

The kernels release the GIL and write each item's result to its own place, so the outcome does not depend on the number
of threads. The calling thread only waits and ticks; a tick that cancels sets `stop`, which the kernels watch.
"""

import itertools
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

import numpy as np

from .progress import Stopped, Tick

TICK_SECONDS = 0.05
CHUNKS_PER_THREAD = 32  # pieces differ in cost; small ones even out the load
INLINE_SECONDS = 0.003  # over the number of threads: shorter work is done before they would have started

ExecutorFactory = Callable[[], AbstractContextManager[Executor]]
REMOTE_EXECUTOR: ContextVar[ExecutorFactory | None] = ContextVar("elsewhere", default=None)  # see `spreading`

Kernel = Callable[[int, int, np.ndarray, np.ndarray], None]
Work = Callable[[Any, np.ndarray], list]


def available_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_chunks(
    start: Callable[[], Kernel],
    total: int,
    *,
    phase: str,
    tick: Tick,
    threads: int | None = None,
    light: bool = False,
    first: int = 4,
) -> None:
    """Run a kernel over pieces of ``range(total)``.

    Parameters
    ----------
    start : callable
        Called once in each thread, for working memory of its own; returns ``kernel(begin, end, stop, done)``, which
        treats the items ``begin .. end - 1``, adds 1 to ``done[0]`` for each, and returns early once ``stop[0]``.
    total : int
        Number of items.
    phase, tick : str, Tick
        Listener, told the number of finished items at least every 100 ms.
    threads : int, optional
        Default: the cores available.
    light : bool, default False
        Whether each item takes well below a tick. Short work is then done at once, before threads would have started.
    first : int, default 4
        Items of the first piece done so; later pieces grow.

    Raises
    ------
    Stopped
        If a tick returned False; every thread has come to rest by then.
    """
    stop = np.zeros(1, dtype=np.int8)
    threads = threads or available_cores()
    begun = _run_inline(start(), total, stop, first, INLINE_SECONDS / threads) if light else 0
    left = total - begun
    if left:
        threads = min(threads, left)
        bounds = np.linspace(begun, total, min(left, threads * CHUNKS_PER_THREAD) + 1).astype(int)
        _ThreadPool(start, bounds, stop, threads).work(lambda done: tick(phase, begun + done, total))
    if not tick(phase, total, total):
        raise Stopped


def run_task_tree(
    start: Callable[[], Work], first: list, *, phase: str, tick: Tick, threads: int | None = None
) -> None:
    """Do tasks that lead to further ones, the newest first, until none is left.

    Parameters
    ----------
    start : callable
        Called once in each thread; returns ``work(task, stop)``, which does one task, returns the tasks it leads to,
        and returns early once ``stop[0]``.
    first : list
        The tasks to begin with.
    phase, tick, threads
        As `run_chunks`; told are the tasks done and those known.

    Raises
    ------
    Stopped
        If a tick returned False; every thread has come to rest by then.
    """
    stack = _TaskStack(first)
    stack.work(
        start, threads or available_cores(), lambda: tick(phase, stack.n_done, stack.n_done + len(stack.tasks) + 1)
    )
    if not tick(phase, stack.n_done, stack.n_done):
        raise Stopped


def ordered_map(
    work: Callable[[int, Callable[[], bool]], Any], total: int, *, phase: str, tick: Tick, threads: int | None = None
) -> list:
    """Results of ``work(t, goes_on)`` for ``range(total)``, side by side, in order.

    Parameters
    ----------
    work : callable
        It asks ``goes_on()`` now and then, which is True or, once nobody waits any more, unwinds it by an exception. A
        result of None says that it gave up.
    total : int
    phase, tick, threads
        As `run_chunks`. What is told are the results at the front that are done.

    Returns
    -------
    list
        Up to the first None, or to where a tick returned False; every thread has come to rest by then.
    """
    if elsewhere := REMOTE_EXECUTOR.get():
        with elsewhere() as others:
            return _collect([others.submit(work, t, _never_stop) for t in range(total)], phase, tick)
    stop = threading.Event()

    def goes_on() -> bool:
        if stop.is_set():
            raise _Abandoned
        return True

    def one(t: int) -> Any:
        try:
            return work(t, goes_on) if goes_on() else None
        except _Abandoned:
            return None

    with ThreadPoolExecutor(min(threads or available_cores(), max(total, 1))) as pool:
        try:
            return _collect([pool.submit(one, t) for t in range(total)], phase, tick)
        finally:
            stop.set()


class _Abandoned(BaseException):
    """Unwinds work whose result nobody waits for; no learner catches it to hand over what it has."""


def _never_stop() -> bool:
    """What is done elsewhere is not asked to stop: it is let go."""
    return True


def _collect(waiting: list[Future], phase: str, tick: Tick) -> list:
    """Results in order, up to the first None, or to where a tick returned False."""
    found: list = []
    for result in waiting:
        while tick(phase, len(found), len(waiting)):
            if wait([result], TICK_SECONDS).done:
                break
        else:
            break
        if result.result() is None:
            break
        found.append(result.result())
    for result in waiting[len(found) :]:
        result.cancel()
    return found


def _run_inline(kernel: Kernel, total: int, stop: np.ndarray, size: int, seconds: float) -> int:
    """Treat the first items in this thread, for about so many seconds; how many."""
    done = np.zeros(1, dtype=np.int64)
    deadline = time.perf_counter() + seconds
    begin = 0
    while begin < total and time.perf_counter() < deadline:
        end = min(total, begin + size)
        kernel(begin, end, stop, done)
        begin, size = end, size * 4
    return begin


class _ThreadPool:
    """Threads that take piece after piece."""

    def __init__(self, start: Callable[[], Kernel], bounds: np.ndarray, stop: np.ndarray, threads: int) -> None:
        self._start = start
        self._bounds = bounds
        self._stop = stop
        self._done = np.zeros((len(bounds) - 1, 1), dtype=np.int64)
        self._next = itertools.count()  # next() is atomic
        self._error: BaseException | None = None
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(threads)]

    def work(self, listen: Callable[[int], bool]) -> None:
        """Do all pieces, telling `listen` the items done; Stopped if cancelled."""
        for thread in self._threads:
            thread.start()
        try:
            for thread in self._threads:
                thread.join(TICK_SECONDS)
                while thread.is_alive():
                    if not listen(int(self._done.sum())):
                        raise Stopped
                    thread.join(TICK_SECONDS)
        finally:
            self._stop[0] = 1
            for thread in self._threads:
                thread.join()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            kernel = self._start()
            while not self._stop[0] and (piece := next(self._next)) < len(self._done):
                kernel(int(self._bounds[piece]), int(self._bounds[piece + 1]), self._stop, self._done[piece])
        except BaseException as error:  # handed on in the thread that waits
            self._error = error
            self._stop[0] = 1


class _TaskStack:
    """Tasks waiting to be done by several threads."""

    def __init__(self, tasks: list) -> None:
        self.tasks = list(tasks)
        self.n_done = 0
        self._active = 0
        self._stop = np.zeros(1, dtype=np.int8)
        self._change = threading.Condition()
        self._error: BaseException | None = None

    def work(self, start: Callable[[], Work], threads: int, listen: Callable[[], bool]) -> None:
        """Do all tasks, asking `listen` now and then; Stopped if cancelled."""
        crew = [threading.Thread(target=self._run, args=(start,), daemon=True) for _ in range(threads)]
        for thread in crew:
            thread.start()
        try:
            for thread in crew:
                thread.join(TICK_SECONDS)
                while thread.is_alive():
                    if not listen():
                        raise Stopped
                    thread.join(TICK_SECONDS)
        finally:
            self._stop[0] = 1
            for thread in crew:
                thread.join()
        if self._error is not None:
            raise self._error

    def _run(self, start: Callable[[], Work]) -> None:
        try:
            work = start()
            while (task := self._take()) is not None:
                self._give(work(task, self._stop))
        except BaseException as error:  # handed on in the thread that waits
            self._error = error
            self._stop[0] = 1

    def _take(self) -> Any:
        with self._change:
            while not self.tasks and self._active and not self._stop[0]:
                self._change.wait(TICK_SECONDS)
            if self._stop[0] or not self.tasks:
                return None
            self._active += 1
            return self.tasks.pop()

    def _give(self, more: list) -> None:
        with self._change:
            self.tasks.extend(reversed(more))
            self._active -= 1
            self.n_done += 1
            self._change.notify_all()
